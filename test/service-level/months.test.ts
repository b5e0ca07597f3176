import { createHash, createPublicKey, verify } from 'node:crypto';
import { recomputeMonth } from '@broker-transparency/client/verify/node';
import { parseVerifierKey } from '@broker-transparency/log';
import { readDayFile } from '@broker-transparency/service-level';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { createChain, deliveryHeaders } from '../support/prober.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';
import { BEGAN, chooseKind, generateMonth, listMonths, makeVoters, type ProberDay } from './generated-months.ts';
import { type Files, modelDay, modelFigures, type RegisteredProber } from './model.ts';

/**
 * 10 months, one of each kind, in the gate; 100 by `pnpm service-level:months`, and with SERVICE_LEVEL_FULL=yes every
 * minute of them.
 */
const MONTHS = Number(process.env['SERVICE_LEVEL_MONTHS'] ?? 10);
const FULL = process.env['SERVICE_LEVEL_FULL'] === 'yes' ? MONTHS : 0;
const PATIENCE = 300_000 + FULL * 120_000;
/** Some days after the last month: all can be sealed. */
const CLOCK = `${listMonths(MONTHS + 1).at(-1)}-10T12:00:00Z`;

const voters = makeVoters();
const registered: RegisteredProber[] = voters.map(({ prober: { name, verifierKey }, since, until: to }) => ({
  name,
  key: verifierKey,
  since,
  ...(to === undefined ? {} : { until: to }),
}));
const months = listMonths(MONTHS);

let service: LocalService;
let key: TestKey;
let scratch: Scratch;
let asCustomer: AsCustomer;
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await startService({ CLOCK });
  begunAt = Date.now();
  asCustomer = await grantCustomer(service, 'acme', 'institution');
  // Registered long ago: no command does that, since a vote is never retroactive.
  await inDatabase(service, async (db) => {
    await db
      .collection<{ _id: string }>('probers')
      .insertMany(registered.map(({ name, ...of }) => ({ _id: name, ...of })));
  });
}, PATIENCE);
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

let asked = 0;
/** Each address has a budget of its own. */
const address = (): string => `127.0.${1 + (Math.floor(asked++ / 250) % 250)}.1`;

const formatResultsUrl = (prober: string, date: string): string =>
  `${service.origin}/transparency/v1/service-level/results/${prober}/${date}`;

/** The time when the clock of the service began to run. */
let begunAt: number;
const serviceTime = (): Date => new Date(Date.parse(CLOCK) + Date.now() - begunAt);

/** Delivers a prober's day in its parts, and returns the file that the prober has. */
const deliver = async ({ voter: { prober }, date, parts, isDeleted }: ProberDay): Promise<string> => {
  let [file, head]: [string, string | null] = ['', null];
  for (const part of parts) {
    const chain = createChain(prober, part, head);
    [file, head] = [file + chain.text, chain.head];
    if (isDeleted) continue;
    const headers = deliveryHeaders(prober, date, chain.text, serviceTime());
    const { status, text } = await send(formatResultsUrl(prober.name, date), {
      body: chain.text,
      headers,
      from: address(),
    });
    if (status !== 200) throw new Error(`${prober.name} ${date}: ${status} ${text}`);
  }
  return file;
};

const AT_ONCE = 4;
const each = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
};

const listDates = (month: string): string[] =>
  Array.from({ length: 31 }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`).filter(
    (date) =>
      date >= BEGAN.slice(0, 10) && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date),
  );
const listProbedDates = (month: string, at: number): string[] => {
  const whole = listDates(month);
  if (at === 0) return whole;
  return at <= FULL ? whole : whole.slice(0, 2);
};
const findEnd = (at: number): string => `${listMonths(at + 2).at(-1)}-01T00:00Z`;

interface ExpectedMonth {
  readonly month: string;
  readonly kind: string;
  readonly figures: ReturnType<typeof modelFigures>;
  /** The figures if no file were lost. */
  readonly undeleted: ReturnType<typeof modelFigures>;
  readonly days: readonly ReturnType<typeof modelDay>[];
  /** The delivered lines, from which a customer recomputes. */
  readonly files: Files;
}
const expected: ExpectedMonth[] = [];
/** Files of the first month, for what is done to them below. */
let firstFiles: Files = new Map();

const deliverMonth = async (month: string, at: number): Promise<void> => {
  const minutes = at === 0 || at <= FULL ? 1440 : 20 + ((at * 7) % 23);
  const dates = listProbedDates(month, at);
  const made = generateMonth(voters, { seed: at, kind: chooseKind(at), dates, minutes });
  const [all, delivered] = [new Map<string, string>(), new Map<string, string>()];
  await each(made, async (one) => {
    const name = `${one.voter.prober.name}/${one.date}`;
    const file = await deliver(one);
    all.set(name, file);
    if (!one.isDeleted) delivered.set(name, file);
  });
  if (at === 0) firstFiles = delivered;
  const span = [at === 0 ? BEGAN : `${month}-01T00:00Z`, findEnd(at)] as const;
  expected.push({
    month,
    kind: chooseKind(at),
    files: delivered,
    figures: modelFigures(registered, delivered, span),
    undeleted: modelFigures(registered, all, span),
    days: [...dates.slice(0, 2), `${month}-28`]
      .filter((date) => date >= BEGAN.slice(0, 10))
      .map((date) => modelDay(registered, delivered, date)),
  });
};

const readEntry = async (path: string) => {
  const { status, text, json } = await send(`${service.origin}/transparency/v1/service-level/${path}`, {
    from: address(),
  });
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json<{ number: number; value: Record<string, unknown>; proof?: string }>();
};

describe('months of all kinds', () => {
  beforeAll(async () => {
    for (const [at, month] of months.entries()) await deliverMonth(month, at);
  }, PATIENCE);

  test(
    'months are reported as they stand before they are final',
    async () => {
      for (const { month, figures } of expected.filter((_, at) => at % 10 === 0)) {
        const report = (await asCustomer(`/service-level?month=${month}`)).json<Record<string, unknown>>();
        expect([month, report['isFinal'], report['figures']]).toEqual([month, false, figures]);
      }
    },
    PATIENCE,
  );

  test('results of a month are given out line by line as they were delivered', async () => {
    for (const [name, file] of firstFiles) {
      const [prober = '', date = ''] = name.split('/');
      expect((await send(formatResultsUrl(prober, date), { from: address() })).text).toBe(file);
    }
  });

  test(
    'months are sealed, reported and recomputed to the digit',
    async () => {
      succeeded(await service.cli('admin', 'job', 'run', 'service-level-seal'));
      await service.settle();
      expect(expected).toHaveLength(MONTHS);
      await each(expected, async ({ month, kind, figures, days }) => {
        const { number, value } = await readEntry(`months/${month}`);
        expect([kind, value]).toEqual([kind, { month, objectives: '2026-1', ...figures }]);
        const report = (await asCustomer(`/service-level?month=${month}`, { from: address() })).json<
          Record<string, unknown>
        >();
        expect(report).toMatchObject({ month, isFinal: true, entry: number, figures });
        for (const day of days) expect([kind, (await readEntry(`days/${day.date}`)).value]).toEqual([kind, day]);
      });
    },
    PATIENCE,
  );

  test(
    'customers recompute months from files and proofs alone',
    async () => {
      const signing = await startService({ ...service.data, LOG_KEY: key.file }); // with another clock nothing is signed
      await untilAllSigned(signing).finally(() => signing.close());
      for (const { month, kind, figures, files } of expected) {
        const texts = new Map([...files].map(([name, file]) => [`results/${name}.ndjson`, file]));
        const proofs = [`months/${month}`, ...listDates(month).map((date) => `days/${date}`)];
        await each(proofs, async (path) => {
          const { proof } = await readEntry(path);
          texts.set(`${path}.proof`, proof as string);
        });
        const found = await recomputeMonth({
          month,
          policy: createPolicy(key),
          files: { list: async () => [...texts.keys()], read: async (path) => texts.get(path) },
        });
        expect([kind, found.figures, found.problems, found.differences]).toEqual([kind, figures, [], []]);
      }
    },
    PATIENCE,
  );

  test('the generated months have all that can happen', () => {
    const of = (kind: string) => expected.filter((one) => one.kind === kind);
    expect(new Set(expected.map(({ kind }) => kind)).size).toBe(10);
    expect(new Set(expected.map(({ figures }) => figures.up)).size).toBeGreaterThan(MONTHS * 0.3);
    expect(expected[0]?.figures.minutes).toBe(1440);
    // A prober's day that is lost makes nothing better, and most often something worse.
    for (const { figures, undeleted } of expected) expect(figures.up).toBeLessThanOrEqual(undeleted.up);
    for (const { figures, undeleted } of of('deleted'))
      expect(figures.speeds.publicReads.count).toBeLessThan(undeleted.speeds.publicReads.count);
    expect(of('deleted').some(({ figures, undeleted }) => figures.up < undeleted.up)).toBe(true);
  });

  test('names a changed result of a month', async () => {
    const [[name, file] = ['', '']] = firstFiles;
    const prober = registered.find((one) => name.startsWith(`${one.name}/`)) as RegisteredProber;
    const lines = file.trimEnd().split('\n');
    const changed = lines.with(700, (lines[700] as string).replace('"ok":true', '"ok":false'));
    const { problems, results } = await readDayFile(
      changed.join('\n'),
      { key: parseVerifierKey(prober.key), date: name.slice(-10) },
      {
        sha256: (bytes) => Uint8Array.from(createHash('sha256').update(bytes).digest()),
        verify: (key, message, signature) => {
          const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
          return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
        },
      },
    );
    expect(problems.at(-1)).toMatchObject({ line: 701, why: expect.stringContaining('it was changed') });
    expect(results).toHaveLength(lines.length - 701);
    const files = new Map(firstFiles).set(name, `${changed.join('\n')}\n`);
    const date = name.slice(-10);
    expect(modelDay(registered, files, date).root).not.toBe(modelDay(registered, firstFiles, date).root);
  });
});
