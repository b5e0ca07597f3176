import { createHash } from 'node:crypto';
import { type ChangesPage, ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { canonicalJson, fromBase64, verifyConsistency } from '@broker-transparency/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { computeRoot, hashLeaf } from '../support/log-reader.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { startService } from '../support/service.ts';
import { type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

let log: LogService;
let ask: AsCustomer;
let withoutTexts: string;
let reviews: readonly { readonly id: string }[];
/** Waits for what does not come, while something else is written. */
let silent: Promise<HttpResponse>;
let silentSince: number;
beforeAll(async () => {
  log = await startLogService();
  const { service } = log;
  const provenance = Array.from({ length: 60 }, (_, n) => ({
    fact: 'profile',
    sourceUrl: `https://sources.example/${n}?${'long'.repeat(400)}`,
  }));
  const long = brokerRow('long-sources', { provenance });
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta'), long]);
  reviews = await publishReviews(service, 'alpha', [await createToken(service, 'alice')], { title: 'Quixotic' });
  ask = await grantCustomer(service, 'acme-bank', 'institution');
  const scopes = ['--scope', 'record:read', '--quiet'];
  withoutTexts = succeeded(await service.cli('enterprise', 'issue-key', 'acme-bank', ...scopes)).trim();
  silentSince = (await untilAllSigned(service)).size - 1;
  silent = ask('/changes?after=0&wait=6&kind=methodology');
  await importRows(service, 'brokers', [brokerRow('not-silent')]);
  await service.settle();
});
afterAll(() => log?.remove());

const readPage = async (query: string): Promise<ChangesPage> => {
  const answer = await ask(`/changes?${query}`);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return answer.json<ChangesPage>();
};

/** Reads the feed to its end, in pages of a size. */
const readAll = async (limit: number): Promise<ChangesPage[]> => {
  const pages: ChangesPage[] = [];
  for (let after = -1; ; ) {
    const page = await readPage(`limit=${limit}&after=${after}`);
    if (page.entries.length === 0) return pages;
    pages.push(page);
    after = page.through;
  }
};

describe('the feed', () => {
  test('the feed has every entry as the record has it, and each page proves itself', async () => {
    const stored = await readRecord(log.service);
    const pages = await readAll(10);
    const entries = pages.flatMap((page) => page.entries);
    expect(entries.map(({ number }) => number)).toEqual(stored.map(({ number }) => number));
    const said = pages.flatMap((page) =>
      page.entries.map(({ number, key, value }) => [key, value ?? page.values[number]]),
    );
    expect(said).toEqual(stored.map(({ key, value }) => [key, value ?? undefined]));
    const hashes = entries.map((entry) => hashLeaf(Buffer.from(canonicalJson(entry))));
    for (const { through, tree } of pages) {
      expect(tree.size).toBe(through + 1);
      expect(computeRoot(hashes.slice(0, tree.size)).toString('base64')).toBe(tree.root);
    }
  });
});

/** The elements of `entries` in the JSON of a page, as they are written there. */
const slices = (text: string, entries: readonly unknown[]): string[] => {
  let at = text.indexOf('"entries":[') + '"entries":['.length;
  return entries.map(() => {
    let [depth, end, isText] = [0, at, false];
    do {
      const character = text[end];
      if (character === '\\') end++;
      else if (character === '"') isText = !isText;
      else if (!isText && character === '{') depth++;
      else if (!isText && character === '}') depth--;
      end++;
    } while (depth > 0);
    const slice = text.slice(at, end);
    at = end + 1;
    return slice;
  });
};

test('entries stand in a page as the bytes that the log has', async () => {
  const answer = await ask('/changes?limit=1000');
  const { entries, tree } = answer.json<ChangesPage>();
  const written = slices(answer.text, entries);
  expect(written.map((text) => JSON.parse(text))).toEqual(entries);
  expect(computeRoot(written.map((text) => hashLeaf(Buffer.from(text)))).toString('base64')).toBe(tree.root);
});

test('a value that is too long for the log stands beside the entries, as the bytes that their hash is of', async () => {
  const { text } = await ask('/changes?kind=broker&limit=1000');
  const { entries, values } = JSON.parse(text) as ChangesPage;
  const long = entries.filter(({ valueHash }) => valueHash !== undefined);
  expect(long.map(({ key }) => [key, Object.keys(values)])).toEqual([['broker/long-sources', [`${long[0]?.number}`]]]);
  const written = canonicalJson(values[`${long[0]?.number}`]);
  expect(Buffer.from(sha256(Buffer.from(written))).toString('base64')).toBe(long[0]?.valueHash);
  expect(text).toContain(written);
});

test('a page names the newest checkpoint that covers it, with a proof that it continues its tree', async () => {
  const { text: signed, size, root } = await untilAllSigned(log.service);
  const page = await readPage('limit=7');
  expect(page.signed?.checkpoint).toBe(signed);
  expect(page.signed?.size).toBe(size);
  const trees = {
    older: { size: page.through + 1, root: fromBase64(page.tree.root) },
    newer: { size, root: fromBase64(root) },
    proof: page.signed?.consistency.map(fromBase64) ?? [],
  };
  expect(await verifyConsistency(trees, sha256)).toBe(true);
  expect((await readPage(`after=${size - 1}`)).signed?.consistency).toEqual([]);
});

test('texts come with a key that may read them, with the random bytes that their commitments need', async () => {
  const key = `review/${reviews[0]?.id}`;
  const [page] = await readAll(1000);
  const { title } = page?.texts?.[key] ?? {};
  expect(title?.text).toBe('Quixotic');
  const { value } = page?.entries.findLast((one) => one.key === key) ?? {};
  const { texts } = value as { texts: Record<string, string> };
  const commitment = Buffer.concat([fromBase64(title?.salt ?? ''), Buffer.from(title?.text ?? '')]);
  expect(Buffer.from(sha256(commitment)).toString('base64')).toBe(texts['title']);
  const other = await send(`${log.service.origin}${ENTERPRISE_BASE_PATH}/changes?limit=1000`, { token: withoutTexts });
  expect(other.json<ChangesPage>().texts).toBeUndefined();
  expect(other.text).not.toContain('Quixotic');
});

test('a filtered page says what range it covers, and that it is filtered', async () => {
  const whole = (await readAll(1000)).flatMap(({ entries }) => entries);
  const licenses = await readPage('kind=license&limit=1000');
  expect(licenses).toMatchObject({ after: -1, through: whole.length - 1, isFiltered: true });
  expect(licenses.entries).toEqual(whole.filter(({ kind }) => kind === 'license'));
  const first = await readPage('kind=license&limit=1');
  const count = first.entries.length; // the licences of one change
  expect(first.entries).toEqual(licenses.entries.slice(0, count));
  const [begin = 0, last = 0, next] = [0, count - 1, count].map((at) => licenses.entries[at]?.number);
  const listEnds = (from: number, below: number | undefined) =>
    whole.slice(from, below).flatMap((entry) => (entry.last ? [entry.number] : []));
  expect([listEnds(begin, last), listEnds(last, next)]).toEqual([[], expect.arrayContaining([first.through])]);
  const beta = await readPage('broker=beta&limit=1000');
  expect(beta.entries.map(({ key }) => key)).toEqual(['broker/beta', 'license/beta/fca/REF-fca']);
  expect((await readPage('broker=beta&kind=license')).entries.map(({ key }) => key)).toEqual([
    'license/beta/fca/REF-fca',
  ]);
  expect((await readPage('limit=1000')).isFiltered).toBe(false);
});

test('the feed answers a wrong position, limit, kind or name with a clear problem', async () => {
  const { end } = await readPage('limit=1');
  expect((await readPage(`after=${end}`)).entries).toEqual([]);
  for (const [query, status, code] of [
    [`after=${end + 1}`, 409, 'state_conflict'],
    ['after=-2', 400, 'invalid_request'],
    ['after=-0', 400, 'invalid_request'],
    ['limit=0', 400, 'invalid_request'],
    ['limit=1001', 400, 'invalid_request'],
    ['wait=26', 400, 'invalid_request'],
    ['kind=other', 400, 'invalid_request'],
    ['broker=gamma', 404, 'broker_not_found'],
    ['watchlist=none', 404, 'not_found'],
  ] as const) {
    const answer = await ask(`/changes?${query}`);
    expect([query, answer.status, answer.json()['code']]).toEqual([query, status, code]);
  }
  expect((await ask(`/changes?after=${end + 1}`)).json()['detail']).toContain(`The record ends at ${end},`);
});

test('an erasure shows in the feed, and no page from the beginning on has the texts', async () => {
  const { service } = log;
  const [review] = await publishReviews(service, 'beta', [await createToken(service, 'zoe')], { title: 'Zealously' });
  await untilAllSigned(service);
  const readText = async () => (await ask('/changes?limit=1000')).text;
  expect(await readText()).toContain('Zealously');
  succeeded(await service.cli('account', 'erase', 'zoe', '--yes', 'zoe', '--reason', 'requested'));
  await untilAllSigned(service);
  expect(await readText()).not.toContain('Zealously');
  const own = (await readAll(1000))
    .flatMap(({ entries }) => entries)
    .filter(({ key }) => key === `review/${review?.id}`);
  expect(own.map(({ cause, value }) => [cause, value?.['state']])).toEqual([
    ['fact', 'published'],
    ['erasure', 'erased'],
  ]);
});

describe('a caller who waits', () => {
  const endNow = async (): Promise<number> => (await readPage('limit=1')).end;

  test('a waiting caller gets a new entry when the tree has it', async () => {
    const after = await endNow();
    const waiting = ask(`/changes?after=${after}&wait=25`);
    await importRows(log.service, 'brokers', [brokerRow('delta')]);
    const page = (await waiting).json<ChangesPage>();
    expect(page.entries[0]?.number).toBe(after + 1);
    expect(page.tree.size).toBe(page.through + 1);
  });

  test('a waiting caller gets nothing once the key was revoked', async () => {
    const key = ['enterprise', 'issue-key', 'acme-bank', '--name', 'leaked', '--quiet'];
    const token = succeeded(await log.service.cli(...key)).trim();
    const { keys } = JSON.parse(succeeded(await log.service.cli('enterprise', 'show', 'acme-bank', '--json')));
    const { id } = keys.find(({ name }: { name: string }) => name === 'leaked');
    const after = await endNow();
    const url = `${log.service.origin}${ENTERPRISE_BASE_PATH}/changes?after=${after}&wait=25`;
    const waiting = send(url, { token });
    succeeded(await log.service.cli('enterprise', 'revoke-key', id));
    await importRows(log.service, 'brokers', [brokerRow('epsilon')]);
    expect((await waiting).json()['code']).toBe('invalid_token');
  });

  test('a waiting caller gets an empty page in the end, after blanks that keep the connection alive', async () => {
    const { status, text } = await silent;
    expect(text).toMatch(/^\n\{/);
    expect([status, JSON.parse(text)]).toMatchObject([200, { after: 0, isFiltered: true, entries: [] }]);
    expect(JSON.parse(text).through).toBeGreaterThan(silentSince);
  });

  test('a waiting caller takes one of the places of the plan, and gives it back by leaving', async () => {
    const press = await grantCustomer(log.service, 'acme-press', 'media');
    const after = await endNow();
    const token = succeeded(await log.service.cli('enterprise', 'issue-key', 'acme-press', '--quiet')).trim();
    const url = `${log.service.origin}${ENTERPRISE_BASE_PATH}/changes?after=${after}&wait=25`;
    const leave = new AbortController();
    const three = [0, 1, 2].map(() =>
      fetch(url, { headers: { Authorization: `Bearer ${token}` }, signal: leave.signal }),
    );
    const refused = await Promise.race(three);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(((await refused.json()) as { code: string }).code).toBe('rate_limited');
    expect((await press(`/changes?after=${after}`)).status).toBe(200);
    expect((await press(`/changes?after=${after}&wait=1`)).status).toBe(429);
    expect((await ask(`/changes?after=${after}&wait=1`)).status).toBe(200);
    leave.abort();
    const states = (await Promise.allSettled(three)).map(({ status }) => status);
    expect(states.toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    await until('a place is free', 5000, async () => (await press(`/changes?after=${after}&wait=1`)).status === 200);
  });
});

test('waiting leaves the concurrency limit to others, and ends at SIGTERM with the number that the caller has', async () => {
  const service = await startService({ MAX_IN_FLIGHT: '1' });
  try {
    const bank = await grantCustomer(service, 'acme-bank', 'institution');
    await service.settle();
    const end = await inDatabase(service, async (db) => (await db.collection('recordHeads').findOne())?.['next'] - 1);
    const waiting = [0, 1, 2].map(() => bank(`/changes?after=${end}&wait=25`));
    await until('others are answered', 5000, async () => (await send(`${service.baseUrl}/regulators`)).status === 200);
    expect((await bank('/account')).status).toBe(200);
    const begun = Date.now();
    const gone = service.close();
    for (const answer of await Promise.all(waiting)) {
      if (answer.status === 503) continue; // refused before it waited: only one at a time is worked on
      expect([answer.status, answer.json()]).toMatchObject([200, { after: end, through: end, entries: [] }]);
    }
    expect(Date.now() - begun).toBeLessThan(5000);
    await gone;
  } finally {
    await service.remove();
  }
});
