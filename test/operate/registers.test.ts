import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type FeedHandler, type FeedServer, startFeedServer } from '../support/hostile-feeds.ts';
import { brokerRow, CHECKED_AT, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { expectEntry, readTrail } from '../support/trail.ts';

const HEADER = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';
/** A register with as many firms as the mapping of ASIC expects, and ours in it with their states. */
const register = (ours: Readonly<Record<string, string>>, firms = 4100): string =>
  [
    HEADER,
    ...Object.entries(ours).map(([number, status]) => `AFS Licence,${number},OURS-${number} LTD,,01/02/2010,${status}`),
    ...Array.from({ length: firms }, (_, n) => `AFS Licence,${100_000 + n},FIRM ${n} PTY LTD,,01/02/2010,APPR`),
  ].join('\r\n');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** A register in which all five of ours are in force. */
const OURS = Object.fromEntries(['1', '2', '3', '4', '5'].map((number) => [number, 'APPR']));
const GOOD = register(OURS);
/** The day that the publisher says. */
const MODIFIED = 'Mon, 02 Nov 2026 10:00:00 GMT';
const AS_OF = '2026-11-02T10:00:00.000Z';

let scratch: Scratch;
let publisher: FeedServer;
let service: LocalService;
let dataDir: string;
const trail = readTrail();

beforeAll(async () => {
  [scratch, publisher] = await Promise.all([createScratch(), startFeedServer()]);
  service = await startService();
  dataDir = service.dataDir;
  await importRows(
    service,
    'brokers',
    Object.keys(OURS).map((number) =>
      brokerRow(`ours-${number}`, {
        licenses: [licenseRow(`ours-${number} Ltd`, 'asic', { referenceNumber: number })],
      }),
    ),
  );
  await trail.next(service);
});
afterAll(async () => {
  await service?.remove();
  await publisher?.close();
  await scratch?.remove();
});

let served = 0;
/** Settings by which a list is fetched from the publisher of the test. */
const settings = async (over: object = {}) => ({
  REGISTERS: await scratch.write(
    `registers-${++served}.json`,
    JSON.stringify([{ name: 'asic', url: `${publisher.origin}/list`, ...over }]),
  ),
  REGISTERS_PORTS: `80,${publisher.port}`,
  REGISTERS_ALLOW_LOOPBACK: 'true',
});
const run = async (over: object, ...args: string[]) => service.cliWith(await settings(over), ...args);
const fetched = async (over: object = {}, ...args: string[]) => {
  const { stdout } = await run(over, 'register', 'fetch', '--json', ...args);
  return (JSON.parse(stdout) as Record<string, unknown>[])[0];
};
interface State {
  readonly checkedAt: string | null;
  readonly failures: number;
  readonly lastError: string | null;
  readonly files: { readonly sha256: string; readonly entries: number; readonly asOf: string }[];
}
const state = async (): Promise<State> => JSON.parse(succeeded(await run({}, 'register', 'show', 'asic', '--json')));
const kept = () => readdirSync(join(dataDir, 'registers/asic')).sort();

const answers =
  (text: string, headers: Record<string, string> = {}): FeedHandler =>
  (req, res) => {
    const { etag } = headers;
    if (etag !== undefined && req.headers['if-none-match'] === etag) res.writeHead(304, headers).end();
    else res.writeHead(200, { 'content-type': 'text/csv', ...headers }).end(text);
  };
/** ASIC's alert list with as many firms, of which the first one has this number. */
const alerts = (first: number, count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      uniqueIdentifier: first + n,
      nameMandatory: `Warned Firm ${first + n}`,
      websites: [`warned-${first + n}.example`],
      dateAdded: '2026-10-01',
      investorAlertCategoryMandatory: 'Unlicensed',
    })),
  );
const leastAlerts = async (): Promise<number> =>
  JSON.parse(succeeded(await run({}, 'register', 'show', 'asic-alerts', '--json'))).expected.min;
const fetchedAlerts = (...args: string[]) =>
  fetched({ name: 'asic-alerts', apply: 'everything', termsRead: true }, ...args);
const signal = async (name: string) =>
  JSON.parse((await service.cli('status', '--json')).stdout).signals.find(
    (row: { signal: string }) => row.signal === name,
  );
const regulator = () => service.client().regulators.get('asic');
const license = async (slug: string) => (await service.client().brokers.get(slug)).licenses[0];

test('keeps a whole file, and a look at the register is what the public sees of it', async () => {
  expect(await regulator()).toMatchObject({ lastVerifiedAt: null, stale: true });
  publisher.serve('/list', answers(GOOD, { etag: '"1"', 'last-modified': MODIFIED }));
  expect(await fetched({}, '--dry-run')).toMatchObject({ status: 'kept', entries: 4105, compared: 5, run: null });
  expect([(await state()).files, kept()]).toEqual([[], []]);

  expect(await fetched()).toMatchObject({
    status: 'kept',
    entries: 4105,
    compared: 5,
    changed: 0,
    unclear: 0,
    run: null,
  });
  expect((await state()).files).toMatchObject([{ sha256: sha256(GOOD), entries: 4105, asOf: AS_OF }]);
  expect(kept()).toEqual([sha256(GOOD)]);
  // license check takes the day from it
  expect(statSync(join(dataDir, 'registers/asic', sha256(GOOD))).mtime.toISOString()).toBe(AS_OF);
  expect(await regulator()).toMatchObject({ lastVerifiedAt: AS_OF, stale: false });
  expect(await license('ours-1')).toMatchObject({ lastVerifiedAt: CHECKED_AT, stale: true }); // nothing is applied by itself
  expect(await trail.next(service)).toEqual(
    [
      expectEntry('operator:system', 'register.kept', 'register asic', undefined, {
        sha256: sha256(GOOD),
        entries: 4105,
      }),
      expectEntry('operator:system', 'regulator.verified', 'regulator asic'),
    ].map((one) =>
      expect.objectContaining({ ...one, ...(one.after ? { after: expect.objectContaining(one.after) } : {}) }),
    ),
  );
});

test('a fetch asks for a list only if it has changed', async () => {
  const before = await state();
  expect(await fetched()).toMatchObject({ status: 'unchanged', entries: 4105 });
  expect(publisher.asked('/list').at(-1)?.headers).toMatchObject({
    'if-none-match': '"1"',
    'if-modified-since': MODIFIED,
  });
  const after = await state();
  expect(after.files).toEqual(before.files);
  expect(Date.parse(String(after.checkedAt))).toBeGreaterThan(Date.parse(String(before.checkedAt)));
});

test.each<[string, FeedHandler, object, RegExp]>([
  ['an error', (_req, res) => void res.writeHead(503).end(), {}, /^answers 503$/],
  [
    'a file that is cut off before its length',
    (_req, res) => {
      res.writeHead(200, { 'content-length': GOOD.length }).write(GOOD.slice(0, 90_000));
      setTimeout(() => res.destroy(), 50);
    },
    {},
    /^(cannot be read|breaks off|ends after)/,
  ],
  ['a file that is cut off and says nothing of it', answers(GOOD.slice(0, 150_000)), {}, /^It has \d+ entries, /],
  ['a file that is too large', answers(GOOD), { maxBytes: 90_000 }, /^is larger than 90000 bytes$/],
  [
    'one that comes too slowly',
    (_req, res) => void res.writeHead(200).write(HEADER),
    { timeoutSeconds: 1 },
    /^takes longer than 1 s$/,
  ],
  [
    'a redirect into a private network',
    (_req, res) => void res.writeHead(302, { location: 'http://10.0.0.1/list' }).end(),
    {},
    /10\.0\.0\.1, which is not public/,
  ],
  ['a page in place of the file', answers('<!doctype html><title>Away</title>'), {}, /^line 1: is not ASIC.*web page/],
  ['another list', answers('a,b\r\n1,2\r\n'), {}, /is not ASIC/],
  [
    'gzip that is cut off',
    (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(GOOD).subarray(0, 5000)),
    {},
    /^is not the gzip it says it is/,
  ],
])('keeps the last good file after %s', async (_, handler, over, message) => {
  const before = await state();
  publisher.serve('/list', handler);
  const result = await run(over, 'register', 'fetch', '--json');
  expect(result).toMatchObject({ code: 1, stderr: '1 of 1 lists failed; the last good files stay.\n' });
  expect(JSON.parse(result.stdout)).toMatchObject([
    { name: 'asic', status: 'failed', error: expect.stringMatching(message) },
  ]);
  const after = await state();
  expect(after).toMatchObject({ files: before.files, checkedAt: before.checkedAt, failures: before.failures + 1 });
  expect(after.lastError).toMatch(message);
  expect(kept()).toEqual([sha256(GOOD)]);
});

test('takes a good file again, in gzip, and writes what is configured', async () => {
  const file = register({ ...OURS, 2: 'SUSP' });
  publisher.serve('/list', answers(gzipSync(file) as unknown as string, { 'content-encoding': 'gzip' }));
  expect(await fetched({ apply: 'confirmed' })).toMatchObject({ status: 'kept', changed: 1, run: expect.any(String) });
  expect(await state()).toMatchObject({ failures: 0, lastError: null });
  expect(await license('ours-1')).toMatchObject({ status: 'active', stale: false });
  expect(await license('ours-2')).toMatchObject({ status: 'active', lastVerifiedAt: CHECKED_AT });
  expect(kept()).toEqual([sha256(GOOD), sha256(file)].sort());

  const { run: written } = (await fetched({ apply: 'everything' })) as { run: string };
  expect((await license('ours-2'))?.status).toBe('suspended');
  succeeded(await service.cli('import', 'undo', written, '--yes', written));
  expect((await license('ours-2'))?.status).toBe('active');
});

test('a list that lost many of ours ends none of them without a person', async () => {
  publisher.serve('/list', answers(register({ 1: 'APPR' })));
  const row = await fetched({ apply: 'everything' });
  expect(row).toMatchObject({ changed: 4, error: expect.stringContaining('would end 4 licences of ours') });
  expect((await license('ours-3'))?.status).toBe('active');
  expect((await license('ours-1'))?.stale).toBe(false);
  expect(await signal('register-changes')).toMatchObject({
    count: 1,
    named: [expect.stringMatching(/^asic: .*would end 4/)],
  });
  const whole = await scratch.write('afs_lic_20261104.csv', GOOD);
  succeeded(await service.cli('license', 'check', '--register', 'asic', whole, '--apply'));
  expect(await signal('register-changes')).toMatchObject({ level: 'fine', count: 0 });
});

test('a file that was dropped comes back by no fetch, but by hand', async () => {
  const bad = register({ 1: 'APPR' });
  const before = (await state()).files;
  expect(before[0]?.sha256).toBe(sha256(bad));
  expect(succeeded(await run({}, 'register', 'drop', 'asic', '--reason', 'not_whole'))).toMatch(/good one again/);
  expect((await state()).files[0]?.sha256).toBe(before[1]?.sha256);
  expect(await fetched()).toMatchObject({ status: 'failed', error: expect.stringContaining('was dropped') });
  const file = await scratch.write('afs_lic_20261105.csv', bad);
  const brought = JSON.parse(succeeded(await run({}, 'register', 'add-file', 'asic', file, '--json')));
  expect(brought).toMatchObject({ name: 'asic', entries: 4101, run: null });
  expect((await state()).files[0]).toMatchObject({ sha256: sha256(bad), asOf: '2026-11-05T00:00:00.000Z' });
});

test('the job fetches what is due, and no list whose terms forbid it', async () => {
  publisher.serve('/list', answers(GOOD));
  const asked = publisher.asked('/list').length;
  const both = [
    { name: 'asic', url: `${publisher.origin}/list` },
    { name: 'bafin', url: `${publisher.origin}/other` },
  ];
  const setting = { ...(await settings()), REGISTERS: await scratch.write('both.json', JSON.stringify(both)) };
  succeeded(await service.cliWith({ ...setting, CLOCK: '+2d' }, 'admin', 'job', 'run', 'fetch-registers'));
  expect(publisher.asked('/list').length).toBe(asked + 1);
  expect(publisher.asked('/other')).toEqual([]);
  succeeded(await service.cliWith({ ...setting, CLOCK: '+2d' }, 'admin', 'job', 'run', 'fetch-registers'));
  expect(publisher.asked('/list').length).toBe(asked + 1);
  const rows = JSON.parse(succeeded(await service.cliWith(setting, 'register', 'list', '--json')));
  const errors = Object.fromEntries(
    rows.map((row: { name: string; lastError: string | null }) => [row.name, row.lastError]),
  );
  expect(errors).toMatchObject({ asic: null, bafin: expect.stringContaining('do not let machines fetch it') });
});

test('a list of warnings is read at once where that is configured', async () => {
  const min = await leastAlerts();
  publisher.serve('/list', answers(alerts(0, min)));
  expect(await fetchedAlerts()).toMatchObject({
    name: 'asic-alerts',
    status: 'kept',
    entries: min,
    run: expect.any(String),
    error: null,
  });
  const lists = JSON.parse(succeeded(await service.cli('warning', 'lists', '--json')));
  expect(JSON.stringify(lists)).toContain('asic-alerts');
});

test('a list that would withdraw many warnings is kept until a person accepts it, and a signal says so', async () => {
  const min = await leastAlerts();
  const standing = async () => {
    const rows = JSON.parse(
      succeeded(await service.cli('warning', 'list', '--source', 'asic-alerts', '--limit', '99999', '--json')),
    ) as { names: string[]; withdrawnAt: string | null }[];
    return rows.filter(({ withdrawnAt }) => withdrawnAt === null).length;
  };
  publisher.serve('/list', answers(alerts(500, min)));
  const waits = expect.stringContaining(`withdraws 500 of the ${min} warnings that stand`);
  expect(await fetchedAlerts()).toMatchObject({ status: 'kept', run: null, error: waits });
  expect(await standing()).toBe(min);
  expect(await signal('register-changes')).toMatchObject({ level: 'look', count: 1, named: [waits] });
  expect(await fetchedAlerts()).toMatchObject({ status: 'unchanged', run: null, error: waits });
  expect(await fetchedAlerts('--accept-change')).toMatchObject({ run: expect.any(String), error: null });
  expect(await standing()).toBe(min);
  expect(await signal('register-changes')).toMatchObject({ level: 'fine', count: 0, since: null });
});

test('a regulator and a licence are stale 40 days after the look at the register', async () => {
  succeeded(await service.cliWith({ CLOCK: '+40d' }, 'admin', 'score', 'refresh'));
  expect((await regulator()).stale).toBe(true);
  expect((await license('ours-1'))?.stale).toBe(true);
});

test.each([
  [['fetch'], /^No list is configured: name one/],
  [['fetch', 'no-such-list'], /no-such-list/],
  [['fetch', 'bafin'], /terms of bafin do not let machines fetch it\. Download it from/],
  [['show', 'no-such-list'], /no-such-list/],
])('register %j says what is wrong', async (args, message) => {
  const { code, stderr } = await service.cli('register', ...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});

test('the files of a register are in the data directory', () => {
  expect(existsSync(join(dataDir, 'registers/asic'))).toBe(true);
});
