import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { verifyCheckpoint, verifyProof } from '@broker-transparency/client/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import type { ReadCheckpoint } from '../support/log-reader.ts';
import { runCli, type Settings } from '../support/process.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createReader, ORIGIN, readLogState } from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import type { TestWitness, WitnessBehaviour } from '../support/witness.ts';
import { createWitnessedLog, findWitnessState, makeDue, readMetric, untilWitnessed } from './witnessed.ts';

const client = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));

let log: Awaited<ReturnType<typeof createWitnessedLog>>;
/** A database that has its collections, for servers that do not start. */
let data: Settings = {};
beforeAll(async () => {
  log = await createWitnessedLog();
});
afterAll(() => log?.remove());

const readTime = async (text: string, policy: string): Promise<number> =>
  Date.parse((await verifyCheckpoint(text, policy)).checkpointTime ?? '');

describe('a log with witnesses', () => {
  let [one, two, silent] = [] as unknown as [TestWitness, TestWitness, TestWitness];
  let service: LocalService;
  let policy: string;
  let first: ReadCheckpoint;
  /** The broker that was published last. */
  let last: string;
  const hanging = new Set<Socket>();
  const hang: WitnessBehaviour = ({ socket }) => {
    hanging.add(socket);
    socket.once('close', () => hanging.delete(socket));
  };
  const fail: WitnessBehaviour = (_req, res) => res.writeHead(500).end();
  beforeAll(async () => {
    [one, two, silent] = [await log.newWitness(), await log.newWitness(), await log.newWitness()];
    silent.behave(hang);
    policy = log.formatPolicy({ one, two, silent }, 'group most 2 one two silent\nquorum most');
    service = await log.start(policy);
    data = service.data;
    first = await untilWitnessed(service, 1, policy);
  });

  /** Lets the service ask a witness now. Everything is signed then, so it does nothing else. */
  const askNow = async (name: string): Promise<void> => {
    await makeDue(service, name);
    await service.settle();
  };

  /** The proof of the entry that brought a broker. */
  const readProof = async (slug: string): Promise<{ readonly proof: string }> => {
    const number = await inDatabase(service, async (db) => {
      const entry = await db.collection('recordEntries').findOne({ key: `broker/${slug}` });
      return entry?.['number'] as number;
    });
    return (await send(`${service.origin}/transparency/v1/brokers/${slug}/proof?number=${number}`)).json();
  };

  test('a checkpoint is submitted to each witness as the log signed it, and published with what they signed', async () => {
    for (const witness of [one, two, silent]) {
      const [submission] = witness.submissions;
      expect(submission).toMatchObject({ old: 0, proof: [], size: first.size });
      expect(submission?.note).toMatch(/\n\n— [^\n]+\n$/);
    }
    expect(first.signers).toEqual([ORIGIN, expect.stringMatching(/^witness\./), expect.stringMatching(/^witness\./)]);
    const { level, witnesses: seen } = await verifyCheckpoint(first.text, policy);
    expect({ level, ...seen }).toMatchObject({ level: 'witnessed', verified: 2, known: 3, required: 2 });
    const alone = await verifyCheckpoint(first.text, log.formatPolicy({ one }, 'quorum one'));
    expect(alone.witnesses).toMatchObject({ verified: 1, known: 1 });
  });

  test('a log with witnesses gives proofs that anybody verifies as witnessed', async () => {
    const { slug } = await log.grow(service);
    const proof = await until('the proof is witnessed', 30_000, async () => {
      const { proof: text } = await readProof(slug);
      return verifyProof(text, policy).then(
        () => text,
        () => undefined,
      );
    });
    const file = await log.scratch.write('a.tlog-proof', proof);
    const only = await log.scratch.write('only-one', log.formatPolicy({ one }, 'quorum one'));
    const said = succeeded(await runCli(['verify', file, '--policy', only], {}, 60_000, client));
    expect(said).toMatch(/^verified +witnessed: /m);
    expect(said).toMatch(/^witnesses +1 of 1 \(one\); the policy requires 1$/m);
  });

  test('a log proves its growth from what each witness signed, and moves no old signature to a new tree', async () => {
    const before = (await createReader(service).checkpoint()) as ReadCheckpoint;
    const later = await log.grow(service);
    last = later.slug;
    await untilWitnessed(service, later.size, policy); // refuses each wrong signature on the way
    for (const witness of [one, two]) {
      const submission = witness.submissions.find(({ size }) => size === later.size);
      expect(submission).toMatchObject({ old: before.size, status: 200 });
      expect(submission?.proof.length).toBeGreaterThan(0);
      expect(witness.submissions.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

  test('a log proves by the newest checkpoint that enough signed, or by the newest of all if that is old', async () => {
    const enough = await untilWitnessed(service, 1, policy);
    await until('enough have signed it', 20_000, async () => {
      const state = await readLogState(service);
      return state.witnesses?.witnessed?.size === enough.size;
    });
    for (const witness of [one, two]) witness.behave(fail);
    const newest = await log.grow(service);
    const readCheckpoint = async (slug: string): Promise<string> => {
      const { proof } = await readProof(slug);
      return proof.slice(proof.lastIndexOf(`\n${ORIGIN}\n`) + 1);
    };
    expect((await createReader(service).checkpoint())?.signers).toEqual([ORIGIN]);
    expect(await readCheckpoint(last)).toBe(enough.text);
    expect(await readCheckpoint(newest.slug)).toBe(newest.text);
    for (const [name, witness] of Object.entries({ one, two })) {
      witness.behave();
      await until('it fails', 20_000, async () => (await findWitnessState(service, name)).failed !== undefined);
      await askNow(name);
    }
    await untilWitnessed(service, newest.size, policy);
    await until('the proof is witnessed', 20_000, async () => {
      const { text } = (await createReader(service).checkpoint()) as ReadCheckpoint;
      return (await readCheckpoint(last)) === text;
    });
  });

  /**
   * Waits until a witness is asked again. A request that was under way may have delayed that, so it is made due again.
   */
  const askedAgain = (name: string, { submissions }: TestWitness): Promise<unknown> => {
    const before = submissions.length;
    let madeDue = 0;
    return until(`${name} is asked`, 30_000, async () => {
      if (Date.now() - madeDue > 3000) {
        madeDue = Date.now();
        await askNow(name);
      }
      return submissions.length > before;
    });
  };

  test('a checkpoint is signed by one witness while another hangs', async () => {
    await until('it does not wait', 60_000, async () => {
      await askedAgain('silent', silent);
      await askedAgain('one', one);
      return hanging.size > 0;
    });
  });

  test('a log says which witness hangs', async () => {
    const { failed, cosigned } = await until('its failure is shown', 30_000, async () => {
      const each = await findWitnessState(service, 'silent');
      return each.failed && each;
    });
    expect(cosigned).toBeUndefined();
    expect(failed).toMatchObject({ why: 'takes longer than 5 s', contradicts: false });
    const { stdout } = await service.cli('log', 'show');
    expect(stdout).toMatch(/^Signed by 2 of 3 witnesses\.\nEnough have signed \d+ entries, since 20.*\.\n/m);
    expect(stdout).toMatch(/^ {2}one: signed \d+ entries, last at /m);
    expect(stdout).toMatch(/^ {2}silent: has signed nothing yet\n {4}fails since .*: takes longer than 5 s$/m);
    expect(await readMetric(service, 'witness_failing_since_timestamp_seconds', 'silent')).toBeGreaterThan(1e9);
    expect(await readMetric(service, 'witness_failures_total', 'silent')).toBeGreaterThan(0);
    expect(await readMetric(service, 'cosigned_timestamp_seconds', 'silent')).toBeUndefined();
    expect(service.output()).not.toContain('could not be asked');
    await until('the time of the other is shown', 10_000, async () => {
      return Date.now() / 1000 - ((await readMetric(service, 'cosigned_timestamp_seconds', 'one')) ?? 0) < 120;
    });
    expect(await readMetric(service, 'contradicted', 'one')).toBe(0);
  });

  test('a checkpoint is signed again when a signature is old: at equal size, without a proof', async () => {
    const only = log.formatPolicy({ one }, 'quorum one');
    const { text, size } = await untilWitnessed(service, 1, only);
    const [count, time] = [one.submissions.length, await readTime(text, only)];
    await askNow('one');
    await until('a newer signature is served', 20_000, async () => {
      const renewed = (await createReader(service).checkpoint())?.text ?? '';
      return (await readTime(renewed, only)) > time;
    });
    expect(one.submissions.slice(count)).toMatchObject([{ old: size, size, proof: [], status: 200 }]);
  });

  test('a log asks once more from the size that a witness has, be it less or more than the log knew', async () => {
    const submitted = one.submissions.length;
    one.sees({ size: 0, root: Buffer.from('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'base64') });
    await askNow('one');
    await until('it has all again', 20_000, async () => one.tree().size > 0);
    await until(
      'the service has noted it',
      20_000,
      async () => Date.parse((await findWitnessState(service, 'one')).cosigned?.at ?? '') > 0,
    );
    const { size } = one.tree();
    await inDatabase(service, (db) => db.collection('logWitnesses').updateOne({ name: 'one' }, { $set: { size: 3 } }));
    await askNow('one');
    const asked = () => one.submissions.slice(submitted).map(({ old, status }) => [old, status]);
    await until('it signs again', 20_000, async () => asked().length === 4);
    expect(asked()).toEqual([
      [size, 409],
      [0, 200],
      [3, 409],
      [size, 200],
    ]);
  });

  const answerBy =
    (status: number, body: string | (() => string), headers = {}): WitnessBehaviour =>
    (_req, res) => {
      res.writeHead(status, headers).end(typeof body === 'string' ? body : body());
    };
  const current = async (): Promise<string> => {
    const { text = '' } = (await createReader(service).checkpoint()) ?? {};
    return text.slice(0, text.indexOf('\n\n') + 1);
  };
  const bad: Readonly<Record<string, [why: string | RegExp, behaviour: (text: string) => WitnessBehaviour]>> = {
    'another key': [
      /^answers with a wrong signature of witness\./,
      (text) => answerBy(200, two.cosign(text, { forged: true })),
    ],
    'the key of somebody else': [
      /^answers without a signature by the key/,
      (text) => answerBy(200, silent.cosign(text)),
    ],
    'a time long ago': [
      /^signs a time that is more than a day/,
      (text) => answerBy(200, two.cosign(text, { ago: 90_000 })),
    ],
    'another checkpoint': [/^answers with a wrong/, () => answerBy(200, two.cosign(`${ORIGIN}\n9\nAAAA\n`))],
    'bytes of no signature': [
      /^answers with a wrong/,
      (text) => answerBy(200, two.cosign(text).replace(/.{40}\n/, '\n')),
    ],
    'no form': ['answers 200 in another form than c2sp.org/tlog-witness has', () => answerBy(200, 'thank you')],
    nothing: ['answers 200 in another form than c2sp.org/tlog-witness has', () => answerBy(200, '')],
    'very much': ['is larger than 16384 bytes', (text) => answerBy(200, two.cosign(text).repeat(200))],
    'a redirect': [
      'answers by a redirect, and redirects are not followed',
      () => answerBy(307, '', { Location: `${two.url}/add-checkpoint?again` }),
    ],
    'a size that is none': ['answers 409 in another form than c2sp.org/tlog-witness has', () => answerBy(409, '-1\n')],
    'an unknown log': [/^answers 404: its operator must know this log/, () => answerBy(404, 'no')],
    'an unknown key': [/^answers 403: its operator must know the verifier key/, () => answerBy(403, 'no')],
    'an error': ['answers 500', () => answerBy(500, 'no')],
    'a broken connection': ['cannot be read (UND_ERR_SOCKET)', () => (req) => req.socket.destroy()],
  };

  /** The signature of `two` under a checkpoint; those of others may be renewed meanwhile. */
  const ofTwo = (text: string): string | undefined =>
    text.split('\n').find((line) => line.startsWith(`— ${two.verifierKey.split('+', 1)[0]} `));
  const servedOfTwo = async () => ofTwo((await createReader(service).checkpoint())?.text ?? '');

  test.each(Object.entries(bad))('a log serves nothing new of a witness that answers with %s', async (_, [why, as]) => {
    const before = await untilWitnessed(service, 1, policy);
    two.behave(as(await current()));
    try {
      await askNow('two');
      const { failed, cosigned } = await until('it is shown', 20_000, async () => {
        const each = await findWitnessState(service, 'two');
        return each.failed && each;
      });
      expect(failed?.why).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
      expect(failed?.contradicts).toBe(false);
      expect(cosigned?.size).toBe(before.size);
      expect(await servedOfTwo()).toBe(ofTwo(before.text));
    } finally {
      two.behave();
      await askNow('two');
      await until('it signs again', 20_000, async () => (await findWitnessState(service, 'two')).failed === undefined);
    }
  });

  test('the state of a witness says that it has signed another tree of this size, until it signs again', async () => {
    const { size, text } = await untilWitnessed(service, 1, policy);
    const right = two.tree();
    two.sees({ size, root: Buffer.alloc(32, 7) });
    await askNow('two');
    await until('it is shown', 20_000, async () => (await findWitnessState(service, 'two')).failed?.contradicts);
    expect((await findWitnessState(service, 'two')).failed?.why).toBe(`has signed another tree of ${size} entries`);
    expect(await servedOfTwo()).toBe(ofTwo(text));
    two.behave(fail);
    await askNow('two');
    const failed = await until('it fails otherwise', 20_000, async () => {
      const { failed: now } = await findWitnessState(service, 'two');
      return now?.why === 'answers 500' && now;
    });
    expect(failed.contradicts).toBe(true); // until it signs again
    two.sees(right);
    two.behave();
    await askNow('two');
    await until('it signs again', 20_000, async () => (await findWitnessState(service, 'two')).failed === undefined);
    expect(await readMetric(service, 'contradicted', 'two')).toBe(0);
  });

  test('one of several servers at a time asks a witness, and a restart forgets nothing', async () => {
    const known = (await untilWitnessed(service, 1, policy)).size;
    const [count, other] = [one.submissions.length, await log.start(policy, service.data)];
    const { size } = await log.grow(service);
    await untilWitnessed(other, size, policy);
    expect(one.submissions.slice(count)).toMatchObject([{ old: known, size, status: 200 }]);
    one.behave(hang);
    const [asked, others] = [one.submissions.length, new Set(hanging)];
    await makeDue(service, 'one');
    await Promise.all([
      service.settle(),
      other.settle(),
      until('it hangs', 20_000, async () => one.submissions.length > asked),
    ]);
    await Promise.all([other.settle(), service.settle()]);
    for (const socket of hanging) if (!others.has(socket)) socket.destroy();
    await until('it fails', 20_000, async () => (await findWitnessState(service, 'one')).failed !== undefined);
    expect(one.submissions.length - asked).toBe(1);
    one.behave();
    await askNow('one');
    await until('it signs again', 20_000, async () => (await findWitnessState(service, 'one')).failed === undefined);
    const signed = one.submissions.length;
    await Promise.all([service.close(), other.close()]);
    const again = await log.start(policy, service.data);
    const { size: newest } = await log.grow(again);
    await untilWitnessed(again, newest, policy);
    expect(one.submissions.slice(signed)).toMatchObject([{ old: size, size: newest, status: 200 }]);
  });
});

describe('a server does not start with', () => {
  test.each<[string, RegExp, (witness: TestWitness) => string]>([
    [
      'a file that is no policy',
      /policy-\d+: line 1: expected log, witness, group or quorum, not "hello"/,
      () => 'hello',
    ],
    [
      'a witness without an address',
      /policy-\d+: line 2: the witness w has no address: add/,
      ({ verifierKey }) => `log ${log.key.verifierKey}\nwitness w ${verifierKey}\nquorum w\n`,
    ],
  ])('a server does not start with %s', async (_, says, policyWith) => {
    const file = await log.policyFile(policyWith(await log.newWitness()));
    const refused = startService({ ...data, LOG_KEY: log.key.file, LOG_WITNESSES: file });
    await expect(refused.then((service) => service.remove())).rejects.toThrow(says);
  });

  test('a server does not start with witnesses and no key', async () => {
    const refused = startService({ ...data, LOG_WITNESSES: '/etc/witnesses' });
    await expect(refused.then((service) => service.remove())).rejects.toThrow(/LOG_WITNESSES: .*LOG_KEY is not set/);
  });
});
