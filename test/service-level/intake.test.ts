import { createHash } from 'node:crypto';
import { verifyProof } from '@broker-transparency/client/verify';
import { downloadMonth, recomputeMonth } from '@broker-transparency/client/verify/node';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import {
  computeResultsRoot,
  type MonthFigures,
  monthFigures,
  OBJECTIVES,
  type Objectives,
  type ServiceLevelDay,
} from '@broker-transparency/service-level';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { succeeded } from '../support/filled-service.ts';
import {
  addMinutes,
  createCanary,
  createChain,
  createReading,
  createReadings,
  deliveryHeaders,
  newProber,
  type ProbeReading,
  type TestProber,
} from '../support/prober.ts';
import { readRecord } from '../support/record.ts';
import { startService } from '../support/service.ts';
import { createPolicy, type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';

const DATE = '2026-06-28';
/** The time when probers are registered: they have a vote from 10:01 on. */
const REGISTERED = { CLOCK: `${DATE}T09:59:59Z` };
/** In the minute in which a vote begins. */
const ENDING = { CLOCK: `${DATE}T10:00:00Z` };
const SEALING = { CLOCK: '2026-07-05T00:30:00Z' };

const [one, two, silent] = [newProber('one'), newProber('two'), newProber('silent')];
let log: LogService;

const add = (prober: TestProber, ...more: string[]) =>
  log.service.cliWith(REGISTERED, 'admin', 'prober', 'add', prober.verifierKey, ...more);

beforeAll(async () => {
  log = await startLogService({ CLOCK: `${DATE}T12:30:00Z` });
  for (const prober of [one, two]) succeeded(await add(prober));
  expect(succeeded(await add(silent, '--canary', '5'))).toContain(`from ${DATE}T10:01Z on`);
});
afterAll(() => log?.remove());

const at = (path: string): string => `${log.service.origin}${TRANSPARENCY_BASE_PATH}/service-level${path}`;

const answerTo = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as Record<string, unknown>,
});

/** The clock of the service, to a few seconds. */
const NOW = new Date(`${DATE}T12:30:00Z`);

const keys = new Map([one, two, silent].map((prober) => [prober.name, prober]));
const createHeaders = (name: string, body: string, at = NOW) =>
  deliveryHeaders({ ...(keys.get(name) ?? one), name }, DATE, body, at);

const send = async (prober: string, body: string, headers: Record<string, string>, date = DATE) =>
  answerTo(await fetch(at(`/results/${prober}/${date}`), { method: 'POST', headers, body }));

const deliver = (prober: string, body: string) => send(prober, body, createHeaders(prober, body));

const readRaw = async (prober: string, date = DATE): Promise<string> =>
  (await fetch(at(`/results/${prober}/${date}`))).text();

const parseResults = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const first = createChain(one, createReadings(`${DATE}T10:01Z`, 5));
const next = createChain(
  one,
  createReadings(`${DATE}T10:06Z`, 70, (minute) => minute === 3),
  first.head,
);

test('a prober has one name and one key, and is listed', async () => {
  const again = await add(newProber('one'));
  expect([again.code, again.stderr]).toEqual([expect.any(Number), expect.stringContaining('no name is ever used')]);
  expect(again.code).not.toBe(0);
  const wrong = await log.service.cli('admin', 'prober', 'add', `${one.verifierKey.slice(0, -6)}AAAAA=`);
  expect(wrong.stderr).toContain('This is not a verifier key');
  const listed = JSON.parse(succeeded(await log.service.cli('admin', 'prober', 'list', '--json')));
  const since = `${DATE}T10:01Z`;
  expect(listed).toEqual([
    { name: 'one', key: one.verifierKey, since },
    { name: 'silent', key: silent.verifierKey, since, canaryMinutes: 5 },
    { name: 'two', key: two.verifierKey, since },
  ]);
  const file = log.scratch.file('three.key');
  expect(succeeded(await log.service.cli('admin', 'prober', 'new-key', 'three', file))).toMatch(
    /^three\+[0-9a-f]{8}\+\S{44}\n$/,
  );
});

test('the record says when a vote was given and taken, so none can be made up later', async () => {
  const four = newProber('brief');
  succeeded(await add(four));
  succeeded(await log.service.cliWith(ENDING, 'admin', 'prober', 'end', four.name));
  const votes = (await readRecord(log.service)).filter(({ key }) => key === 'service-level/prober/brief');
  const since = `${DATE}T10:01Z`;
  expect(votes.map(({ value }) => value)).toEqual([
    { verifierKey: four.verifierKey, since },
    { verifierKey: four.verifierKey, since, until: since },
  ]);
  // the clock of the command was two hours behind: the time of the entries is that of the service
  for (const { time } of votes) expect(time > `${DATE}T12:30`).toBe(true);
  // it has learnt early that it is registered: a line about the minute before its vote is taken, and none later
  keys.set(four.name, four);
  const { text, head } = createChain(four, [createReading(`${DATE}T10:00Z`)]);
  expect(await deliver(four.name, text)).toEqual({ status: 200, body: { lines: 1, head } });
  const late = await deliver(four.name, createChain(four, [createReading(since)], head).text);
  expect(late).toMatchObject({ status: 400, body: { detail: expect.stringContaining('had no vote') } });
});

test('lines are kept as they came, each once, and read as they are', async () => {
  expect(await deliver('one', first.text)).toEqual({ status: 200, body: { lines: 5, head: first.head } });
  const twice = await Promise.all([deliver('one', next.text), deliver('one', next.text), deliver('one', next.text)]);
  for (const answer of twice) expect(answer).toEqual({ status: 200, body: { lines: 75, head: next.head } });
  const whole = first.text + next.text;
  expect(await deliver('one', whole)).toEqual(twice[0]);
  expect(await deliver('one', first.text)).toEqual(twice[0]);
  const raw = await fetch(at(`/results/one/${DATE}`));
  expect(raw.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  expect(raw.headers.get('cache-control')).toBe('public, max-age=30');
  expect(await raw.text()).toBe(whole);
  expect(await readRaw('silent')).toBe('');
});

test('one of two chains that come at once counts, and the other one is told what is there', async () => {
  const chains = [
    createChain(two, createReadings(`${DATE}T10:01Z`, 3)),
    createChain(
      two,
      createReadings(`${DATE}T10:01Z`, 4, (minute) => minute === 0),
    ),
  ];
  const answers = await Promise.all(chains.map(({ text }) => deliver('two', text)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const kept = chains[answers.findIndex(({ status }) => status === 200)];
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body).toMatchObject({ code: 'state_conflict', lines: kept?.lines.length, head: kept?.head });
  expect(await readRaw('two')).toBe(kept?.text);
});

const after = (results: readonly ProbeReading[]) => createChain(one, results, next.head);
const valid = after(createReadings(`${DATE}T11:16Z`, 2));

test.each([
  ['an unknown prober', 'four', valid.text, 404, 'No prober has the name'],
  [
    'the key of another one',
    'one',
    createChain({ ...two, name: 'one' }, createReadings(`${DATE}T11:16Z`, 2), next.head).text,
    400,
    'not signed by',
  ],
  ['no signature on the last line', 'one', `${valid.lines[0]}\n`, 400, 'not signed by'],
  ['a signature that no encoder writes', 'one', valid.text.replace(/[^"]=="\}\n$/, 'B=="}\n'), 400, 'not signed by'],
  ['a changed line', 'one', valid.text.replace('"ms":40', '"ms":39'), 400, 'Line 2: "previous"'],
  ['the name of another one', 'silent', valid.text, 400, 'of the prober one'],
  ['another day', 'one', after(createReadings('2026-06-27T11:16Z', 1)).text, 400, 'it is about 2026-06-27'],
  ['the future', 'one', after(createReadings(`${DATE}T23:16Z`, 1)).text, 400, 'in the future'],
  ['the minute of its registration', 'one', after([createReading(`${DATE}T09:59Z`)]).text, 400, 'had no vote'],
  ['a form that is not canonical', 'one', valid.text.replaceAll('{"checks"', '{ "checks"'), 400, 'canonical'],
  ['what is no result', 'one', '{"prober":"one"}\n', 400, 'Line 1'],
  ['nothing', 'one', '\n', 400, 'there is none'],
  [
    'a chain that does not continue',
    'one',
    createChain(one, createReadings(`${DATE}T11:16Z`, 2)).text,
    409,
    'does not continue the 75 lines',
  ],
])('a delivery with %s is refused', async (_what, prober, body, status, why) => {
  const answer = await deliver(prober, body);
  expect(answer).toMatchObject({ status, body: { detail: expect.stringContaining(why) } });
  expect(await readRaw('one')).toBe(first.text + next.text);
});

const MINUTE_MS = 60_000;
test.each([
  ['no signature', { 'Content-Type': 'application/x-ndjson' }, 'prober-time'],
  ['the signature of another prober', createHeaders('two', first.text), 'prober-signature'],
  ['the signature of another day', deliveryHeaders(one, '2026-06-27', first.text, NOW), 'prober-signature'],
  ['a signature of six minutes ago', createHeaders('one', first.text, new Date(+NOW - 6 * MINUTE_MS)), 'prober-time'],
  ['a signature of the future', createHeaders('one', first.text, new Date(+NOW + 6 * MINUTE_MS)), 'prober-time'],
  ['the digest of other lines', createHeaders('one', next.text), 'prober-digest'],
  ['a changed digest', { ...createHeaders('one', first.text), 'prober-digest': 'x' }, 'prober-digest'],
])(
  'lines that everybody can read, sent again with %s, are refused before they are read',
  async (_, headers, parameter) => {
    const answer = await send('one', first.text, headers as Record<string, string>);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ parameter }] } });
    const garbage = await send('one', '{', headers as Record<string, string>);
    expect(garbage).toMatchObject({ status: 400, body: { errors: [{ parameter }] } });
  },
);

test('a delivery is NDJSON of at most a megabyte', async () => {
  const headers = { ...createHeaders('one', valid.text), 'Content-Type': 'application/json' };
  expect(await send('one', valid.text, headers)).toMatchObject({ status: 415 });
  expect(await deliver('one', 'x'.repeat(2 ** 20 + 1))).toMatchObject({ status: 413 });
  expect((await fetch(at(`/results/one/${DATE}`), { method: 'DELETE' })).status).toBe(405);
  expect((await fetch(at('/results/one/yesterday'))).status).toBe(400);
});

test('a mark is written for a prober that may write it, and not too often', async () => {
  const post = async (prober: string, body: object) =>
    answerTo(
      await fetch(at(`/canary/${prober}`), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const mark = `${DATE}T12:30Z`;
  expect(await post('silent', createCanary(silent, mark))).toEqual({ status: 200, body: { mark } });
  expect(await post('silent', createCanary(silent, mark))).toEqual({ status: 200, body: { mark } });
  expect(await post('silent', createCanary(silent, addMinutes(mark, 1)))).toMatchObject({ status: 429 });
  expect(await post('silent', createCanary({ ...one, name: 'silent' }, mark))).toMatchObject({ status: 400 });
  expect(await post('silent', createCanary(silent, `${DATE}T10:05Z`))).toMatchObject({ status: 400 });
  expect(await post('one', createCanary(one, mark))).toMatchObject({ status: 409 });
  const marks = (await readRecord(log.service)).filter(({ key }) => key === 'service-level/canary/silent');
  expect(marks.map(({ value, cause }) => [value, cause])).toEqual([[{ mark }, 'fact']]);
});

/** The entries of days and months, by key. */
const readSealed = async () =>
  (await readRecord(log.service)).filter(({ key }) => /^service-level\/\d{4}-\d\d/.test(key));

test('a day or month is added once its results can no longer come, and takes no result after that', async () => {
  expect((await fetch(at(`/days/${DATE}`))).status).toBe(404);
  for (const at of [SEALING, SEALING])
    succeeded(await log.service.cliWith(at, 'admin', 'job', 'run', 'service-level-seal'));
  const sealed = await readSealed();
  expect(sealed.map(({ key, cause, validFrom }) => [key, cause, validFrom])).toEqual([
    [`service-level/${DATE}`, 'day', `${DATE}T00:00:00.000Z`],
    ['service-level/2026-06-29', 'day', '2026-06-29T00:00:00.000Z'],
    ['service-level/2026-06-30', 'day', '2026-06-30T00:00:00.000Z'],
    ['service-level/2026-07-01', 'day', '2026-07-01T00:00:00.000Z'],
    ['service-level/2026-06', 'day', '2026-06-01T00:00:00.000Z'],
  ]);
  const [day, empty] = sealed.map(({ value }) => value as unknown as ServiceLevelDay);
  const texts = await Promise.all([readRaw('one'), readRaw('silent'), readRaw('two')]);
  const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
  expect(day?.root).toBe(computeResultsRoot(texts.map(parseResults), sha256));
  expect(day?.probers.map(({ name, lines, head }) => [name, lines, head])).toEqual([
    ['one', 75, next.head],
    ['silent', 0, null],
    ['two', expect.any(Number), expect.any(String)],
  ]);
  expect(empty?.probers.map(({ lines }) => lines)).toEqual([0, 0, 0]);

  const late = await deliver('one', valid.text);
  expect(late).toMatchObject({ status: 409, body: { code: 'state_conflict', sealed: true } });
  expect(late.body).not.toHaveProperty('head');
  expect(await deliver('one', next.text)).toMatchObject({ status: 200, body: { lines: 75 } });
  const raw = await fetch(at(`/results/one/${DATE}`));
  expect(raw.headers.get('cache-control')).toBe('public, max-age=86400');
});

test('the figures of a month follow from the lines that are kept', async () => {
  const [from, to] = [`${DATE}T10:01Z`, '2026-07-01T00:00Z'];
  const texts = await Promise.all(['one', 'silent', 'two'].map((name) => readRaw(name)));
  const probers = ['one', 'silent', 'two'].map((name, at) => ({
    name,
    since: from,
    results: parseResults(texts[at] ?? ''),
  }));
  const none = probers.map((prober) => ({ ...prober, results: [] }));
  const days = [
    { date: DATE, probers },
    { date: '2026-06-29', probers: none },
    { date: '2026-06-30', probers: none },
  ];
  const objectives = OBJECTIVES['2026-1'] as Objectives;
  const expected: MonthFigures = monthFigures({ days, from, to, objectives });
  expect(expected.up).toBeGreaterThanOrEqual(3); // two of three probers said so
  const { value } = (await readSealed()).at(-1) ?? {};
  expect(value).toEqual({ month: '2026-06', objectives: '2026-1', ...expected });
});

test('a sealed day or month has a proof once a checkpoint covers it', async () => {
  const { data } = log.service;
  const signing = await startService({ ...data, LOG_KEY: log.key.file }); // with another clock nothing is signed
  await untilAllSigned(signing).finally(() => signing.close());
  for (const path of [`/days/${DATE}`, '/months/2026-06']) {
    const response = await fetch(at(path));
    const { number, value, proof } = (await response.json()) as { number: number; value: object; proof: string };
    const { level, entry } = await verifyProof(proof, createPolicy(log.key));
    expect([level, entry]).toMatchObject(['logged', { number, value }]);
  }
});

test('a customer downloads the month, and recomputes the figures that the record has', async () => {
  const texts = new Map<string, string>();
  for await (const { path, text } of downloadMonth({ month: '2026-06', baseUrl: log.service.origin }))
    if (text !== undefined) texts.set(path, text);
  const found = await recomputeMonth({
    month: '2026-06',
    policy: createPolicy(log.key),
    files: { list: async () => [...texts.keys()], read: async (path) => texts.get(path) },
  });
  expect(found).toMatchObject({ problems: [], differences: [], figures: { from: `${DATE}T10:01Z` } });
  expect(found.published?.value).toMatchObject(found.figures);
});

test('the seal job deletes old lines and keeps their root, and the record stays complete', async () => {
  expect(succeeded(await log.service.cli('admin', 'rebuild', '--check'))).not.toContain('differ from');
  succeeded(await log.service.cliWith({ CLOCK: '2027-08-03T00:30:00Z' }, 'admin', 'job', 'run', 'service-level-seal'));
  expect((await fetch(at(`/results/one/${DATE}`))).status).toBe(404);
  const kept = await inDatabase(log.service, (db) =>
    db.collection('proberDays').findOne({ _id: `${DATE}/one` as never }),
  );
  expect(kept).toMatchObject({ lines: 75, head: next.head });
});

test('the vote of a prober ends with a minute', async () => {
  const printed = succeeded(await log.service.cliWith({ CLOCK: `${DATE}T13:00:00Z` }, 'admin', 'prober', 'end', 'two'));
  expect(printed).toContain(`until ${DATE}T13:01Z`);
  expect((await log.service.cli('admin', 'prober', 'end', 'two')).code).not.toBe(0);
});
