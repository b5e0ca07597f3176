import { createHash } from 'node:crypto';
import { createClient } from '@broker-transparency/client';
import { record as recordFamily } from '@broker-transparency/client/record';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import { readRecord, readTexts, type StoredEntry } from '../support/record.ts';
import { until } from '../support/until.ts';
import { scoreThen } from './at.ts';
import { type ModelEntry, RecordModel } from './model.ts';
import { createRandom, type PlayedStory, playStory } from './story.ts';
import { readTransactions } from './transactions.ts';

/** A story of some hundred commands. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

/** `RECORD_SEED` tells another story; `RECORD_PAIRS` asks more questions about it. */
const USUAL_SEED = 20_261_101;
const SEED = Number(process.env['RECORD_SEED'] ?? USUAL_SEED);
const PAIRS = Number(process.env['RECORD_PAIRS'] ?? 150);
const SAYS = `seed ${SEED}`;

let scratch: Scratch;
let began: Date;
let told: PlayedStory;
let entries: StoredEntry[];
const model = new RecordModel();

const modelEntry = ({
  number,
  time,
  key,
  kind,
  cause,
  changeIndex,
  changeSize,
  validFrom,
  validTo,
  value,
}: StoredEntry): ModelEntry => ({
  number,
  time,
  key,
  kind,
  cause,
  ...(changeIndex === changeSize - 1 ? { last: true } : {}),
  ...(validFrom === undefined ? {} : { validFrom }),
  ...(validTo === undefined ? {} : { validTo }),
  value: value as ModelEntry['value'],
});

beforeAll(async () => {
  scratch = await createScratch();
  began = new Date();
  told = await playStory(SEED, scratch);
  entries = await readRecord(told.service);
  for (const entry of entries) model.append(modelEntry(entry));
});
afterAll(async () => {
  await told?.remove();
  await scratch?.remove();
});

const listBrokers = (): string[] => [
  ...new Set(entries.flatMap(({ key, kind }) => (kind === 'broker' ? [key.slice('broker/'.length)] : []))),
];

test.runIf(SEED === USUAL_SEED)('the usual story has something of everything', () => {
  for (const [name, times] of Object.entries(told.happened))
    expect([SAYS, name, times > 0]).toEqual([SAYS, name, true]);
  const kinds = new Set(entries.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(
    [
      'broker',
      'check',
      'complaints',
      'day',
      'license',
      'methodology',
      'news',
      'regulator',
      'review',
      'statement',
      'warning',
    ].sort(),
  );
  const review = (state: string) =>
    entries.filter(({ kind, value }) => kind === 'review' && value?.['state'] === state);
  for (const [state, least] of Object.entries({ published: 15, removed: 2, withdrawn: 1, erased: 1 }))
    expect(review(state).length, `${SAYS} ${state}`).toBeGreaterThanOrEqual(least);
  expect(
    entries.some(({ value }) => Array.isArray(value?.['months']) && value['months'].length > 0),
    SAYS,
  ).toBe(true);
  expect(
    entries.some(({ value }) => Array.isArray(value?.['merged'])),
    SAYS,
  ).toBe(true);
  for (const cause of ['fact', 'identity', 'check', 'undo', 'erasure', 'methodology', 'day'])
    expect(
      entries.some((entry) => entry.cause === cause),
      `${SAYS} ${cause}`,
    ).toBe(true);
});

test('the story begins under one methodology and goes on under another, each with days of its own', () => {
  const inForce = entries.flatMap(({ kind, number, value }) =>
    kind === 'methodology' ? [[number, value?.['version']] as const] : [],
  );
  expect(inForce.map(([, version]) => version)).toEqual(['2026-1', '2098-1']);
  const since = inForce[1]?.[0] as number;
  const days = entries.flatMap(({ kind, value }) => (kind === 'day' ? [(value?.['through'] as number) <= since] : []));
  expect(new Set(days), SAYS).toEqual(new Set([true, false]));
});

test('every change wrote its entries itself, so that nothing had to be corrected at night', () => {
  expect(
    entries.filter(({ cause }) => cause === 'correction').map(({ key }) => key),
    SAYS,
  ).toEqual([]);
});

test('the marks of last entries divide the record into the transactions that the database has committed', async () => {
  const transactions = await inDatabase(told.service, (db) => readTransactions(db, began));
  const changes: string[][] = [[]];
  for (const { key, sequence, number } of entries) {
    changes.at(-1)?.push(`${key} ${sequence}`);
    if (model.entries[number]?.last) changes.push([]);
  }
  expect(changes.pop(), SAYS).toEqual([]);
  const sorted = (all: readonly (readonly string[])[]) => all.map((one) => one.toSorted().join('\n')).toSorted();
  expect(sorted(changes), SAYS).toEqual(sorted(transactions));
  expect(Math.max(...changes.map(({ length }) => length)), SAYS).toBeGreaterThan(3);
});

test('the service and an independent model of the record give the same score at any two times', async () => {
  const random = createRandom(SEED + 1);
  const brokers = listBrokers();
  const times = entries.flatMap(({ time, validFrom, validTo }) =>
    [time, validFrom, validTo].flatMap((one) => one ?? []),
  );
  const timeNear = (): string => {
    const at = Date.parse(random.pick(times)) + random.pick([-86_400_000, -1, 0, 1, 3_600_000]);
    return new Date(random.below(4) === 0 ? Date.UTC(2025, random.below(26), 1) : at).toISOString();
  };
  /** Answers with a value, by the methodology that they name. */
  const versions = new Map<string, number>();
  for (let n = 0; n < PAIRS; n++) {
    const broker = random.pick(brokers);
    const knownAt = random.below(entries.length);
    const validAt = timeNear();
    const expected = model.computeScoreAt(broker, knownAt, validAt);
    const actual = await scoreThen(told.service, broker, { knownAt, validAt });
    const says = `${SAYS}: ${broker} knownAt=${knownAt} validAt=${validAt}`;
    expect(actual, says).toEqual(expected);
    if (actual?.value != null)
      versions.set(actual.methodologyVersion, (versions.get(actual.methodologyVersion) ?? 0) + 1);
  }
  for (const version of ['2026-1', '2098-1']) expect(versions.get(version), SAYS).toBeGreaterThan(PAIRS / 50);
});

test('each step of the history of each broker has the score of the model, wherever its page begins', async () => {
  const { record } = createClient({ baseUrl: told.service.baseUrl, with: [recordFamily()] });
  const first = entries.find(({ kind }) => kind === 'methodology')?.number as number;
  let [changes, methodologies] = [0, 0];
  for (const broker of listBrokers()) {
    const steps = await record.brokers.history(broker, { limit: 100 }).toArray();
    expect(await record.brokers.history(broker, { limit: 7 }).toArray(), `${SAYS} ${broker}`).toEqual(steps);
    for (const { number, time, key, cause, value, color } of steps.filter((step) => step.number >= first)) {
      const expected = model.computeScoreAt(broker, number, time) ?? { value: null, color: 'gray' };
      const says = `${SAYS} ${broker} ${number}`;
      expect([says, value, color]).toEqual([says, expected.value, expected.color]);
      expect([key, cause], says).toEqual([entries[number]?.key, entries[number]?.cause]);
    }
    for (const [per, length] of [
      ['day', 10],
      ['month', 7],
    ] as const) {
      const lastOfEach = new Map(steps.map((step) => [step.time.slice(0, length), step]));
      const kept = await record.brokers.history(broker, { per, limit: 100 }).toArray();
      expect(kept, `${SAYS} ${broker} per ${per}`).toEqual([...lastOfEach.values()]);
    }
    methodologies += steps.filter(({ kind }) => kind === 'methodology').length;
    changes += new Set(steps.map(({ value }) => value)).size - 1;
  }
  expect(changes, SAYS).toBeGreaterThan(20);
  expect(methodologies, SAYS).toBeGreaterThan(0);
});

test('each day has the scores that the model computes for it', () => {
  const days = entries.filter(({ kind }) => kind === 'day');
  expect(days.map(({ key }) => key)).toEqual(['day/2026-10-31', 'day/2026-11-01', 'day/2026-11-02', 'day/2026-11-03']);
  for (const { value } of days) {
    const { date, through } = value as { date: string; through: number };
    expect(value, `${SAYS} ${date}`).toEqual(model.computeDay(date, through));
  }
});

/** The last entries of all keys of a kind that say something, by key. */
const findLast = (kind: string): Map<string, Record<string, unknown>> => {
  const last = new Map<string, StoredEntry>();
  for (const entry of entries) if (entry.kind === kind) last.set(entry.key, entry);
  return new Map([...last].flatMap(([key, { value }]) => (value === null ? [] : [[key, value]])));
};
type ModelRow = Record<string, unknown>;
const sortRows = (values: Iterable<unknown>): string[] => [...values].map((value) => JSON.stringify(value)).sort();

describe('at the end, the last entry of each key says what the API publishes', () => {
  beforeAll(async () => {
    await until('every broker is built', 20_000, () =>
      inDatabase(told.service, async (db) => (await db.collection('due').countDocuments()) === 0),
    );
  });

  const published = async (): Promise<ModelRow[]> =>
    (await getJson(told.service, '/brokers?limit=100'))['data'] as ModelRow[];

  test('the last entries say what the API publishes of brokers, licences, warnings and review counts', async () => {
    const brokers = [...findLast('broker')].map(([key, value]) => ({ key, ...value }) as ModelRow);
    const shown = await published();
    const current = brokers.filter(({ status }) => status !== 'merged');
    expect(shown.map(({ slug }) => slug).sort(), SAYS).toEqual(current.map(({ slug }) => slug).sort());
    for (const { key, ...value } of current) {
      const broker = String(key).slice('broker/'.length);
      const detail = await getJson(told.service, `/brokers/${value['slug']}`);
      const says = `${SAYS} ${broker}`;
      for (const field of [
        'id',
        'slug',
        'name',
        'legalName',
        'website',
        'country',
        'status',
        'foundedYear',
        'tradingNames',
      ])
        expect([says, field, value[field]]).toEqual([says, field, detail[field]]);
      expect(value['checked'], says).toBe(detail['licensesCheckedAt'] !== null);
      const named = ({ legalName, retailClients }: ModelRow) => [legalName, retailClients];
      expect((value['entities'] as ModelRow[]).map(named), says).toEqual((detail['entities'] as ModelRow[]).map(named));
      const licenses = [...findLast('license').values()].filter((license) => license['broker'] === broker);
      const held = licenses.flatMap(({ regulator, number, holders }) =>
        (holders as ModelRow[]).map(({ legalName, type, status }) => [regulator, number, legalName, type, status]),
      );
      const shownLicenses = (detail['licenses'] as ModelRow[]).map(
        ({ regulatorCode, referenceNumber, entity, type, status }) => [
          regulatorCode,
          referenceNumber,
          (entity as ModelRow)['legalName'],
          type,
          status,
        ],
      );
      expect(sortRows(held), says).toEqual(sortRows(shownLicenses));
      const warnings = [...findLast('warning').values()].filter((warning) => warning['broker'] === broker);
      const warned = ({ url, about, withdrawnAt = null }: ModelRow) => [url, about, withdrawnAt];
      expect(sortRows(warnings.map(warned)), says).toEqual(sortRows((detail['warnings'] as ModelRow[]).map(warned)));
      const counted = [broker, ...((value['merged'] ?? []) as string[])];
      const reviews = [...findLast('review').values()].filter(
        (review) => review['state'] === 'published' && counted.includes(String(review['broker'])),
      );
      expect(reviews.length, says).toBe((detail['ratingSummary'] as { count: number }).count);
      const texts = await readTexts(told.service, String(key));
      expect(texts.find(({ field }) => field === 'description')?.text ?? '', says).toBe(detail['description']);
    }
  });

  test('the last entries say what the API publishes of regulators', async () => {
    const bare = ({ brokerCount, lastVerifiedAt, registerReadAt, stale, ...fields }: ModelRow) => fields;
    const shown = (await getJson(told.service, '/regulators'))['data'] as ModelRow[];
    const codes = shown.map(({ code }) => code).sort();
    expect([...findLast('regulator').keys()].map((key) => key.split('/')[1]).sort(), SAYS).toEqual(codes);
    for (const [key, value] of findLast('regulator')) {
      const { brokers, ...detail } = await getJson(told.service, `/${key.replace('regulator', 'regulators')}`);
      expect(bare(value), `${SAYS} ${key}`).toEqual(bare(detail));
    }
  });

  test('the last entries say what the API publishes of reviews, and commit to their texts', async () => {
    const shown: ModelRow[] = [];
    for (const { slug } of await published())
      shown.push(...((await getJson(told.service, `/reviews?broker=${slug}&limit=100`))['data'] as ModelRow[]));
    const last = [...findLast('review')].filter(([, value]) => value['state'] === 'published');
    const brief = shown.map(({ id, rating }) => [`review/${id}`, rating]);
    expect(sortRows(last.map(([key, { rating }]) => [key, rating])), SAYS).toEqual(sortRows(brief));
    for (const review of shown) {
      const key = `review/${review['id']}`;
      const value = findLast('review').get(key) as ModelRow;
      const texts = await readTexts(told.service, key);
      const { title, content, author, reply } = review as ModelRow & { author: ModelRow; reply?: ModelRow };
      const public_ = { title, content, author: author['displayName'], ...(reply ? { reply: reply['content'] } : {}) };
      expect(Object.fromEntries(texts.map(({ field, text }) => [field, text])), `${SAYS} ${key}`).toEqual(public_);
      const commitments = texts.map(({ field, salt, text }) => [
        field,
        createHash('sha256').update(Buffer.from(salt, 'base64')).update(text).digest('base64'),
      ]);
      expect(value['texts'], `${SAYS} ${key}`).toEqual(Object.fromEntries(commitments));
    }
  });

  test('nothing is missing in the record at the end', async () => {
    expect(succeeded(await told.service.cli('admin', 'rebuild', '--check'))).toMatch(
      /entries of the record compared, 0 missing\.\n$/,
    );
  });
});
