import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyCheckpoint, verifyProof } from '@broker-transparency/client/verify';
import { Binary, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { leafHash, type ReadCheckpoint, rootOver } from '../support/log-reader.ts';
import { brokerRow } from '../support/records.ts';
import { runCli, type Service, startService, until } from '../support/service.ts';
import {
  allSigned,
  type LogState,
  logStateOf,
  newLogKey,
  ORIGIN,
  readerOf,
  type TestKey,
} from '../support/signed-log.ts';
import { type Behaviour, startWitness, type TestWitness } from '../support/witness.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const client = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));

let scratch: Scratch;
let key: TestKey;
const witnesses: TestWitness[] = [];
const services: Service[] = [];
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.remove()));
  await Promise.all(witnesses.map((witness) => witness.close()));
  await scratch?.remove();
});

const newWitness = async (): Promise<TestWitness> => {
  const witness = await startWitness({ origin: ORIGIN, verifierKey: key.verifierKey });
  witnesses.push(witness);
  return witness;
};

const policyOf = (known: Readonly<Record<string, TestWitness>>, quorum: string): string =>
  `log ${key.verifierKey}\n${Object.entries(known)
    .map(([name, one]) => one.lineAs(name))
    .join('')}${quorum}\n`;

let policies = 0;
const start = async (policy: string, more: Readonly<Record<string, string>> = {}): Promise<Service> => {
  const file = await scratch.write(`policy-${policies++}`, policy);
  const service = await startService({ LOG_KEY: key.file, LOG_WITNESSES: file, ...more });
  services.push(service);
  return service;
};

let brokers = 0;
/** Publishes one more broker, and waits for a checkpoint that covers it. */
const grow = async (service: Service): Promise<ReadCheckpoint> => {
  await importRows(service, 'brokers', [brokerRow(`broker-${brokers++}`)]);
  return allSigned(service);
};

type Each = NonNullable<LogState['witnesses']>['each'][number];
const stateOf = async (service: Service, name: string): Promise<Each> => {
  const found = (await logStateOf(service)).witnesses?.each.find((each) => each.name === name);
  if (!found) throw new Error(`there is no witness ${name}`);
  return found;
};

/** Lets a witness be asked again now: as if its last signature were old, and its last failure long ago. */
const makeDue = (service: Service, name: string) =>
  inDatabase(service, (db) =>
    db
      .collection('logWitnesses')
      .updateOne({ name }, { $set: { notBefore: new Date(0), 'cosignatures.$[].at': new Date(0) } }),
  );

/** Waits until the published checkpoint is one that the policy accepts. */
const witnessedUpTo = (service: Service, size: number, policy: string): Promise<ReadCheckpoint> =>
  until(`${size} entries are witnessed`, 45_000, async () => {
    const checkpoint = await readerOf(service).checkpoint();
    if (checkpoint === undefined || checkpoint.size < size) return false;
    return verifyCheckpoint(checkpoint.text, policy).then(
      () => checkpoint,
      (error: { code: string }) => {
        if (error.code !== 'too_few_witnesses') throw error; // nothing wrong is ever served
        return undefined;
      },
    );
  });

const timeIn = async (text: string, policy: string): Promise<number> =>
  Date.parse((await verifyCheckpoint(text, policy)).checkpointTime ?? '');

const metric = async (service: Service, name: string, witness: string): Promise<number | undefined> => {
  const { text } = await send(`${service.origin}/metrics`);
  const found = new RegExp(`^broker_rating_log_${name}\\{witness="${witness}"\\} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

describe('a log with witnesses', () => {
  let [one, two, silent] = [] as unknown as [TestWitness, TestWitness, TestWitness];
  let service: Service;
  let policy: string;
  let first: ReadCheckpoint;
  const hang: Behaviour = () => {};
  beforeAll(async () => {
    [one, two, silent] = [await newWitness(), await newWitness(), await newWitness()];
    silent.behave(hang);
    policy = policyOf({ one, two, silent }, 'group most 2 one two silent\nquorum most');
    service = await start(policy);
    first = await witnessedUpTo(service, 1, policy);
  });

  /** The proof of the entry that brought a broker. */
  const proofOf = async (slug: string): Promise<{ readonly proof: string }> => {
    const number = await inDatabase(service, async (db) => {
      const entry = await db.collection('recordEntries').findOne({ key: `broker/${slug}` });
      return entry?.['number'] as number;
    });
    return (await send(`${service.origin}/transparency/v1/brokers/${slug}/proof?number=${number}`)).json();
  };

  test('is submitted to each as new, as the log signed it, and published with what they signed', async () => {
    for (const witness of [one, two, silent]) {
      const [submission] = witness.submissions;
      expect(submission).toMatchObject({ old: 0, proof: [], size: first.size });
      expect(submission?.note).toMatch(/\n\n— [^\n]+\n$/);
    }
    expect(first.signers).toEqual([ORIGIN, expect.stringMatching(/^witness\./), expect.stringMatching(/^witness\./)]);
    const { level, witnesses: seen } = await verifyCheckpoint(first.text, policy);
    expect({ level, ...seen }).toMatchObject({ level: 'witnessed', verified: 2, known: 3, required: 2 });
    const alone = await verifyCheckpoint(first.text, policyOf({ one }, 'quorum one'));
    expect(alone.witnesses).toMatchObject({ verified: 1, known: 1 });
  });

  test('gives proofs that anybody verifies as witnessed', async () => {
    await grow(service);
    const proof = await until('the proof is witnessed', 30_000, async () => {
      const { proof: text } = await proofOf(`broker-${brokers - 1}`);
      return verifyProof(text, policy).then(
        () => text,
        () => undefined,
      );
    });
    const file = await scratch.write('a.tlog-proof', proof);
    const only = await scratch.write('only-one', policyOf({ one }, 'quorum one'));
    const said = succeeded(await runCli(['verify', file, '--policy', only], {}, 60_000, client));
    expect(said).toMatch(/^verified +witnessed: /m);
    expect(said).toMatch(/^witnesses +1 of 1 \(one\); the policy requires 1$/m);
  });

  test('grows by proofs from what each has signed, and no older signature is on a newer checkpoint', async () => {
    const before = (await readerOf(service).checkpoint()) as ReadCheckpoint;
    const later = await grow(service);
    await witnessedUpTo(service, later.size, policy); // refuses each wrong signature on the way
    for (const witness of [one, two]) {
      const submission = witness.submissions.find(({ size }) => size === later.size);
      expect(submission).toMatchObject({ old: before.size, status: 200 });
      expect(submission?.proof.length).toBeGreaterThan(0);
      expect(witness.submissions.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

  test('proves by the newest checkpoint that enough have signed, and by the newest of all where that one is too old', async () => {
    const enough = await witnessedUpTo(service, 1, policy);
    await until('enough have signed it', 20_000, async () => {
      const state = await logStateOf(service);
      return state.witnesses?.witnessed?.size === enough.size;
    });
    for (const witness of [one, two]) witness.behave(hang);
    const older = `broker-${brokers - 1}`;
    const newest = await grow(service);
    const checkpointOf = async (slug: string): Promise<string> => {
      const { proof } = await proofOf(slug);
      return proof.slice(proof.lastIndexOf(`\n${ORIGIN}\n`) + 1);
    };
    expect((await readerOf(service).checkpoint())?.signers).toEqual([ORIGIN]);
    expect(await checkpointOf(older)).toBe(enough.text);
    expect(await checkpointOf(`broker-${brokers - 1}`)).toBe(newest.text);
    for (const [name, witness] of Object.entries({ one, two })) {
      witness.behave();
      await until('it fails', 20_000, async () => (await stateOf(service, name)).failed !== undefined);
      await makeDue(service, name);
    }
    await witnessedUpTo(service, newest.size, policy);
    await until('the proof is witnessed', 20_000, async () => {
      const { text } = (await readerOf(service).checkpoint()) as ReadCheckpoint;
      return (await checkpointOf(older)) === text;
    });
  });

  test('is delayed by no witness that hangs, and says that it does', async () => {
    const { failed, cosigned } = await until('its failure is shown', 30_000, async () => {
      const each = await stateOf(service, 'silent');
      return each.failed && each;
    });
    expect(cosigned).toBeUndefined();
    expect(failed).toMatchObject({ why: 'takes longer than 5 s', contradicts: false });
    const { stdout } = await service.cli('log', 'show');
    expect(stdout).toMatch(/^Signed by 2 of 3 witnesses\.\nEnough have signed \d+ entries, since 20.*\.\n/m);
    expect(stdout).toMatch(/^ {2}one: signed \d+ entries, last at /m);
    expect(stdout).toMatch(/^ {2}silent: has signed nothing yet\n {4}fails since .*: takes longer than 5 s$/m);
    expect(await metric(service, 'witness_failing_since_timestamp_seconds', 'silent')).toBeGreaterThan(1e9);
    expect(await metric(service, 'witness_failures_total', 'silent')).toBeGreaterThan(0);
    expect(await metric(service, 'cosigned_timestamp_seconds', 'silent')).toBeUndefined();
    expect(service.output()).not.toContain('could not be asked');
    expect(Date.now() / 1000 - ((await metric(service, 'cosigned_timestamp_seconds', 'one')) ?? 0)).toBeLessThan(120);
    expect(await metric(service, 'contradicted', 'one')).toBe(0);
  });

  test('is signed again when a signature is old: at equal size, without a proof', async () => {
    const only = policyOf({ one }, 'quorum one');
    const { text, size } = await witnessedUpTo(service, 1, only);
    const [count, time] = [one.submissions.length, await timeIn(text, only)];
    await makeDue(service, 'one');
    await until('a newer signature is served', 20_000, async () => {
      const renewed = (await readerOf(service).checkpoint())?.text ?? '';
      return (await timeIn(renewed, only)) > time;
    });
    expect(one.submissions.slice(count)).toMatchObject([{ old: size, size, proof: [], status: 200 }]);
  });

  test('asks once more from the size that a witness has, whether it knows less or more than was known', async () => {
    const submitted = one.submissions.length;
    one.sees({ size: 0, root: Buffer.from('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'base64') });
    await makeDue(service, 'one');
    await until('it has all again', 20_000, async () => one.tree().size > 0);
    const { size } = one.tree();
    await inDatabase(service, (db) => db.collection('logWitnesses').updateOne({ name: 'one' }, { $set: { size: 3 } }));
    await makeDue(service, 'one');
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
    (status: number, body: string | (() => string), headers = {}): Behaviour =>
    (_req, res) => {
      res.writeHead(status, headers).end(typeof body === 'string' ? body : body());
    };
  const current = async (): Promise<string> => {
    const { text = '' } = (await readerOf(service).checkpoint()) ?? {};
    return text.slice(0, text.indexOf('\n\n') + 1);
  };
  const bad: Readonly<Record<string, [why: string | RegExp, behaviour: (text: string) => Behaviour]>> = {
    'another key': [/^answers with a wrong signature of witness\./, (text) => answerBy(200, two.cosign(text, true))],
    'the key of somebody else': [
      /^answers without a signature by the key/,
      (text) => answerBy(200, silent.cosign(text)),
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
      'leads to more than 0 redirects',
      () => answerBy(307, '', { Location: `${two.url}/add-checkpoint?again` }),
    ],
    'a size that is none': ['answers 409 in another form than c2sp.org/tlog-witness has', () => answerBy(409, '-1\n')],
    'an unknown log': [/^answers 404: its operator must know this log/, () => answerBy(404, 'no')],
    'an unknown key': [/^answers 403: its operator must know the verifier key/, () => answerBy(403, 'no')],
    'an error': ['answers 500', () => answerBy(500, 'no')],
    'a broken connection': ['cannot be read (UND_ERR_SOCKET)', () => (req) => req.socket.destroy()],
  };

  test.each(Object.entries(bad))('serves nothing new of a witness that answers with %s', async (_, [why, as]) => {
    const before = await witnessedUpTo(service, 1, policy);
    two.behave(as(await current()));
    try {
      await makeDue(service, 'two');
      const { failed, cosigned } = await until('it is shown', 20_000, async () => {
        const each = await stateOf(service, 'two');
        return each.failed && each;
      });
      expect(failed?.why).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
      expect(failed?.contradicts).toBe(false);
      expect(cosigned?.size).toBe(before.size);
      const served = (await readerOf(service).checkpoint())?.text;
      expect(served).toBe(before.text);
    } finally {
      two.behave();
      await makeDue(service, 'two');
      await until('it signs again', 20_000, async () => (await stateOf(service, 'two')).failed === undefined);
    }
  });

  test('is asked for by one of several servers at a time, and a restart forgets nothing', async () => {
    const known = (await witnessedUpTo(service, 1, policy)).size;
    const [count, other] = [one.submissions.length, await start(policy, { ...service.data } as Record<string, string>)];
    const { size } = await grow(service);
    await witnessedUpTo(other, size, policy);
    expect(one.submissions.slice(count)).toMatchObject([{ old: known, size, status: 200 }]);
    await Promise.all([service.end('SIGTERM'), other.end('SIGTERM')]);
    const again = await start(policy, { ...service.data } as Record<string, string>);
    const { size: last } = await grow(again);
    await witnessedUpTo(again, last, policy);
    expect(one.submissions.slice(count + 1)).toMatchObject([{ old: size, size: last, status: 200 }]);
  });
});

describe('a witness', () => {
  /** A log that one witness has signed, with several entries. */
  const startWitnessed = async () => {
    const witness = await newWitness();
    const policy = policyOf({ only: witness }, 'quorum only');
    const service = await start(policy);
    await grow(service);
    return { witness, policy, service };
  };
  const contradiction = (service: Service, why: string | RegExp) =>
    until('the contradiction is shown', 40_000, async () => {
      const { failed } = await stateOf(service, 'only');
      return (
        failed?.contradicts && (typeof why === 'string' ? failed.why === why : why.test(failed.why ?? '')) && failed
      );
    });

  test('sees a tree that a restore has rolled back, and signs nothing of it ever again', async () => {
    const { witness, policy, service } = await startWitnessed();
    const before = await witnessedUpTo(service, 1, policy);
    const backup = join(scratch.path, 'backup');
    succeeded(await service.cli('backup', backup));
    const lost = await witnessedUpTo(service, (await grow(service)).size, policy);
    expect(lost.size).toBeGreaterThan(before.size);
    await service.end('SIGTERM');
    const name = new URL(service.data['MONGODB_URL'] ?? '').pathname.slice(1);
    await rm(join(service.dataDir, 'log'), { recursive: true }); // as on another machine
    succeeded(await service.cli('restore', backup, '--drop', name));
    const restored = await start(policy, { ...service.data } as Record<string, string>);
    await makeDue(restored, 'only');
    await contradiction(restored, `has signed ${lost.size} entries, and the published checkpoint has ${before.size}`);
    expect((await restored.cli('log', 'show')).stdout).toContain('It has seen another history of this log');
    const line = 'a witness has seen another history of the log than this database has';
    await until('it is logged', 5000, async () => restored.output().includes(line));
    expect(await metric(restored, 'contradicted', 'only')).toBe(1);

    let forked = await grow(restored);
    while (forked.size <= lost.size) forked = await grow(restored);
    await makeDue(restored, 'only');
    await contradiction(restored, 'answers 422: the checkpoint does not continue the one that it signed');
    expect(witness.tree().size).toBe(lost.size);
    expect((await readerOf(restored).checkpoint())?.signers).toEqual([ORIGIN]);
  });

  test('sees a tree that was computed anew after an entry was changed', async () => {
    const { witness, policy, service } = await startWitnessed();
    const before = await witnessedUpTo(service, 1, policy);
    await inDatabase(service, async (db) => {
      await db.collection('recordEntries').updateOne({ number: 3 }, { $set: { cause: 'undo' } });
      await recompute(db, await readerOf(service).entries(before.size));
    });
    const later = await grow(service);
    await contradiction(service, /^answers 422: /);
    expect(witness.tree().size).toBe(before.size);
    expect(witness.submissions.at(-1)).toMatchObject({ old: before.size, size: later.size, status: 422 });
    expect((await readerOf(service).checkpoint())?.signers).toEqual([ORIGIN]);
  });

  /** Writes the tree and the tiles that follow from these entries, as somebody would who wants to hide a change. */
  const recompute = async (db: Db, entries: readonly Buffer[]): Promise<void> => {
    const leaves = entries.map(leafHash);
    if (leaves.length >= 256) throw new Error('there is one tile only');
    const hashes: string[] = [];
    for (let [from, width] = [0, 256]; width >= 1; width /= 2) {
      if (leaves.length - from < width) continue;
      hashes.push(rootOver(leaves.slice(from, from + width)).toString('base64'));
      from += width;
    }
    const tile = { hashes: leaves.map((leaf) => new Binary(leaf)) };
    await db.collection('logTiles').updateOne({ _id: '0/0' as never }, { $set: tile });
    await db.collection('logHeads').updateOne({ _id: 'tree' as never }, { $set: { hashes } });
  };
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
      ({ verifierKey }) => `log ${key.verifierKey}\nwitness w ${verifierKey}\nquorum w\n`,
    ],
  ])('%s', async (_, says, policyWith) => {
    const file = await scratch.write(`policy-${policies++}`, policyWith(await newWitness()));
    const refused = startService({ LOG_KEY: key.file, LOG_WITNESSES: file });
    await expect(refused.then((service) => service.remove())).rejects.toThrow(says);
  });

  test('witnesses and no key', async () => {
    const refused = startService({ LOG_WITNESSES: '/etc/witnesses' });
    await expect(refused.then((service) => service.remove())).rejects.toThrow(/LOG_WITNESSES: .*LOG_KEY is not set/);
  });
});
