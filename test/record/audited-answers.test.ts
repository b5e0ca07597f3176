import { createClient } from '@broker-transparency/client';
import { audit, FIELDS, readSample } from '@broker-transparency/client/verify/node';
import { Binary, type Db, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, post, succeeded } from '../support/filled-service.ts';
import { brokerRow, licenseRow, newsRow, regulatorRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';

let service: LocalService;
let scratch: Scratch;
let key: TestKey;

const SLUG = 'alpha-markets';

/** A broker that has every field of the contract that an import can give it. */
const fullBroker = brokerRow(SLUG, {
  name: 'Alpha Markets',
  tradingNames: ['Alpha FX', 'AFX'],
  lei: '529900T8BM49AURSDO55',
  domains: ['alpha-markets.example', 'afx.example'],
  foundedYear: 2012,
  description: 'Broker for currency pairs.',
  entities: [
    {
      legalName: 'Alpha Ltd',
      country: 'GB',
      lei: '529900T8BM49AURSDO55',
      serves: {
        countries: ['GB', 'IE'],
        sourceUrl: 'https://alpha-markets.example/legal',
        asOf: '2026-01-05T00:00:00Z',
      },
    },
    { legalName: 'Alpha EU Ltd', country: 'CY', retailClients: false },
  ],
  licenses: [
    licenseRow('Alpha Ltd', 'aaa', {
      entity: { legalName: 'Alpha Ltd', lei: '529900T8BM49AURSDO55' },
      statusEffectiveAt: '2012-03-01T00:00:00Z',
      permissions: ['Dealing as principal'],
      issuedAt: '2012-02-01T00:00:00Z',
      expiresAt: '2099-01-01T00:00:00Z',
      lastVerifiedAt: '2026-01-05T00:00:00Z',
    }),
    licenseRow('Alpha EU Ltd', 'cysec'),
    licenseRow('Alpha EU Ltd', 'cysec', { type: 'passport', referenceNumber: 'p1', notifiedCountries: ['DE'] }),
  ],
  checklist: [
    { key: 'fees', met: true, sourceUrl: 'https://alpha-markets.example/fees', checkedAt: '2026-01-05T00:00:00Z' },
  ],
  warnings: [
    {
      source: 'Example Authority',
      url: 'https://authority.example/1',
      title: 'Warning',
      publishedAt: '2025-03-01T00:00:00Z',
      withdrawnAt: '2025-06-01T00:00:00Z',
      about: 'this_firm',
      match: 'confirmed',
    },
    {
      source: 'Another Authority',
      url: 'https://another.example/1',
      title: 'Not this one',
      publishedAt: '2025-03-01T00:00:00Z',
      about: 'not_this_firm',
      correctedAt: '2025-04-01T00:00:00Z',
    },
  ],
  provenance: [
    {
      fact: 'profile',
      sourceUrl: 'https://alpha-markets.example/about',
      attribution: 'Alpha',
      lastVerifiedAt: '2026-01-05T00:00:00Z',
    },
  ],
});

let networks = 0;

/** Audits from a network of its own, so that the audits before it leave it a whole budget. */
const runAudit = () => {
  const address = `10.${networks++}.0.1`;
  const fetchAsAddress: typeof fetch = (url, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', address);
    return fetch(url, { ...init, headers });
  };
  return audit({
    url: `${service.origin}/transparency/v1/log/a`,
    policy: createPolicy(key),
    fetch: (url, init) => fetchAsAddress(url, init),
    live: () => readSample(createClient({ baseUrl: service.baseUrl, store: false, fetch: fetchAsAddress }), 3),
  });
};

beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await startService({ LOG_KEY: key.file, TRUST_PROXY: '1' });
  await importRows(service, 'regulators', [
    regulatorRow('aaa', {
      protections: {
        compensationLimit: { amount: '20000.00', currency: 'EUR' },
        negativeBalance: true,
        segregation: true,
        retailLeverageCap: 30,
        retailLeveragedFx: 'licensed',
      },
    }),
  ]);
  await importRows(service, 'brokers', [fullBroker, brokerRow('old-broker')]);
  await importRows(service, 'brokers', [brokerRow('beta-trade', { status: 'ceased', successor: SLUG })]);
  const registry = await scratch.ndjson('registry.ndjson', [{ slug: SLUG, country: 'IE' }]);
  const source = ['--stated-by', 'dataset:registry', '--source', 'https://registry.example/', '--license', 'CC0'];
  succeeded(await service.cli('import', 'brokers', registry, ...source));
  succeeded(await service.cli('broker', 'merge', 'old-broker', '--into', SLUG));
  const token = await createToken(service, 'alice');
  const created = await post(service, '/reviews', token, reviewBody(SLUG));
  const { id } = (await created.json()) as { id: string };
  succeeded(await service.cli('review', 'publish', id));
  succeeded(await service.cli('review', 'reply', id, '--content', 'Thank you for your review.'));
  await importRows(service, 'news', [newsRow(1, { brokerSlugs: [SLUG], regulatorCodes: ['fca'] })]);
  await service.settle();
  await untilAllSigned(service);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

/** A field of one kind of answer, and how somebody with the database changes it. */
interface Place {
  readonly collection: string;
  /** The document; by default the first one. */
  readonly id?: string;
  /** Path in the document; by default that of the contract. */
  readonly stored?: string;
  /** True if the document has the answer itself, as bytes of JSON. */
  readonly isBytes?: boolean;
}

const STORED_REVIEW: Readonly<Record<string, string>> = { id: '_id', brokerSlug: 'broker' };
const STORED_BROKER: Readonly<Record<string, string>> = {
  slug: '_id',
  score: 'score.value',
  'licenses[].entity': 'licenses[].entity.legalName',
};

/** Kinds of answers whose fields are edited, and where those lie in the database. */
const PLACES: Readonly<Record<'broker' | 'summary' | 'regulator' | 'review' | 'news', (path: string) => Place>> = {
  broker: () => ({ collection: 'brokerDetails', id: SLUG, isBytes: true }),
  summary: () => ({ collection: 'brokerSummaries', id: SLUG, isBytes: true }),
  regulator: (path) =>
    path.startsWith('brokers[].')
      ? {
          collection: 'brokers',
          id: SLUG,
          stored: STORED_BROKER[path.slice('brokers[].'.length)] ?? path.slice('brokers[].'.length),
        }
      : { collection: 'regulators', id: 'aaa', stored: path === 'code' ? '_id' : path },
  review: (path) => ({ collection: 'reviews', stored: STORED_REVIEW[path] ?? path }),
  news: (path) => ({ collection: 'news', stored: path === 'id' ? '_id' : path }),
};
type EditedKind = keyof typeof PLACES;
const KINDS = Object.keys(PLACES) as EditedKind[];
/** Fields of a kind of answer that are edited together. */
type EditGroup = readonly [kind: EditedKind, paths: readonly string[]];

/** The beginning of findings about each kind. */
const ABOUT: Readonly<Record<EditedKind | 'regulatorSummary', RegExp>> = {
  broker: /^alpha-markets: /,
  summary: /^alpha-markets in the list: /,
  regulator: /^regulator aaa: /,
  regulatorSummary: /^regulator aaa in the list: /,
  review: /^review \w+ of alpha-markets: /,
  news: /^news item \S+: /,
};

/**
 * Fields by which an answer is found: with another one it is an answer that the log does not know. Each has an audit of
 * its own.
 */
const IDENTITIES: readonly string[] = [
  'broker slug',
  'broker recentReviews[].id',
  'summary slug',
  'regulator code',
  'regulator brokers[].slug',
  'review id',
  'review brokerSlug',
  'news id',
];

/** Other values of fields that take only some: the service does not answer anything else. */
const OTHER_VALUES: Readonly<Record<string, unknown>> = {
  'regulator country': 'IE',
  'regulator protections.compensationLimit.amount': '30000.00',
  'regulator protections.compensationLimit.currency': 'USD',
  'regulator protections.retailLeveragedFx': 'prohibited',
  'regulator brokers[].licenses[].status': 'suspended',
  'review rating': 3,
  'news category': 'product',
  'news severity': 'critical',
  'news dating': 'seen',
  'news correctedAt': '2026-01-05T00:00:00.000Z',
};

type StoredFields = Record<string, unknown>;

/** Returns another value of the same form. */
const other = (value: unknown): unknown => {
  if (value instanceof Date) return new Date(value.getTime() + 40 * 86_400_000);
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'another'];
  if (value instanceof ObjectId) return new ObjectId();
  if (typeof value === 'object' && value !== null) return { ...value, another: 1 };
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))
    return new Date(Date.parse(value) - 40 * 86_400_000).toISOString();
  return typeof value === 'string' ? `${value}x` : 'another';
};

/** Returns what a field is in, in the first item of each list that has it; undefined where nothing has it. */
const findHolder = (
  row: StoredFields,
  names: readonly string[],
  isThere: (holder: StoredFields, last: string) => boolean,
): StoredFields | undefined => {
  const [name = '', ...below] = names;
  if (below.length === 0) return isThere(row, name) ? row : undefined;
  const value = row[name.replace('[]', '')];
  const items = (name.endsWith('[]') ? (value ?? []) : [value]) as readonly unknown[];
  for (const item of items) {
    const isObject = typeof item === 'object' && item !== null;
    const holder = isObject ? findHolder(item as StoredFields, below, isThere) : undefined;
    if (holder) return holder;
  }
  return undefined;
};

/** Changes the field at a path. */
const changeField = (row: StoredFields, path: string, to: unknown): void => {
  const names = path.split('.');
  const last = names.at(-1) as string;
  const holder = findHolder(row, names, (one) => last in one) ?? findHolder(row, names, () => true);
  if (!holder) throw new Error(`nothing of these answers has ${path}`);
  holder[last] = to ?? other(holder[last]);
};

/** Writes documents in place of others, and has the service see that they changed. */
const replace = async (
  db: Db,
  edits: readonly { place: Place; from: StoredFields; to: StoredFields }[],
): Promise<void> => {
  for (const { place, from, to } of edits) {
    const rows = db.collection(place.collection);
    await rows.deleteOne({ _id: from['_id'] as never });
    await rows.insertOne(to as never, { bypassDocumentValidation: true });
  }
  await db.collection('brokers').updateMany({}, { $set: { updatedAt: new Date().toISOString() } });
  await service.settle();
};

/** Returns a document as it is, and a copy in which fields are changed. */
const prepareEdit = async (db: Db, kind: EditedKind, paths: readonly string[]) => {
  const place = PLACES[kind](paths[0] as string);
  const filter = place.id === undefined ? {} : { _id: place.id as never };
  const from = (await db.collection(place.collection).findOne(filter, { promoteBuffers: true })) as StoredFields | null;
  if (!from) throw new Error(`${place.collection} has no ${place.id}`);
  const to = copyRow(from);
  const changed = place.isBytes ? JSON.parse(String(from['json'])) : to;
  for (const path of paths) changeField(changed, PLACES[kind](path).stored ?? path, OTHER_VALUES[`${kind} ${path}`]);
  if (place.isBytes) to['json'] = new Binary(Buffer.from(JSON.stringify(changed)));
  return { place, from, to };
};

/** Edits these fields of a kind of answer: once each document that has some of them. */
const editKind = async (db: Db, [kind, paths]: EditGroup) => {
  const byCollection = Map.groupBy(paths, (path) => PLACES[kind](path).collection);
  const edits = [];
  for (const own of byCollection.values()) edits.push(await prepareEdit(db, kind, own));
  return edits;
};

/** Edits fields of each of these kinds, audits, and takes it back. */
const auditEdits = (edited: readonly EditGroup[]) =>
  inDatabase(service, async (db) => {
    const edits: Awaited<ReturnType<typeof editKind>> = [];
    for (const one of edited) edits.push(...(await editKind(db, one)));
    await replace(db, edits);
    try {
      return await runAudit();
    } finally {
      await replace(
        db,
        edits.toReversed().map(({ place, from, to }) => ({ place, from: to, to: from })),
      );
    }
  });

/** A deep copy that keeps ids and times as they are. */
const copyRow = (row: StoredFields): StoredFields =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, copyValue(value)]));
const copyValue = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyValue);
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? copyRow(value as StoredFields) : value;
};

test('an audit of all answers finds nothing wrong', async () => {
  const { findings, live, liveFailure } = await runAudit();
  expect(liveFailure).toBeUndefined();
  expect(findings).toEqual([]);
  expect(live).toMatchObject({ pending: [], changing: [] });
});

/** Returns how the findings about a field begin. Most fields of a regulator are in the list of regulators as well. */
const listFindingNames = (kind: EditedKind, path: string): RegExp[] => {
  const [about, field] = path.startsWith('recentReviews[].')
    ? [ABOUT.review, path.slice('recentReviews[].'.length)]
    : [ABOUT[kind], path];
  const isListed = kind === 'regulator' && !path.startsWith('brokers[]');
  const name = field.replaceAll('.', '\\.').replaceAll('[]', '(\\[\\d+\\])?');
  return [about, ...(isListed ? [ABOUT.regulatorSummary] : [])].map(
    ({ source }) => new RegExp(`${source}the API says ${name}( |\\.|\\[|$)`),
  );
};

const isIdentity = (kind: EditedKind, path: string): boolean => IDENTITIES.includes(`${kind} ${path}`);

/**
 * Fields of one kind that are edited for one audit. The audit compares each by itself and names it by its path, so that
 * none hides another. An audit that finds something takes more than two seconds.
 */
const FIELDS_AT_ONCE = 12;

test('an audit names every published field that somebody edits in the database, in each kind of answer', async () => {
  const listFields = (kind: EditedKind) => FIELDS[kind].compared.filter((path) => !isIdentity(kind, path));
  const most = Math.max(...KINDS.map((kind) => listFields(kind).length));
  const unnamed: string[] = [];
  for (let first = 0; first < most; first += FIELDS_AT_ONCE) {
    const edited = KINDS.map((kind): EditGroup => [kind, listFields(kind).slice(first, first + FIELDS_AT_ONCE)]);
    const { findings, liveFailure } = await auditEdits(edited);
    const messages = findings.map(({ message }) => message);
    for (const [kind, paths] of edited)
      for (const path of paths)
        for (const name of listFindingNames(kind, path))
          if (!messages.some((message) => name.test(message)))
            unnamed.push(`${kind} ${path} (${name}): ${liveFailure ?? messages.join(' / ')}`);
  }
  expect(unnamed).toEqual([]);
  expect((await runAudit()).findings).toEqual([]);
});

test.each(
  KINDS.flatMap((kind) =>
    FIELDS[kind].compared.filter((path) => isIdentity(kind, path)).map((path) => [kind, path] as const),
  ),
)('an audit finds that %s %s was edited, by which its answer is found', async (kind, path) => {
  const { findings, liveFailure } = await auditEdits([[kind, [path]]]);
  expect(liveFailure).toBeUndefined();
  expect(findings).not.toEqual([]);
  expect((await runAudit()).findings).toEqual([]);
});

test('an audit names a public text whose commitment nobody can open any more', async () => {
  const deleted = await inDatabase(service, async (db) => {
    const texts = db.collection('recordTexts');
    const rows = await texts.find().toArray();
    await texts.deleteMany({});
    return rows;
  });
  try {
    const { findings } = await runAudit();
    const messages = findings.map(({ message }) => message);
    for (const about of [
      /^alpha-markets: the API says description /,
      /^review \w+ of alpha-markets: the API says content /,
      /^review \w+ of alpha-markets: the API says reply\.content /,
      /^news item \S+: the API says title /,
    ])
      expect(messages.filter((message) => about.test(message))).toContainEqual(
        expect.stringMatching(/, the log a commitment whose random bytes are missing$/),
      );
  } finally {
    await inDatabase(service, (db) => db.collection('recordTexts').insertMany(deleted));
  }
  expect((await runAudit()).findings).toEqual([]);
});
