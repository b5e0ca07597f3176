import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  AGREEMENT_VERSION,
  type ChangesPage,
  ENTERPRISE_BASE_PATH,
  type SnapshotManifest,
} from '@broker-transparency/contract/enterprise';
import { canonicalJson } from '@broker-transparency/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';

let log: LogService;
let ask: AsCustomer;
let review: string;
let number: number;
let first: Map<string, Buffer>;

/** Makes a snapshot of everything that is written, and returns its number. */
const snapshotNow = async (): Promise<number> => {
  await log.service.settle();
  const printed = succeeded(await log.service.cli('admin', 'enterprise', 'snapshot'));
  return Number(/^Snapshot (\d+) has /.exec(printed)?.[1]);
};

const readManifest = async (of: number): Promise<SnapshotManifest> => {
  const answer = await ask(`/snapshots/${of}`);
  expect(answer.status).toBe(200);
  return answer.json<SnapshotManifest>();
};

/** Downloads every file of a snapshot. */
const download = async (of: number): Promise<Map<string, Buffer>> => {
  const files = new Map<string, Buffer>();
  for (const { name } of (await readManifest(of)).files) {
    const answer = await ask(`/snapshots/${of}/files/${name}`);
    expect([name, answer.status]).toEqual([name, 200]);
    files.set(name, answer.bytes);
  }
  return files;
};

const readLines = (files: ReadonlyMap<string, Buffer>, pattern: RegExp): string[] =>
  [...files]
    .filter(([name]) => pattern.test(name))
    .flatMap(([, bytes]) => gunzipSync(bytes).toString().trimEnd().split('\n'));

const ENTRIES = /^entries-.*\.gz$/;

beforeAll(async () => {
  log = await startLogService();
  const { service } = log;
  await importRows(service, 'brokers', [
    brokerRow('alpha', { name: '=HYPERLINK("x")' }),
    brokerRow('beta'),
    brokerRow('gamma', {
      provenance: Array.from({ length: 60 }, (_, n) => ({
        fact: 'profile',
        sourceUrl: `https://gamma.example/${n}?${'long'.repeat(400)}`,
      })),
    }),
  ]);
  await importRows(service, 'news', [newsRow(1, { brokerSlugs: ['alpha'] }), newsRow(2)]);
  const author = await createToken(service, 'author');
  [review] = (await publishReviews(service, 'alpha', [author], { title: 'Quixotic' })).map(({ id }) => id) as [string];
  await publishReviews(service, 'beta', [await createToken(service, 'other')]);
  ask = await grantCustomer(service, 'acme-bank', 'institution');
  number = await snapshotNow();
  first = await download(number);
});
afterAll(() => log?.remove());

/** The last entry of each key that says something, by the feed. */
const expectedLines = async (through: number): Promise<string[]> => {
  const last = new Map<string, ChangesPage['entries'][number]>();
  for (const entry of (await ask('/changes?limit=1000')).json<ChangesPage>().entries)
    if (entry.number <= through) last.set(entry.key, entry);
  return [...last.values()].filter(({ value }) => value !== null).map((entry) => canonicalJson(entry));
};

describe('a snapshot', () => {
  test('a snapshot has the last entry of each key as the log has it, in both compressions and by key', async () => {
    const { counts, entries, files, tree } = await readManifest(number);
    const lines = readLines(first, ENTRIES);
    expect(lines.toSorted()).toEqual((await expectedLines(number)).toSorted());
    expect(lines).toHaveLength(entries);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(entries);
    for (const { name, bytes, sha256, lines: count, content, compression } of files) {
      const file = first.get(name) as Buffer;
      expect([name, file.length, createHash('sha256').update(file).digest('hex')]).toEqual([name, bytes, sha256]);
      if (compression === 'zstd')
        expect(zstdDecompressSync(file)).toEqual(gunzipSync(first.get(name.replace(/zst$/, 'gz')) as Buffer));
      else expect(readLines(first, new RegExp(`^${name}$`))).toHaveLength(count + (content === 'table' ? 1 : 0));
    }
    for (const kind of Object.keys(counts)) {
      const keys = readLines(first, new RegExp(`^entries-${kind}-.*gz$`)).map((line) => JSON.parse(line).key as string);
      expect(keys).toEqual(keys.toSorted());
    }
    const page = (await ask(`/changes?after=${number}&limit=1`)).json<ChangesPage>();
    expect([page.through, tree]).toEqual([number, page.tree]);
  });

  test('a snapshot is listed, and proves itself by the checkpoint that covers it', async () => {
    const { text, size } = await untilAllSigned(log.service);
    const list = (await ask('/snapshots')).json<{ data: { number: number }[] }>();
    expect(list.data.map((one) => one.number)).toEqual([number]);
    const { signed, terms } = await readManifest(number);
    expect([signed?.checkpoint, signed?.size]).toEqual([text, size]);
    expect(terms).toMatchObject({ agreement: AGREEMENT_VERSION, section: 'data-terms-institutions' });
  });

  test('the tables of a snapshot have no cell that a spreadsheet would compute', () => {
    const [head, ...rows] = readLines(first, /^table-broker/);
    expect(head).toMatch(/^key,number,time,cause,validFrom,validTo,slug,name,status/);
    expect(rows.map((row) => row.split(',')[6])).toEqual(['alpha', 'beta', 'gamma']); // its entry has only a hash
    expect(readLines(first, /^entries-broker.*gz$/)[2]).toContain('"valueHash":');
    expect(rows.filter((row) => row.includes('HYPERLINK'))).toEqual([expect.stringContaining(`"'=HYPERLINK(""x"")"`)]);
  });

  test('a snapshot has the texts that its entries have commitments to', () => {
    const lines = readLines(first, /^texts-/).map((line) => JSON.parse(line));
    const own = lines.find(({ key }) => key === `review/${review}`);
    expect(own.texts.title).toMatchObject({ text: 'Quixotic' });
    const entry = readLines(first, /^entries-review.*gz$/).map((line) => JSON.parse(line));
    const { texts } = entry.find(({ key }) => key === `review/${review}`).value;
    for (const [field, { salt, text }] of Object.entries<{ salt: string; text: string }>(own.texts)) {
      const bytes = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(text)]);
      expect(createHash('sha256').update(bytes).digest('base64')).toBe(texts[field]);
    }
    expect(lines.map(({ key }) => key.split('/')[0])).toEqual(expect.arrayContaining(['review', 'news']));
  });
});

test.each(['feed', 'snapshots'])('the samples of the page about %s run', async (page) => {
  const text = await readFile(new URL(`../../docs/enterprise/${page}.md`, import.meta.url), 'utf8');
  const [, samples = ''] = /^```sh\n(curl[\s\S]*?)^```$/m.exec(text) ?? [];
  expect(samples.match(/^curl/gm)).toHaveLength(3);
  const script = samples.replaceAll('http://127.0.0.1:3000', log.service.origin).replaceAll(/^curl/gm, 'curl -sS -f');
  const token = succeeded(await log.service.cli('enterprise', 'issue-key', 'acme-bank', '--quiet')).trim();
  const env = { PATH: process.env['PATH'], KEY: token, NUMBER: String(number) };
  await promisify(execFile)('bash', ['-e', '-c', script], { env, cwd: log.scratch.path });
});

describe('a file', () => {
  const NAME = 'entries-license-0001.ndjson.gz';
  const get = (headers: Record<string, string>, method = 'GET'): Promise<HttpResponse> =>
    ask(`/snapshots/${number}/files/${NAME}`, { headers, method });
  const file = (): Buffer => first.get(NAME) as Buffer;

  test('a file of a snapshot is sent as it is stored, whatever the caller accepts', async () => {
    const { status, headers, bytes } = await get({ 'Accept-Encoding': 'br, gzip', Accept: 'application/gzip' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(file().length),
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(file()).digest('hex')}"`,
      'content-disposition': `attachment; filename="${NAME}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(bytes).toEqual(file());
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, `${file().length}`, 0]);
    const zstd = await ask(`/snapshots/${number}/files/${NAME.replace('gz', 'zst')}`);
    expect(zstd.headers['content-type']).toBe('application/zstd');
  });

  test('a download of a file resumes where it stopped, as long as the file is the same', async () => {
    const etag = (await get({}, 'HEAD')).headers['etag'] as string;
    const rest = await get({ Range: 'bytes=100-', 'If-Range': etag });
    expect([rest.status, rest.headers['content-range']]).toEqual([
      206,
      `bytes 100-${file().length - 1}/${file().length}`,
    ]);
    expect(rest.bytes).toEqual(file().subarray(100));
    const other = await get({ Range: 'bytes=100-', 'If-Range': '"other"' });
    expect([other.status, other.bytes.length]).toEqual([200, file().length]);
    const beyond = await get({ Range: `bytes=${file().length}-` });
    expect([beyond.status, beyond.headers['content-range'], beyond.bytes.length]).toEqual([
      416,
      `bytes */${file().length}`,
      0,
    ]);
    expect((await get({ 'If-None-Match': etag })).status).toBe(304);
    expect((await get({ 'If-Match': '"other"' })).status).toBe(412);
  });

  test('needs a key with its scopes, and a name that the manifest has', async () => {
    const url = `${log.service.origin}${ENTERPRISE_BASE_PATH}/snapshots/${number}/files`;
    const scoped = async (scope: string): Promise<string> =>
      succeeded(await log.service.cli('enterprise', 'issue-key', 'acme-bank', '--scope', scope, '--quiet')).trim();
    const fetchStatus = async (path: string, token?: string) => (await send(`${url}/${path}`, { token })).status;
    const [bare, other] = [await scoped('snapshots:read'), await scoped('record:read')];
    expect(await fetchStatus(NAME)).toBe(401);
    expect(await fetchStatus(NAME, other)).toBe(403);
    expect(await fetchStatus(NAME, bare)).toBe(200);
    expect(await fetchStatus('texts-review-0001.ndjson.gz', bare)).toBe(403);
    for (const name of ['manifest.json', 'none', '..%2F..%2Flog', '%2e%2e%2fmanifest.json', `../${number}/${NAME}`])
      expect([name, (await ask(`/snapshots/${number}/files/${name}`)).status]).not.toEqual([name, 200]);
    expect((await ask(`/snapshots/${number + 1}`)).json()['code']).toBe('not_found');
    expect((await ask(`/snapshots/${number + 1}/files/${NAME}`)).json()['code']).toBe('not_found');
  });
});

test('the same number gives the same bytes, merged or not, and whoever is killed leaves nothing', async () => {
  await importRows(log.service, 'brokers', [brokerRow('beta', { name: 'beta two' }), brokerRow('delta')]);
  const folder = join(log.service.dataDir, 'snapshots');
  await mkdir(join(folder, '.unfinished-7'), { recursive: true });
  await writeFile(join(folder, '.unfinished-7', 'entries-broker-0001.ndjson.gz'), 'half');
  await mkdir(join(folder, '7'));
  const merged = await snapshotNow();
  expect(merged).toBeGreaterThan(number);
  expect((await readdir(folder)).toSorted()).toEqual([`${number}`, `${merged}`].toSorted());
  const files = await download(merged);
  expect(readLines(files, ENTRIES).toSorted()).toEqual((await expectedLines(merged)).toSorted());
  await rename(folder, `${folder}-aside`);
  expect(await snapshotNow()).toBe(merged);
  expect(await download(merged)).toEqual(files);
  await rename(folder, `${folder}-whole`);
  await rename(`${folder}-aside`, folder);
});

test('the next snapshot is not built upon a damaged one', async () => {
  const folder = join(log.service.dataDir, 'snapshots');
  const newest = Math.max(...(await readdir(folder)).map(Number));
  await writeFile(join(folder, String(newest), 'entries-broker-0001.ndjson.gz'), 'damaged');
  await importRows(log.service, 'brokers', [brokerRow('epsilon')]);
  const next = await snapshotNow();
  expect(readLines(await download(next), ENTRIES).toSorted()).toEqual((await expectedLines(next)).toSorted());
});

test('an erased text is taken out of every snapshot, and nothing else of it changes', async () => {
  const { service } = log;
  const folder = join(service.dataDir, 'snapshots');
  const bytesOnDisk = async (): Promise<string> => {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const read = files.filter((file) => file.isFile() && /\.gz/.test(file.name) && /^texts-/.test(file.name));
    const all = await Promise.all(read.map((file) => readFile(join(file.parentPath, file.name))));
    return all.map((bytes) => gunzipSync(bytes).toString()).join('');
  };
  expect(await bytesOnDisk()).toContain('Quixotic');
  const before = await readManifest(number);
  succeeded(await service.cli('account', 'erase', 'author', '--yes', 'author', '--reason', 'requested'));
  await service.settle();
  succeeded(await service.cli('admin', 'job', 'run', 'snapshot-texts'));
  expect(await bytesOnDisk()).not.toContain('Quixotic');
  expect(readLines(await download(number), /^texts-/).join()).not.toContain(review);
  const after = await readManifest(number);
  const changed = after.files.filter((file, at) => file.sha256 !== before.files[at]?.sha256);
  expect(changed.map(({ name, lines }) => [name, lines])).toEqual([['texts-review-0001.ndjson.gz', 1]]);
  expect(changed[0]?.rewrittenAt).toBeDefined();
  expect({ ...after, files: [], signed: null }).toEqual({ ...before, files: [], signed: null });
  const next = await snapshotNow();
  expect(readLines(await download(next), /^texts-/).join()).not.toContain('Quixotic');
});

test('keeps as many snapshots as the setting says, and none of another history', async () => {
  const folder = join(log.service.dataDir, 'snapshots');
  const numbers = (await readdir(folder)).map(Number).toSorted((a, b) => a - b);
  const [oldest = 0] = numbers;
  const manifest = join(folder, String(oldest), 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/"root":"./g, '"root":"='));
  await importRows(log.service, 'brokers', [brokerRow('zeta')]);
  const next = await snapshotNow();
  expect((await readdir(folder)).map(Number).toSorted((a, b) => a - b)).toEqual([...numbers.slice(1), next]);
  await importRows(log.service, 'brokers', [brokerRow('eta')]);
  await log.service.settle();
  succeeded(await log.service.cliWith({ SNAPSHOTS_KEPT: '2' }, 'admin', 'enterprise', 'snapshot'));
  const kept = (await readdir(folder)).map(Number).toSorted((a, b) => a - b);
  expect([kept.length, kept[0]]).toEqual([2, next]);
});
