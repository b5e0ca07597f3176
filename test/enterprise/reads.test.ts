import { BrokerAt, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { BrokersThen, BrokerTimeline, RegulatorsThen, RegulatorThen } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { readRecord, type StoredEntry } from '../support/record.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';

let scratch: Scratch;
let service: LocalService;
let acme: AsCustomer;
/** Every entry of the story, by number. */
let entries: StoredEntry[];

const bring = async (...rows: Record<string, unknown>[]): Promise<string> => {
  const file = await scratch.ndjson('rows.ndjson', rows);
  const report = succeeded(await service.cli('import', 'brokers', file, '--json'));
  await service.settle();
  return (JSON.parse(report) as { run: string }).run;
};

const withStatus = (status: string) => brokerRow('alpha', { licenses: [licenseRow('alpha Ltd', 'fca', { status })] });

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService();
  acme = await grantCustomer(service, 'acme', 'institution');
  await bring(brokerRow('alpha'), brokerRow('beta'), brokerRow('gamma', { licensesCheckedAt: null, licenses: [] }));
  await bring(brokerRow('delta', { licenses: [licenseRow('delta Ltd', 'asic')] }));
  const run = await bring(withStatus('suspended'));
  succeeded(await service.cli('import', 'undo', run, '--yes', run));
  await bring(withStatus('withdrawn'));
  succeeded(await service.cli('broker', 'rename', 'beta', 'beta-two'));
  await publishReviews(service, 'alpha', [await createToken(service, 'alice')], { rating: 1 });
  succeeded(await service.cli('broker', 'merge', 'delta', '--into', 'alpha'));
  await service.settle();
  entries = await readRecord(service);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const good = async <T>(schema: { strict: () => { parse: (value: unknown) => T } }, path: string): Promise<T> => {
  const answer = await acme(path);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return schema.strict().parse(answer.json());
};

/** The number of the first, or last, entry with these properties. */
const findNumber = (which: 'find' | 'findLast', like: Partial<StoredEntry>): number => {
  const has = (entry: StoredEntry) => Object.entries(like).every(([name, value]) => entry[name as never] === value);
  const found = entries[which](has);
  if (!found) throw new Error(`no entry is like ${JSON.stringify(like)}`);
  return found.number;
};

/** The number of the first entry of the change that a number belongs to. */
const findStart = (number: number): number => number - (entries[number]?.changeIndex as number);

/** All pages of a list. */
const allPages = async (query: string, limit: number): Promise<BrokersThen['data']> => {
  const data: BrokersThen['data'] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: BrokersThen = await good(
      BrokersThen,
      `/brokers?limit=${limit}${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    expect(page.data.length).toBeLessThanOrEqual(limit);
    data.push(...page.data);
    cursor = page.pagination.nextCursor;
  }
  return data;
};

test('the list is what each broker was known as then, page by page', async () => {
  const now = await allPages('', 50);
  expect(now.map(({ slug }) => slug)).toEqual(['alpha', 'beta-two', 'gamma']);
  expect(now.map(({ licenses }) => licenses)).toEqual([0, 1, 0]);
  const renamed = findNumber('find', { key: 'broker/beta', cause: 'identity' });
  const before = await allPages(`&knownAt=${renamed - 1}`, 1);
  expect(before.map(({ slug }) => slug)).toEqual(['alpha', 'beta', 'delta', 'gamma']);
  for (const times of ['', `knownAt=${renamed - 1}`, 'validAt=2027-06-01T00:00:00Z'])
    for (const { slug, score, color, entry } of await allPages(`&${times}`, 2)) {
      const one = await good(BrokerAt, `/brokers/${slug}?${times}`);
      expect([slug, color]).toEqual([one.slug, one.score.color]);
      if (times !== '') expect(score).toBe(one.score.value);
      expect(one.facts.find(({ kind }) => kind === 'broker')?.number).toBe(entry);
    }
  expect(await allPages('&knownAt=2001-01-01T00:00:00Z', 10)).toEqual([]);
});

test('a broker is answered as the public history answers it', async () => {
  for (const number of [findNumber('find', { key: 'broker/alpha' }) + 4, entries.length - 1]) {
    const times = `knownAt=${number}&validAt=2026-12-01T00:00:00Z`;
    const open = await send(`${service.origin}${TRANSPARENCY_BASE_PATH}/brokers/alpha/at?${times}`);
    expect((await acme(`/brokers/alpha?${times}`)).json()).toEqual(open.json());
  }
  expect(expectProblem(await acme('/brokers/nobody')).code).toBe('broker_not_found');
  expect(expectProblem(await acme('/brokers/alpha?knownAt=soon')).code).toBe('invalid_request');
});

test('a regulator has the brokers that it had then, with the licences and the entries that say so', async () => {
  const [, { number: suspended } = { number: 0 }] = entries.filter(({ key }) => key === 'license/alpha/fca/REF-fca');
  const first = await good(RegulatorThen, '/regulators/fca?limit=1');
  expect(first.brokers.map(({ slug }) => slug)).toEqual(['alpha']);
  const [license] = first.brokers[0]?.licenses ?? [];
  expect(license).toMatchObject({ number: findNumber('findLast', { key: 'license/alpha/fca/REF-fca' }) });
  const rest = await good(RegulatorThen, `/regulators/fca?limit=9&cursor=${first.pagination.nextCursor}`);
  expect(rest.brokers.map(({ slug }) => slug)).toEqual(['beta-two']);
  expect(rest.pagination.nextCursor).toBeNull();
  const readStatus = async (knownAt: number) => {
    const { brokers } = await good(RegulatorThen, `/regulators/fca?knownAt=${knownAt}`);
    const [{ value } = { value: {} }] = brokers.find(({ slug }) => slug === 'alpha')?.licenses ?? [];
    return (value as { holders: { status: string }[] }).holders[0]?.status;
  };
  expect(await readStatus(suspended)).toBe('suspended');
  expect(await readStatus(suspended - 1)).toBe('active');
  expect((await good(RegulatorThen, '/regulators/asic')).brokers).toEqual([]);
  const merged = findNumber('findLast', { key: 'broker/delta' });
  expect((await good(RegulatorThen, `/regulators/asic?knownAt=${merged - 1}`)).brokers).toHaveLength(1);
  await bring(brokerRow('epsilon', { licenses: [licenseRow('epsilon Ltd', 'asic')] })); // it is found at once
  const { brokers } = await good(RegulatorThen, '/regulators/asic');
  expect(brokers.map(({ slug }) => slug)).toEqual(['epsilon']);
});

test('regulators are those that were known then', async () => {
  const { data } = await good(RegulatorsThen, '/regulators');
  expect(data.map(({ key }) => key)).toContain('regulator/fca');
  expect(data.length).toBe(new Set(entries.filter(({ kind }) => kind === 'regulator').map(({ key }) => key)).size);
  const first = findNumber('find', { key: 'regulator/fca' });
  const early = await good(RegulatorsThen, `/regulators?knownAt=${first}`);
  expect(early.knownAt).toBe(findStart(first) + (entries[first]?.changeSize as number) - 1);
  expect(early.data.every(({ number }) => number <= early.knownAt)).toBe(true);
  expect(expectProblem(await acme(`/regulators/fca?knownAt=0`)).code).toBe('regulator_not_found');
  expect(expectProblem(await acme('/regulators/nobody')).code).toBe('regulator_not_found');
});

test('a timeline names the entry behind each change of licences and score', async () => {
  const { data, since } = await good(BrokerTimeline, '/brokers/alpha/timeline');
  for (const { number, key, kind, cause, time } of data)
    expect(entries[number]).toMatchObject({ number, key, kind, cause, time });
  const statuses = data.flatMap(({ license, cause }) =>
    license ? [[cause, (license.after as { holders: { status: string }[] }).holders[0]?.status]] : [],
  );
  expect(statuses).toEqual([
    ['fact', 'active'],
    ['fact', 'suspended'],
    ['undo', 'active'],
    ['fact', 'withdrawn'],
  ]);
  expect(since).toBe(entries.find(({ subject }) => subject === 'broker/alpha')?.time);
  const suspended = data.find(({ license }) => String(JSON.stringify(license?.after)).includes('suspended'));
  expect(suspended?.score.after?.value).toBeLessThan(suspended?.score.before?.value ?? 0);
  const review = data.find(({ kind }) => kind === 'review');
  expect(review?.score.after?.value).not.toBe(review?.score.before?.value);
  expect(data.some(({ number }) => findStart(number) !== number)).toBe(true);
  for (const { number, time, score } of data) {
    const then = await good(BrokerAt, `/brokers/alpha?knownAt=${number}&validAt=${time}`);
    expect(score.after).toEqual({ value: then.score.value, color: then.score.color });
    const before = await acme(`/brokers/alpha?knownAt=${findStart(number) - 1}&validAt=${time}`);
    if (findStart(number) === findStart(data[0]?.number as number)) {
      expect([expectProblem(before).code, score.before]).toEqual(['broker_not_found', null]);
      continue;
    }
    const { value, color } = BrokerAt.parse(before.json()).score;
    expect(score.before).toEqual({ value, color });
  }
});

test('pages of a timeline are parts of it, up to a number or a time', async () => {
  const whole = await good(BrokerTimeline, '/brokers/alpha/timeline');
  const pages: BrokerTimeline['data'] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page: BrokerTimeline = await good(BrokerTimeline, `/brokers/alpha/timeline?limit=1&from=${from}`);
    pages.push(...page.data);
    from = page.next;
  }
  expect(pages).toEqual(whole.data);
  const { number = 0, time = '' } = whole.data[2] ?? {};
  const known = await good(BrokerTimeline, `/brokers/alpha/timeline?knownAt=${number}`);
  expect(known.data).toEqual(whole.data.slice(0, 3));
  const until = await good(BrokerTimeline, `/brokers/alpha/timeline?validAt=${time}`);
  expect(until.data).toEqual(whole.data.filter((step) => step.time <= time));
});
