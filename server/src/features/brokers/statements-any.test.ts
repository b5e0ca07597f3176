import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { type FormerFacts, findRunStatements, listStatements, listVersions } from '../../ledger/statements/record.ts';
import {
  collectCandidates,
  type StatementSource,
  selectStanding,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { closeDb, connectMongo, type Db, transaction } from '../../platform/mongo.ts';
import { findDriftedBrokers, importBrokersIn, planBroker, toStoredBroker, withdrawBrokers } from './actions.ts';
import { recordLicenseCheck } from './checks.ts';
import { expireLicenses } from './expiry.ts';
import { type KnownBroker, readKnownBrokers } from './known.ts';
import { overruleBroker } from './overrules.ts';
import { BrokerRecord, type BrokerState } from './record.rule.ts';
import { resolveBroker } from './resolve.rule.ts';
import { readStates } from './store.ts';

/** Number of sequences of each kind. `npx -y pnpm statements:any` tries more. */
const SEQUENCES = Number(process.env['STATEMENT_SEQUENCES'] ?? 5);

/** A sequence that fails is made smaller, which takes its time. */
vi.setConfig({ testTimeout: 240_000 + SEQUENCES * 4000 });

let database: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});

const day = (date: number, hour = 0): string => new Date(Date.UTC(2026, 10, date, hour)).toISOString();

/** The time of a step, whenever it is taken. */
const at = (time: string): Context => ({ actor: { type: 'system', name: 'test' }, clock: () => new Date(time), db });

const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };
const LIST: StatementSource = { kind: 'dataset', name: 'list' };
const MAP: StatementSource = { kind: 'dataset', name: 'map' };
const FCA: StatementSource = { kind: 'authority', name: 'fca' };
const REGISTERS = ['asic', 'vfsc'] as const;

const HOLDERS = ['Alpha Ltd', 'Alpha Island Ltd'];
const entities = HOLDERS.map((legalName) => ({ legalName, country: 'AU' }));

/** Fields of a row. Null takes back. */
type Fields = Readonly<Record<string, unknown>>;

/** A step of a story. It has numbers in place of the names of brokers. */
type Step = { readonly time: string } & (
  | {
      readonly does: 'import';
      readonly source: StatementSource;
      readonly asOf: string;
      readonly rows: readonly { readonly broker: number; readonly fields: Fields }[];
    }
  | {
      readonly does: 'check';
      readonly register: (typeof REGISTERS)[number];
      readonly asOf: string;
      readonly broker: number;
      readonly numbers: readonly string[];
      readonly status: (typeof LICENSE_STATUSES)[number];
      readonly newName: string | null;
      readonly complete: boolean;
    }
  | {
      readonly does: 'overrule';
      readonly broker: number;
      readonly source: StatementSource;
      readonly field: string;
      readonly ends: boolean;
    }
  | { readonly does: 'undo'; readonly step: number }
  | { readonly does: 'expire' }
);
type Of<D extends Step['does']> = Extract<Step, { does: D }>;

const NO_RECORD = BrokerRecord.parse({
  slug: 'x',
  name: 'x',
  legalName: 'x',
  website: 'https://x.example',
  country: 'AU',
});

/** Returns the claims of a row as the reader of a file makes them from known values. */
const createRow = (known: KnownBroker, fields: Fields, source: StatementSource) => {
  const given = new Set(Object.keys(fields));
  const takenBack = new Set([...given].filter((field) => fields[field] === null));
  const record = { ...NO_RECORD, ...toStoredBroker(known, given, source), ...fields, slug: known.subject.name };
  return { record: record as BrokerRecord, given, takenBack };
};

const importIn = async (c: TxContext, slugs: readonly string[], { source, asOf, rows }: Of<'import'>, run: string) => {
  const known = await readKnownBrokers(slugs, c.tx);
  const origin = { source, url: `https://${source.name}.example/`, credit: null, validFrom: null };
  const planned = rows.map(({ broker, fields }) => {
    const one = known.get(slugs[broker] as string) as KnownBroker;
    return planBroker(createRow(one, fields, source), one, { origin, asOf: new Date(asOf) });
  });
  await importBrokersIn(c, planned, { reason: `import:${run}`, cause: 'fact', run, batch: 1 });
};

const checkIn = async (c: TxContext, slug: string, step: Of<'check'>, run: string) => {
  const { register, asOf, numbers, status, newName, complete } = step;
  const known = (await readKnownBrokers([slug], c.tx)).get(slug);
  const licenses = (known?.state?.licenses ?? [])
    .filter((one) => one.regulatorCode === 'asic' && numbers.includes(one.referenceNumber))
    .map(({ _id, broker, ...compared }) => ({
      compared,
      status,
      statusEffectiveAt: asOf,
      ...(newName === null || newName === compared.entity.legalName ? {} : { newName }),
    }));
  if (licenses.length === 0) return;
  const source = { sourceUrl: `https://${register}.example/file`, attribution: `${register}, CC BY 4.0` };
  const check = { register, asOf, complete, source, licenses };
  await recordLicenseCheck(c, slug, check, { reason: `import:${run}`, cause: 'fact', run, batch: 1 });
};

let runs = 0;
/** Brokers and what has been done to them. */
const start = () => {
  const id = (++runs).toString(16).padStart(6, '0');
  return {
    slugs: [0, 1].map((broker) => `b${broker}-${id}`),
    formatRunId: (step: number) => `${id}${step.toString(16)}`,
  };
};
type World = ReturnType<typeof start>;

const take = async ({ slugs, formatRunId }: World, step: Step, number: number): Promise<void> => {
  const context = at(step.time);
  const findSlug = (broker: number) => slugs[broker] as string;
  if (step.does === 'import') await inTransaction(context, (c) => importIn(c, slugs, step, formatRunId(number)));
  if (step.does === 'check')
    await inTransaction(context, (c) => checkIn(c, findSlug(step.broker), step, formatRunId(number)));
  if (step.does === 'expire') await expireLicenses(context);
  if (step.does === 'undo')
    await inTransaction(context, async (c) => {
      const said = await findRunStatements(formatRunId(step.step), 1, c.tx);
      if (said.length > 0) await withdrawBrokers(c, said, `undo:${formatRunId(step.step)}`, async () => {});
    });
  if (step.does === 'overrule') {
    const reason = step.ends ? null : 'The file is wrong.';
    await overruleBroker(context, findSlug(step.broker), { ...step, reason }).catch((error: unknown) => {
      // the source says nothing of the field, or nobody else does and every broker needs it
      if (!(error instanceof DomainError) || !['not_found', 'invalid_input'].includes(error.code)) throw error;
    });
  }
};

const loadStates = ({ slugs }: World) => transaction(db, (tx) => readStates(slugs, tx));
const loadKnown = ({ slugs }: World) => transaction(db, (tx) => readKnownBrokers(slugs, tx));

/** Takes these steps. Returns every state that each broker went through; null: nothing is published. */
const takeAll = async (world: World, steps: readonly (readonly [Step, number])[]) => {
  const seen = new Map(world.slugs.map((slug) => [slug, [null] as (BrokerState | null)[]]));
  for (const [step, number] of steps) {
    await take(world, step, number);
    const states = await loadStates(world);
    for (const [slug, past] of seen) {
      const state = states.get(slug) ?? null;
      if (JSON.stringify(state) !== JSON.stringify(past.at(-1))) past.push(state);
    }
  }
  return seen;
};

/** Checks that each state that ended is kept, and that each change that ended one began the next. */
const expectChained = (known: KnownBroker, past: readonly (BrokerState | null)[], versions: readonly FormerFacts[]) => {
  const { facts, version: last } = known.subject;
  const ended = [...past.entries()].filter(([n, state]) => state !== null && n < past.length - 1);
  expect(versions.map(({ state }) => state)).toEqual(ended.map(([, state]) => state));
  const began = [...versions.map(({ since }) => since), facts];
  for (const [n, { since, until }] of versions.entries()) {
    const [next, place] = [began[n + 1] ?? null, ended[n]?.[0] ?? 0];
    expect(since?.version).toBeLessThan(until.version);
    if (past[place + 1] !== null) expect(next).toEqual(until);
    else if (next !== null) expect(next.version).toBeGreaterThan(until.version); // nothing was published in between
  }
  expect(facts === null).toBe(known.state === null);
  for (const { version } of began.filter((change) => change !== null)) expect(version).toBeLessThanOrEqual(last);
};

const expectSound = async (world: World, seen: ReadonlyMap<string, readonly (BrokerState | null)[]>) => {
  const [all, states] = [await loadKnown(world), await loadStates(world)];
  for (const [slug, known] of all) {
    const statements = await listStatements(db, known.subject._id);
    const counting = statements.filter(({ withdrawn }) => withdrawn === null);
    expect(states.get(slug) ?? null).toEqual(resolveBroker(known.subject, collectCandidates(counting)).state);
    const stands = statements.filter((one) => one.stands);
    expect(new Set(stands)).toEqual(selectStanding(counting));
    expect(new Set(statements.map(({ version }) => version)).size).toBe(statements.length);
    if (!known.isNew) expectChained(known, seen.get(slug) ?? [], await listVersions(db, known.subject._id));
  }
  expect(await transaction(db, (tx) => findDriftedBrokers(world.slugs, tx))).toEqual(new Set());
};

/** Returns the published states without the names of the brokers. */
const loadPublished = async (world: World): Promise<string[]> => {
  const states = await loadStates(world);
  return world.slugs.map((slug) => {
    const state = states.get(slug);
    return JSON.stringify(state ?? null)
      .replaceAll(slug, 'SLUG')
      .replaceAll(state?.profile.id ?? slug, 'ID');
  });
};

const numbers = fc.constantFrom('1', '2');
const days = fc.integer({ min: 1, max: 9 }).map((date) => day(date));
const status = fc.constantFrom(...LICENSE_STATUSES);
const held = fc.constantFrom('active' as const, 'active' as const, 'restricted' as const, 'suspended' as const);
const broker = fc.constantFrom(0, 0, 1);
/** Some are over before the first step, some during them, one never. */
const expiresAt = fc.constantFrom(day(3), day(8), day(10, 12), day(11, 12), day(28));

const generateLicense = (regulatorCode: string) => (referenceNumber: string, legalName: string) =>
  fc.record(
    {
      entity: fc.constant({ legalName }),
      regulatorCode: fc.constant(regulatorCode),
      referenceNumber: fc.constant(referenceNumber),
      type: fc.constant('authorisation'),
      status: held,
      statusEffectiveAt: fc.option(days),
      issuedAt: fc.constant(null),
      permissions: fc.constantFrom([], ['FX']),
      expiresAt,
      sourceUrl: fc.constant(`https://${regulatorCode}.example/${referenceNumber}`),
      lastVerifiedAt: fc.option(days),
    },
    { requiredKeys: [...LICENSE_KEYS] },
  );
const LICENSE_KEYS = [
  'entity',
  'regulatorCode',
  'referenceNumber',
  'type',
  'status',
  'statusEffectiveAt',
  'issuedAt',
  'permissions',
  'sourceUrl',
  'lastVerifiedAt',
] as const;
/** Both of the editors' licences, whatever is said of them. */
const bothLicenses = fc.tuple(
  generateLicense('asic')('1', 'Alpha Ltd'),
  generateLicense('asic')('2', 'Alpha Island Ltd'),
);
const anyLicenses = fc
  .uniqueArray(fc.tuple(fc.constantFrom('asic', 'fca'), numbers, fc.constantFrom(...HOLDERS, 'Beta Ltd')), {
    selector: String,
    maxLength: 3,
  })
  .chain((names) => fc.tuple(...names.map(([code, number, holder]) => generateLicense(code)(number, holder))));
const foreignLicenses = fc.tuple(generateLicense('fca')('9', 'Alpha Ltd'));

const NEEDED = {
  name: fc.constantFrom('Alpha', 'Alpha Group'),
  legalName: fc.constantFrom(...HOLDERS),
  website: fc.constant('https://alpha.example'),
  country: fc.constantFrom('AU', 'VU'),
};
const OPTIONAL = {
  foundedYear: fc.constantFrom(1999, 2001),
  description: fc.constantFrom('', 'A broker.'),
  tradingNames: fc.constantFrom([], ['A'], ['A', 'B']),
  lei: fc.constant('529900T8BM49AURSDO55'),
  status: fc.constantFrom('operating', 'inactive'),
  licensesCheckedAt: days,
  warnings: fc.subarray(
    ['a', 'b'].map((title) => ({
      source: 'FCA',
      url: `https://fca.example/${title}`,
      title,
      publishedAt: day(1),
      about: 'this_firm',
    })),
  ),
  provenance: fc.subarray(
    ['profile', 'licenses'].map((fact) => ({ fact, sourceUrl: 'https://asic.example/file', lastVerifiedAt: null })),
  ),
};
const orTakenBack = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, fc.option(value, { freq: 4 })]));
const some = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Fields> =>
  fc.record(fields, { requiredKeys: [] });
const generateRows = (fields: fc.Arbitrary<Fields>) =>
  fc.uniqueArray(fc.record({ broker, fields }), { selector: (row) => row.broker, minLength: 1, maxLength: 2 });

/**
 * Calm editors always have the same entities and licences, though in other states, and nobody else has licences of the
 * same regulator. So what a register can find in its file does not depend on what others said before.
 */
const editorsFields = (isCalm: boolean) =>
  isCalm
    ? some({ ...NEEDED, ...orTakenBack(OPTIONAL), licenses: bothLicenses })
    : some(orTakenBack({ ...NEEDED, ...OPTIONAL, entities: fc.subarray(entities), licenses: anyLicenses }));
const othersFields = (isCalm: boolean) =>
  some(
    orTakenBack({
      ...NEEDED,
      ...OPTIONAL,
      licenses: isCalm ? foreignLicenses : anyLicenses,
      ...(isCalm ? {} : { entities: fc.subarray(entities) }),
    }),
  );
const imports = (source: fc.Arbitrary<StatementSource>, fields: fc.Arbitrary<Fields>) =>
  fc.record({ does: fc.constant('import' as const), source, asOf: days, rows: generateRows(fields) });

/** Everything but its time, and what depends on the steps before. */
const steps = (isCalm: boolean) =>
  fc.oneof(
    { weight: 3, arbitrary: imports(fc.constant(EDITOR), editorsFields(isCalm)) },
    { weight: 4, arbitrary: imports(fc.constantFrom(LIST, MAP, FCA), othersFields(isCalm)) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('check' as const),
        register: fc.constantFrom(...REGISTERS),
        later: fc.constantFrom(0, 1),
        broker,
        numbers: fc.subarray(['1', '2'], { minLength: 1 }),
        status,
        newName: fc.option(fc.constantFrom('Beta Ltd', ...HOLDERS), { freq: 2 }),
        complete: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('overrule' as const),
        nth: fc.nat(),
        ends: fc.integer({ min: 0, max: 2 }).map((n) => n === 0),
      }),
    },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('undo' as const), nth: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('expire' as const) }) },
  );

/** Both brokers, as the editors' sheet has them first. */
const sheets = fc
  .tuple(...[0, 1].map(() => fc.record({ ...NEEDED, entities: fc.constant(entities), licenses: bothLicenses })))
  .map(
    (rows): Step => ({
      time: day(10),
      does: 'import',
      source: EDITOR,
      asOf: day(1),
      rows: rows.map((fields, one) => ({ broker: one, fields })),
    }),
  );

type Overrulable = Pick<Of<'overrule'>, 'broker' | 'source' | 'field'>;
/**
 * Returns the values of a step that editors can overrule. If calm, without those that depend on the day of the check.
 */
const overrulable = (step: Step, isCalm: boolean): Overrulable[] => {
  const formatStatusField = (number: string) => `licenses.asic ${number} ${HOLDERS[Number(number) - 1]}.status`;
  const is = (source: StatementSource, of: number, fields: readonly string[]) =>
    fields.map((field) => ({ broker: of, source, field }));
  if (step.does === 'import' && step.source !== EDITOR)
    return step.rows.flatMap((row) => is(step.source, row.broker, Object.keys(row.fields)));
  if (step.does === 'check')
    return is({ kind: 'register', name: step.register }, step.broker, [
      ...step.numbers.map(formatStatusField),
      'legalName',
    ]);
  if (step.does === 'expire' && !isCalm)
    return [0, 1].flatMap((of) => is({ kind: 'calendar', name: 'calendar' }, of, ['1', '2'].map(formatStatusField)));
  return [];
};
const listOverrules = (step: Step): Overrulable[] => (step.does === 'overrule' ? [step] : []);

/** Gives each step its time, and what it needs of those before. A calm undo leaves the first sheet alone. */
const sequences = (isCalm: boolean): fc.Arbitrary<Step[]> =>
  fc.tuple(sheets, fc.array(steps(isCalm), { minLength: 6, maxLength: 12 })).map(([sheet, rest]) => {
    const all: Step[] = [sheet];
    let checked = 1;
    for (const one of rest) {
      const time = day(10, all.length * 4);
      if (one.does === 'check') {
        const { later, ...check } = one;
        checked += later;
        all.push({ ...check, time, asOf: day(checked) });
      } else if (one.does === 'undo') {
        const runsBefore = all.flatMap(({ does }, n) => (does === 'import' || does === 'check' ? [n] : []));
        const undoable = isCalm ? runsBefore.slice(1) : runsBefore;
        const step = undoable[one.nth % undoable.length];
        if (step !== undefined) all.push({ does: 'undo', time, step });
      } else if (one.does === 'overrule') {
        const { does, nth, ends } = one;
        const about = all.flatMap((before) => (ends ? listOverrules(before) : overrulable(before, isCalm)));
        const said = about[nth % about.length];
        if (said) all.push({ ...said, does, time, ends });
      } else all.push({ ...one, time });
    }
    return all;
  });

const inOrder = (sequence: readonly Step[]) => sequence.map((step, n) => [step, n] as const);
const EXPIRY: Step = { does: 'expire', time: day(20) };

test('any sequence of actions publishes what its statements say, and leaves versions without gaps', async () => {
  await fc.assert(
    fc.asyncProperty(sequences(false), async (sequence) => {
      const world = start();
      const seen = await takeAll(world, inOrder(sequence));
      await expectSound(world, seen);
    }),
    { seed: 20_261_201, numRuns: SEQUENCES },
  );
});

/**
 * Returns the sources whose order matters to a step: its own, the registers as one, and the source that it overrules.
 */
const listSpeakers = (sequence: readonly Step[], step: Step): string[] => {
  const speaker = (source: StatementSource) => (source.kind === 'register' ? 'registers' : sourceKey(source));
  if (step.does === 'import') return [speaker(step.source)];
  if (step.does === 'check') return ['registers'];
  if (step.does === 'expire') return ['calendar'];
  if (step.does === 'overrule') return [speaker(EDITOR), speaker(step.source)];
  return listSpeakers(sequence, sequence[step.step] as Step);
};

/** Mixes steps, but leaves the first one, and those of each speaker, in their order. */
const mixed = (sequence: readonly Step[], keys: readonly number[]): (readonly [Step, number])[] => {
  const waiting = inOrder(sequence).map(([step, number]) => ({ step, number, speakers: listSpeakers(sequence, step) }));
  const order = waiting.splice(0, 1);
  while (waiting.length > 0) {
    const isReady = ({ number, speakers }: (typeof waiting)[number]) =>
      !waiting.some((one) => one.number < number && one.speakers.some((speaker) => speakers.includes(speaker)));
    const [next] = waiting.filter(isReady).toSorted((a, b) => (keys[a.number] ?? 0) - (keys[b.number] ?? 0));
    order.push(...waiting.splice(waiting.indexOf(next as (typeof waiting)[number]), 1));
  }
  return order.map(({ step, number }) => [step, number]);
};

test('the same actions publish the same to the byte, however those of several sources are mixed', async () => {
  await fc.assert(
    fc.asyncProperty(sequences(true), fc.array(fc.nat(), { minLength: 13, maxLength: 13 }), async (sequence, keys) => {
      const orders = [inOrder(sequence), mixed(sequence, keys)];
      const published: string[][] = [];
      for (const order of orders) {
        const world = start();
        // the calendar's claims depend on the day on which it is asked, so it is asked once more
        await expectSound(world, await takeAll(world, [...order, [EXPIRY, sequence.length]]));
        published.push(await loadPublished(world));
      }
      expect(published[1]).toEqual(published[0]);
    }),
    { seed: 20_261_202, numRuns: SEQUENCES },
  );
});

test('a withdrawal can be refused by the names of the brokers that would go, and writes nothing then', async () => {
  const world = start();
  const [kept, gone] = world.slugs as [string, string];
  const needed = { name: 'Alpha', legalName: 'Alpha Ltd', website: 'https://alpha.example', country: 'AU' };
  const states = (source: StatementSource, brokers: readonly number[]): Step => ({
    time: day(10),
    does: 'import',
    source,
    asOf: day(1),
    rows: brokers.map((one) => ({ broker: one, fields: needed })),
  });
  await takeAll(world, inOrder([states(EDITOR, [0, 1]), states(LIST, [0])]));
  const before = await loadPublished(world);
  const withdraw = (refuse: (slugs: readonly string[]) => Promise<void>) =>
    inTransaction(at(day(11)), async (c) =>
      withdrawBrokers(
        c,
        await findRunStatements(world.formatRunId(0), 1, c.tx),
        `undo:${world.formatRunId(0)}`,
        refuse,
      ),
    );
  const asked: (readonly string[])[] = [];
  const refusal = new DomainError('state_conflict', 'It is in use.');
  const refused = withdraw(async (slugs) => {
    asked.push(slugs);
    throw refusal;
  });
  await expect(refused).rejects.toBe(refusal);
  expect([asked, await loadPublished(world)]).toEqual([[[gone]], before]);
  await withdraw(async () => {});
  expect([...(await loadStates(world)).keys()]).toEqual([kept]);
});

test.each<[string, readonly Fields[]]>([
  ['new', []],
  ['known', [{ name: 'Alpha Before', country: 'VU', entities, licenses: [] }]],
])('eight sources that speak of one %s broker at the same time are all heard', async (_, before) => {
  const needed = { name: 'Alpha', legalName: 'Alpha Ltd', website: 'https://alpha.example', country: 'AU' };
  const sources: StatementSource[] = [
    ...[EDITOR, LIST, MAP, FCA],
    { kind: 'authority', name: 'vfsc' },
    { kind: 'register', name: 'asic' },
    { kind: 'broker', name: 'alpha' },
    { kind: 'reference', name: 'reference' },
  ];
  const said = (source: StatementSource, n: number): Fields => ({
    ...needed,
    description: `as ${source.name} says`,
    foundedYear: 1990 + n,
    warnings: [
      { source: 'FCA', url: `https://fca.example/${n % 3}`, title: `${n}`, publishedAt: day(1), about: 'this_firm' },
    ],
  });
  const steps = (worlds: readonly World[], all: readonly Step[], first: number) =>
    Promise.all(worlds.flatMap((world) => all.map((step, n) => take(world, step, first + n))));
  const createImport = (source: StatementSource, fields: Fields, n: number): Step => ({
    time: day(10),
    does: 'import',
    source,
    asOf: day(1 + n),
    rows: [{ broker: 0, fields }],
  });
  const worlds = Array.from({ length: 4 }, start);
  await steps(
    worlds,
    before.map((fields) => createImport(EDITOR, { ...needed, ...fields }, 0)),
    0,
  );
  await steps(
    worlds,
    sources.map((source, n) => createImport(source, said(source, n), n)),
    1,
  );
  for (const world of worlds) {
    const known = (await loadKnown(world)).get(world.slugs[0] as string) as KnownBroker;
    const statements = await listStatements(db, known.subject._id);
    expect(statements.map(({ version }) => version)).toEqual(
      Array.from({ length: before.length + sources.length }, (_, n) => n + 1),
    );
    expect(new Set(statements.map(({ source }) => sourceKey(source)))).toEqual(new Set(sources.map(sourceKey)));
    expect(known.state).toEqual(resolveBroker(known.subject, collectCandidates(statements)).state);
    expect(known.state?.profile).toMatchObject({ name: 'Alpha', description: 'as editor says', foundedYear: 1990 });
    expect(known.state?.profile.warnings.map(({ title }) => title).toSorted()).toEqual(['3', '4', '5']);
    const versions = await listVersions(db, known.subject._id);
    expect([...versions.slice(1).map(({ since }) => since), known.subject.facts]).toEqual(
      versions.length === 0 ? [known.subject.facts] : versions.map(({ until }) => until),
    );
  }
  expect(
    await transaction(db, (tx) =>
      findDriftedBrokers(
        worlds.flatMap(({ slugs }) => slugs),
        tx,
      ),
    ),
  ).toEqual(new Set());
});
