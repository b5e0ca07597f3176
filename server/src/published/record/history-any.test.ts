import { type BrokerHistory, METHODOLOGY_VERSION } from '@broker-transparency/contract';
import type { LicenseValue, QueryTimes, RegulatorValue } from '@broker-transparency/contract/record';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import * as fc from 'fast-check';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ChangePlace, findChangeEnd, findChangeStart } from '../../ledger/record/entry.rule.ts';
import { closeDb, connectMongo, type Db, database as databaseOf } from '../../platform/mongo.ts';
import { readChanges } from './changes.ts';
import { readBrokerAt, readHistory, toEntryView } from './history.ts';
import {
  createRatingSums,
  findBrokerAt,
  findWinners,
  listMergedSubjects,
  parseValue,
  type RecordedEntry,
  scoreAt,
} from './scores.rule.ts';
import type { StepsQuery } from './steps.ts';
import { growSubtotals, proveSubtotals } from './subtotals.ts';

/** Number of stories. Each is asked hundreds of questions. */
const STORIES = Number(process.env['HISTORY_STORIES'] ?? 2);

/** A story that fails is made smaller, which takes its time. */
vi.setConfig({ testTimeout: 240_000 + STORIES * 10_000 });

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch?.remove();
});

const BROKERS = ['alpha', 'beta', 'gamma'] as const;
const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const active = [{ legalName: 'Alpha Ltd', type: 'authorisation', status: 'active', activeSince: '2015-01-01' }];
const values = {
  review: fc.record({
    rating: fc.constantFrom(1, 2.25, 3.5, 5),
    month: fc.constantFrom('2025-06', '2025-12', '2026-01'),
    state: fc.constantFrom('published', 'published', 'removed', 'withheld', 'withdrawn', 'erased', 'unverified'),
  }),
  broker: fc.record({
    slug: fc.constantFrom('alpha', 'alpha-2'),
    status: fc.constant('operating'),
    checked: fc.constantFrom(true, true, true, false),
    entities: fc.constant([{ legalName: 'Alpha Ltd', country: 'GB', retailClients: true }]),
    checklist: fc.constant([]),
    merged: fc.constantFrom(undefined, ['beta'], ['beta', 'gamma'], ['gamma']),
  }),
  license: fc.record({ holders: fc.constantFrom([], active) }),
  warning: fc.record({ about: fc.constantFrom('this_firm', 'clone_of_it') }),
  complaints: fc.record({
    months: fc.constantFrom([], [{ month: '2025-12', closed: 4, resolved: 1, timely: 2 }]),
  }),
  regulator: fc.record({ tier: fc.constantFrom(1, 2, 3) }),
} as const;
type Kind = keyof typeof values;

/** Kinds whose entries can begin before they were written, and can end. */
const ENDING: readonly Kind[] = ['broker', 'license', 'warning', 'regulator'];

const ofKind = <K extends Kind>(kind: K) =>
  fc.record({
    kind: fc.constant(kind),
    broker: fc.constantFrom(BROKERS[0], ...BROKERS),
    name: fc.constantFrom('1', '2', '3', '4', '5'),
    regulator: fc.constantFrom('fca', 'asic'),
    value: fc.option(values[kind] as fc.Arbitrary<object>, { freq: 8 }),
    hours: fc.constantFrom(0, 0, 0, 1, 5, 30, 400),
    cause: fc.constantFrom('fact', 'undo'),
    validFrom: fc.option(fc.integer({ min: -900, max: 200 }), { nil: undefined }),
    validTo: fc.option(fc.integer({ min: 1, max: 2000 }), { nil: undefined, freq: 6 }),
    /** True: it belongs to the change before, if that has its time and says nothing of its key. */
    isJoined: fc.boolean(),
    /** So many reviews more at the same time, as an import writes them. */
    more: fc.constantFrom(...Array.from({ length: 30 }, () => 0), 200),
  });
type Event = ReturnType<typeof ofKind> extends fc.Arbitrary<infer T> ? T : never;

const story = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: ofKind('review') },
    { weight: 2, arbitrary: ofKind('broker') },
    ofKind('license'),
    ofKind('warning'),
    ofKind('complaints'),
    ofKind('regulator'),
  ),
  { minLength: 60, maxLength: 160 },
);

const findPlace = ({ kind, broker, name, regulator }: Event) => {
  const subject = `broker/${broker}`;
  const places: Record<Kind, { key: string; subject: string; also?: object }> = {
    review: { key: `review/${broker}-${name}`, subject },
    broker: { key: subject, subject },
    license: { key: `license/${broker}/${regulator}/1`, subject, also: { regulator } },
    warning: { key: `warning/${broker}/1`, subject },
    complaints: { key: `complaints/${broker}`, subject },
    regulator: { key: `regulator/${regulator}`, subject: `regulator/${regulator}`, also: { code: regulator } },
  };
  return places[kind];
};

type StoredEntry = RecordedEntry & { readonly sequence: number };

/** Writes a story as the record has it: it begins with the methodology, which changes once. */
const writeStory = (events: readonly Event[]): StoredEntry[] => {
  const changes: Omit<StoredEntry, 'changeIndex' | 'changeSize'>[][] = [];
  let now = START;
  const add = (one: Omit<RecordedEntry, 'number' | 'time' | keyof ChangePlace>, isJoined = false): void => {
    const entries = changes.flat();
    const sequence = entries.filter(({ key }) => key === one.key).length;
    const entry = { ...one, number: entries.length, time: new Date(now).toISOString(), sequence };
    const last = changes.at(-1);
    const isPart = isJoined && last?.[0]?.time === entry.time && !last.some(({ key }) => key === one.key);
    if (isPart) last.push(entry);
    else changes.push([entry]);
  };
  const addMethodology = (name: string): void => {
    const key = `methodology/${name}`;
    const value = JSON.stringify({ version: METHODOLOGY_VERSION, sha256: '' });
    add({ key, subject: key, kind: 'methodology', cause: 'methodology', value });
  };
  addMethodology('first');
  const alpha = { slug: 'alpha', status: 'operating', checked: true, checklist: [] };
  const profile = JSON.stringify({
    ...alpha,
    entities: [{ legalName: 'Alpha Ltd', country: 'GB', retailClients: true }],
  });
  add({ key: 'broker/alpha', subject: 'broker/alpha', kind: 'broker', cause: 'fact', value: profile });
  for (const [at, event] of events.entries()) {
    const { kind, value, hours, validFrom, validTo, more, regulator, isJoined } = event;
    const cause = kind === 'review' && at < 15 ? 'start' : event.cause;
    now += hours * HOUR;
    if (at === 40) addMethodology('second');
    if (at % 25 === 0) {
      const subject = `regulator/${regulator}`;
      add({ key: `check/${regulator}/${at}`, subject, kind: 'check', cause: 'check', value: '{"unconfirmed":[]}' });
    }
    const { key, subject, also } = findPlace(event);
    const begin = kind === 'complaints' ? Math.floor(now / (24 * HOUR)) * 24 * HOUR : START + (validFrom ?? 0) * HOUR;
    const times = {
      ...(kind === 'complaints' || (validFrom !== undefined && ENDING.includes(kind))
        ? { validFrom: new Date(begin).toISOString() }
        : {}),
      ...(validTo !== undefined && ENDING.includes(kind)
        ? { validTo: new Date(START + validTo * HOUR).toISOString() }
        : {}),
    };
    const { merged } = (value ?? {}) as { readonly merged?: readonly string[] };
    const others = merged && { merged: merged.filter((one) => one !== event.broker) };
    const said = JSON.stringify(value && { ...value, ...others, ...also });
    add({ key, subject, kind, cause, ...times, value: said }, isJoined);
    if (kind === 'review')
      for (let n = 0; n < more; n++)
        add({ key: `${key}-${at}-${n}`, subject, kind, cause, value: JSON.stringify(value) }, n % 9 !== 0);
  }
  return changes.flatMap((change) =>
    change.map((entry, changeIndex) => ({ ...entry, changeIndex, changeSize: change.length })),
  );
};

const fill = async (entries: readonly StoredEntry[], from: number, to: number): Promise<void> => {
  const [rows, last] = [entries.slice(from, to), entries[to - 1]];
  if (rows.length === 0 || !last) return;
  const mongo = databaseOf(db);
  await mongo.collection('recordEntries').insertMany(rows.map((row) => ({ ...row, change: new Types.ObjectId() })));
  const head = { $set: { next: to, time: last.time } };
  await mongo.collection('recordHeads').updateOne({ _id: 'record' as never }, head, { upsert: true });
};

const empty = async (): Promise<void> => {
  for (const name of ['recordEntries', 'recordHeads', 'recordSubtotals'])
    await databaseOf(db).collection(name).deleteMany({});
};

// The same answers from all entries, without any subtotal.

const findMoment = (entries: readonly RecordedEntry[], times: QueryTimes) => {
  const regulators = findWinners(
    entries.filter(({ kind }) => kind === 'regulator'),
    times,
  );
  const tiers = new Map(
    regulators.map(({ value }) => [(value as RegulatorValue).code, (value as RegulatorValue).tier]),
  );
  return { regulators, tiers, version: METHODOLOGY_VERSION };
};

const scoreAtMoment = (entries: readonly RecordedEntry[], subject: string, times: QueryTimes) => {
  const own = entries.filter((entry) => entry.subject === subject);
  const merged = entries.filter((entry) => entry.subject !== subject && entry.subject.startsWith('broker/'));
  const moment = findMoment(entries, times);
  const scored = scoreAt({ own, merged, sumRatings: createRatingSums(entries, times), ...moment }, times);
  return scored && { ...scored, ...moment };
};

const listRegulators = (found: readonly { kind: string; value: unknown }[]): Set<string> =>
  new Set(found.filter(({ kind }) => kind === 'license').map(({ value }) => (value as LicenseValue).regulator));

/** Entries that the history of a broker follows from, but for the methodology. */
const selectTimeline = (entries: readonly RecordedEntry[], subject: string): RecordedEntry[] => {
  const own = entries.filter((entry) => entry.subject === subject);
  const counted = new Set([subject]);
  for (const { number, time } of own) {
    const profile = findBrokerAt(own, { knownAt: number, validAt: time });
    if (profile) for (const one of listMergedSubjects(profile)) counted.add(one);
  }
  const said = own.flatMap((one) => findWinners([one], { knownAt: one.number, validAt: one.time }));
  const codes = listRegulators(said);
  return entries.filter(
    (entry) =>
      entry.kind !== 'check' && (counted.has(entry.subject) || codes.has(entry.subject.replace('regulator/', ''))),
  );
};

const wholeHistory = (entries: readonly RecordedEntry[], slug: string, { from, before, per, limit }: StepsQuery) => {
  const subject = `broker/${slug}`;
  const first = entries.find((entry) => entry.subject === subject) as RecordedEntry;
  const timeline = new Set(selectTimeline(entries, subject));
  const steps = entries.filter(
    (entry) => entry.number >= findChangeStart(first) && (timeline.has(entry) || entry.kind === 'methodology'),
  );
  const changes = [...Map.groupBy(steps, findChangeStart).values()];
  const length = { entry: 0, day: 10, month: 7 }[per];
  const lasts =
    length === 0 ? changes : [...new Map(changes.map((change) => [change[0]?.time.slice(0, length), change])).values()];
  const isEndedBefore = (number: number) => (change: RecordedEntry[]) => (change.at(-1)?.number ?? -1) < number;
  const least = lasts.filter(isEndedBefore(from)).length;
  const end = before === undefined ? least + limit : lasts.filter(isEndedBefore(before)).length;
  const start = before === undefined ? least : Math.max(least, end - limit);
  const page = lasts.slice(start, end);
  const data = page.map((change) => {
    const entry = change.at(-1) as RecordedEntry;
    const whole = { knownAt: findChangeEnd(entry) - 1, validAt: entry.time };
    const score = scoreAtMoment(entries, subject, whole)?.score;
    const said = change.map(({ number, key }) => ({ number, key }));
    return { ...toEntryView(entry), entries: said, value: score?.value ?? null, color: score?.color ?? 'gray' };
  });
  const begin = page[0]?.[0]?.number;
  const hasOlder = start > (before === undefined ? 0 : least);
  const previous = begin === undefined ? (before === undefined ? from : null) : hasOlder ? begin : null;
  return { slug, since: first.time, data, next: lasts[end]?.[0]?.number ?? null, previous };
};

/** Compares a history with the one that follows from all entries. Several numbers can name the next end of a period. */
const compareHistory = async (entries: readonly RecordedEntry[], slug: string, part: StepsQuery) => {
  const expected = wholeHistory(entries, slug, part);
  const { next, ...rest } = expected;
  const { next: named, ...found } = await readHistory(db, slug, part);
  const where = JSON.stringify({ slug, ...part, next, named });
  expect(found, where).toEqual(rest);
  if (part.per === 'entry' || part.before === undefined || next === null) expect(named, where).toBe(next);
  else {
    const following = await readHistory(db, slug, { per: part.per, from: named as number, limit: 1 });
    expect(following.data[0]?.entries[0]?.number, where).toBe(next);
  }
  return expected;
};

/** Reads a history by pages, forwards and backwards, and compares both with all its steps. */
const comparePages = async (
  entries: readonly RecordedEntry[],
  slug: string,
  { per, limit }: Pick<StepsQuery, 'per' | 'limit'>,
) => {
  const { data } = wholeHistory(entries, slug, { from: 0, per, limit: entries.length });
  const [onwards, back]: BrokerHistory['data'][] = [[], []];
  for (let from: number | null = 0; from !== null; ) {
    const page: BrokerHistory = await readHistory(db, slug, { from, per, limit });
    onwards?.push(...page.data);
    from = page.next;
  }
  for (let before: number | null = entries.length; before !== null; ) {
    const page: BrokerHistory = await readHistory(db, slug, { from: 0, before, per, limit });
    back?.unshift(...page.data);
    before = page.previous;
  }
  expect(onwards, `${slug} per ${per}, ${limit} at a time`).toEqual(data);
  expect(back, `${slug} per ${per}, ${limit} at a time, backwards`).toEqual(data);
};

const findWhole = (entries: readonly RecordedEntry[], slug: string, times: QueryTimes) => {
  const found = scoreAtMoment(entries, `broker/${slug}`, times);
  if (!found) return undefined;
  const codes = listRegulators(found.winners);
  const regulators = found.regulators.filter(({ value }) => codes.has((value as RegulatorValue).code));
  const facts = [...found.winners, ...regulators].sort((a, b) => a.entry.number - b.entry.number);
  return {
    slug: found.slug,
    ...times,
    score: found.score,
    facts: facts.map(({ entry, value }) => ({ ...toEntryView(entry), value })),
    ratingsByMonth: found.ratingsByMonth,
    complaintsByMonth: found.complaintsByMonth,
  };
};

const findEnd = (change: readonly RecordedEntry[]): number => findChangeEnd(change[0] as RecordedEntry);

const wholeChanges = (entries: readonly RecordedEntry[], slug: string, from: number, limit: number) => {
  const subject = `broker/${slug}`;
  const first = entries.find((entry) => entry.subject === subject) as RecordedEntry;
  const timeline = new Set(selectTimeline(entries, subject));
  const counted = entries.filter((entry) => timeline.has(entry) || entry.kind === 'methodology');
  const all = [...Map.groupBy(counted, findChangeStart).values()];
  const looked = all.filter((change) => (change.at(-1)?.number ?? -1) >= from && findEnd(change) > first.number);
  const short = (knownAt: number, validAt: string) => {
    const score = scoreAtMoment(entries, subject, { knownAt, validAt })?.score;
    return score ? { value: score.value, color: score.color } : null;
  };
  const data: object[] = [];
  let at = 0;
  for (; at < looked.length && at < limit * 4 && data.length < limit; at++) {
    const change = looked[at] as RecordedEntry[];
    const [{ time, ...begin }] = change as [RecordedEntry];
    const score = { before: short(findChangeStart({ ...begin }) - 1, time), after: short(findEnd(change) - 1, time) };
    for (const entry of change) {
      const isLicense = entry.kind === 'license' && entry.subject === subject;
      const former = entries.findLast(({ key, number }) => key === entry.key && number < entry.number);
      const license = { before: former ? parseValue(former) : null, after: parseValue(entry) };
      if (isLicense || JSON.stringify(score.before) !== JSON.stringify(score.after))
        data.push({ ...toEntryView(entry), score, ...(isLicense ? { license } : {}) });
    }
  }
  return { slug, since: first.time, knownAt: entries.length - 1, data, next: looked[at]?.[0]?.number ?? null };
};

/** Numbers of answers that say something. */
const said = { scores: 0, pages: 0, facts: 0, changes: 0 };

/** Compares answers about each broker with those that follow from all entries. */
const compare = async (entries: readonly RecordedEntry[], random: () => number): Promise<void> => {
  const below = (count: number): number => Math.floor(random() * count);
  const asked = BROKERS.filter((slug) => entries.some(({ subject }) => subject === `broker/${slug}`));
  for (const slug of asked) {
    for (const per of ['entry', 'day', 'month'] as const)
      for (let n = 0; n < (per === 'entry' ? 3 : 6); n++) {
        const from = n === 0 ? 0 : below(entries.length);
        const before = n % 2 === 0 ? undefined : from + 1 + below(entries.length + 50);
        const part = { from, before, per, limit: n === 0 ? 100 : 1 + below(9) };
        const expected = await compareHistory(entries, slug, part);
        said.pages += expected.next === null ? 0 : 1;
        said.scores += expected.data.filter(({ value }) => value !== null).length;
      }
    for (const per of ['entry', 'day', 'month'] as const)
      await comparePages(entries, slug, { per, limit: 5 + below(5) });
    for (let n = 0; n < 8; n++) {
      const knownAt = below(entries.length);
      const near =
        Date.parse((entries[below(entries.length)] as RecordedEntry).time) + (below(3) - 1) * below(100) * HOUR;
      const validAt = new Date(n % 3 === 0 ? near + 1e12 : near).toISOString();
      const end = findChangeEnd(entries[knownAt] as RecordedEntry) - 1;
      const expected = findWhole(entries, slug, { knownAt: end, validAt });
      const actual = await readBrokerAt(db, slug, { knownAt, validAt }, new Date()).catch(() => undefined);
      expect(actual, JSON.stringify({ slug, knownAt, validAt })).toEqual(expected);
      said.facts += expected?.facts.length ?? 0;
    }
    for (let n = 0; n < 2; n++) {
      const [from, limit] = [n === 0 ? 0 : below(entries.length), 1 + below(20)];
      const expected = wholeChanges(entries, slug, from, limit);
      expect(await readChanges(db, slug, { from, limit }), JSON.stringify({ slug, from, limit })).toEqual(expected);
      said.changes += expected.data.length;
    }
  }
};

test('answers from subtotals are those that follow from all entries, also while some are in no subtotal yet', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(100), fc.nat(100), fc.nat(), async (events, share, other, seed) => {
      const entries = writeStory(events);
      const random = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { seed, numRuns: 400 });
      let drawn = 0;
      const draw = () => random[drawn++ % random.length] as number;
      const cuts = [share, other].toSorted((a, b) => a - b).map((part) => Math.floor((entries.length * part) / 100));
      const [first, second] = cuts as [number, number];
      await empty();
      await fill(entries, 0, first);
      await growSubtotals(db);
      await fill(entries, first, second);
      await growSubtotals(db);
      await fill(entries, second, entries.length);
      await compare(entries, draw);
      await growSubtotals(db);
      await compare(entries, draw);
      expect((await proveSubtotals(db, false)).different).toEqual([]);
    }),
    { seed: 20_261_125, numRuns: STORIES, endOnFailure: true },
  );
  expect(said.scores).toBeGreaterThan(STORIES * 100);
  for (const count of Object.values(said)) expect(count).toBeGreaterThan(STORIES * 5);
});

test('a day that continues with another broker after the last number has no step', async () => {
  await empty();
  const quiet = {
    name: '1',
    regulator: 'fca',
    cause: 'fact',
    validFrom: undefined,
    validTo: undefined,
    more: 0,
  } as const;
  const review = { rating: 5, month: '2026-01', state: 'published' };
  const profile = { slug: 'alpha', status: 'operating', checked: true, entities: [], checklist: [], merged: ['beta'] };
  const entries = writeStory([
    { ...quiet, kind: 'broker', broker: 'alpha', value: profile, hours: 0 },
    { ...quiet, kind: 'review', broker: 'alpha', value: review, hours: 30 },
    { ...quiet, kind: 'review', broker: 'beta', value: review, hours: 30 },
    { ...quiet, kind: 'review', broker: 'alpha', value: { ...review, rating: 1 }, hours: 1 },
  ] as unknown as Event[]);
  await fill(entries, 0, entries.length);
  await growSubtotals(db);
  for (let before = 1; before <= entries.length + 1; before++) {
    const part = { from: 0, before, per: 'day', limit: 2 } as const;
    await compareHistory(entries, 'alpha', part);
  }
});

test('a wrong, missing or stray subtotal is found, and made anew', async () => {
  await empty();
  const events = fc.sample(story, { seed: 20_261_126, numRuns: 1 })[0] as Event[];
  const entries = writeStory(events);
  await fill(entries, 0, entries.length);
  await growSubtotals(db);
  const subtotals = databaseOf(db).collection<{ _id: string; subject?: string; number: number }>('recordSubtotals');
  const all = () => subtotals.find().sort({ _id: 1 }).toArray();
  const right = await all();
  const settled = right.find(({ _id }) => _id.startsWith('broker/alpha ')) as (typeof right)[number];
  const { _id, ...fields } = settled;
  for (const [name, spoil] of Object.entries({
    wrong: () => subtotals.updateOne({ _id }, { $set: { sums: '[["2025-06",9,9,9,9,0,0,0,0]]' } as object }),
    missing: () => subtotals.deleteOne({ _id }),
    'without its last': () => subtotals.deleteOne({ _id: 'broker/alpha' }),
    'of another number': () => subtotals.insertOne({ ...fields, _id: `${_id}1`, number: settled.number + 1 }),
    'of nobody': () => subtotals.insertOne({ ...fields, _id: 'broker/nobody', subject: 'broker/nobody' }),
    'all gone': () => subtotals.deleteMany({ subject: { $exists: true } }),
  })) {
    await spoil();
    const { different } = await proveSubtotals(db, false);
    expect([name, different.length > 0]).toEqual([name, true]);
    expect(await proveSubtotals(db, true)).toMatchObject({ different });
    expect((await proveSubtotals(db, false)).different, name).toEqual([]);
    expect(await all(), name).toEqual(right);
  }
});

test('subtotals beyond the end of the record, as a restore by other tools leaves them, are made anew', async () => {
  await empty();
  const entries = writeStory(fc.sample(story, { seed: 20_261_127, numRuns: 1 })[0] as Event[]);
  await fill(entries, 0, entries.length);
  await growSubtotals(db);
  const half = Math.floor(entries.length / 2);
  const mongo = databaseOf(db);
  await mongo.collection('recordEntries').deleteMany({ number: { $gte: half } });
  await mongo.collection('recordHeads').updateOne({}, { $set: { next: half, time: entries[half - 1]?.time } });
  await growSubtotals(db);
  expect((await proveSubtotals(db, false)).different).toEqual([]);
});
