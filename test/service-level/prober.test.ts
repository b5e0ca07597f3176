import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantCustomerKey } from '../support/enterprise.ts';
import { importRows } from '../support/filled-service.ts';
import { addMinutes } from '../support/prober.ts';
import { brokerRow } from '../support/records.ts';
import { type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';
import { type Front, isSignedBy, startFront } from './front.ts';
import { createProber, listWrong, newProberKey, type Prober } from './probing.ts';

let log: LogService;
let front: Front;
let key: { file: string; verifierKey: string };
let token: string;
let days = 0;
/** A prober that only reads what is public. */
let plain: Prober;
/** A prober that is given everything there is. */
let full: Prober;
/** The day of a test: each has its own, and the one after it. */
let date: string;
let minute: string;

beforeAll(async () => {
  log = await startLogService();
  key = await newProberKey(log.scratch, 'frankfurt-1');
  front = await startFront(key.verifierKey);
  await importRows(log.service, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
  token = log.scratch.file('enterprise.key');
  await writeFile(token, `${await grantCustomerKey(log.service, 'prober', 'institution')}\n`, { mode: 0o600 });
  await untilAllSigned(log.service);
});
afterAll(async () => {
  await front?.close();
  await log?.remove();
});
beforeEach(() => {
  front.lead(log.service.origin);
  front.behave();
  date = new Date(Date.UTC(2026, 11, 1 + 3 * days++)).toISOString().slice(0, 10);
  minute = `${date}T10:05Z`;
  plain = createProber(front.origin, key.file, log.scratch.file(`plain-${days}`));
  const given = ['--enterprise-key', token, '--log-key', log.key.verifierKey];
  full = createProber(front.origin, key.file, log.scratch.file(`full-${days}`), given);
});

describe('a minute', () => {
  test('a minute is measured, signed, kept and delivered', async () => {
    const line = await full.probe(minute);
    expect(listWrong(line), JSON.stringify(line.checks)).toEqual([]);
    expect(Object.keys(line.checks).sort()).toEqual(['enterprise', 'feed', 'proof', 'public']);
    expect(line).toMatchObject({ prober: 'frankfurt-1', minute, previous: null });
    const kept = await readFile(join(full.dir, 'results', `${date}.ndjson`), 'utf8');
    expect(isSignedBy(key.verifierKey, kept)).toBe(true);
    expect(front.lines(date).map((each) => `${each}\n`)).toEqual([kept]);
  });

  test('a minute is measured only after the one in which the service gets to know the prober', async () => {
    front.register(false);
    expect((await plain.run(minute)).stdout).toContain(`broker-rating admin prober add ${key.verifierKey}`);
    front.register(true);
    expect((await plain.run(addMinutes(minute, 1))).stdout).toContain('from the next minute on');
    expect((await plain.run(addMinutes(minute, 2))).stdout).toContain('The service is up.');
    expect((await plain.kept(date)).map((line) => line.minute)).toEqual([addMinutes(minute, 2)]);
  });

  test('a minute is measured once: a second run in it only delivers', async () => {
    front.behave((req) => req.method === 'POST' && req.socket.destroy() !== undefined);
    await plain.probe(minute);
    expect(front.lines(date)).toHaveLength(0);
    front.behave();
    expect((await plain.run(minute)).stdout).toContain('is measured already');
    expect(await plain.kept(date)).toHaveLength(1);
    expect(front.lines(date)).toHaveLength(1);
  });

  test('a minute of a service that is away is down, and is delivered when the service is back', async () => {
    await plain.probe(minute);
    front.lead(undefined);
    const away = await plain.probe(addMinutes(minute, 1));
    expect(away.checks['public']).toMatchObject({ ok: false, error: expect.stringContaining('cannot be asked') });
    expect(front.lines(date)).toHaveLength(1);
    front.lead(log.service.origin);
    await plain.probe(addMinutes(minute, 1440));
    expect(front.lines(date).map((each) => JSON.parse(each).checks.public.ok)).toEqual([true, false]);
    expect(front.lines(addMinutes(minute, 1440).slice(0, 10))).toHaveLength(1);
  });

  test('a minute stays where it is when the clock jumps back', async () => {
    for (const after of [0, 2, 0, 1]) await plain.probe(addMinutes(minute, after));
    expect(front.lines(date)).toHaveLength(4);
    expect((await plain.kept(date)).map((line) => line.minute.slice(11))).toEqual([
      '10:05Z',
      '10:07Z',
      '10:05Z',
      '10:06Z',
    ]);
  });
});

describe('the chain', () => {
  const formatPath = () => join(plain.dir, 'results', `${date}.ndjson`);

  test('the chain goes on behind a line that a power cut has torn', async () => {
    await plain.probe(minute);
    const whole = await readFile(formatPath(), 'utf8');
    await plain.probe(addMinutes(minute, 1));
    await truncate(formatPath(), whole.length + 40);
    front.forget(date, 1);
    await plain.probe(addMinutes(minute, 2));
    await appendFile(formatPath(), '\0\0\0\0\n');
    await plain.probe(addMinutes(minute, 3));
    expect((await plain.kept(date)).map((line) => line.minute.slice(14, 16))).toEqual(['05', '07', '08']);
    expect(front.lines(date)).toEqual((await readFile(formatPath(), 'utf8')).trim().split('\n'));
  });

  test('the chain is delivered from where the service has it, if that is less than the prober thought', async () => {
    for (const after of [0, 1, 2]) await plain.probe(addMinutes(minute, after));
    front.forget(date, 1);
    await plain.probe(addMinutes(minute, 3));
    expect(front.lines(date)).toHaveLength(4);
  });

  test('the chain of a day that is over is delivered again when the service has lost what it had', async () => {
    const night = `${date}T23:58Z`;
    for (const after of [0, 1, 2, 3]) await plain.probe(addMinutes(night, after));
    const next = addMinutes(night, 2).slice(0, 10);
    expect([date, next].map((day) => front.lines(day).length)).toEqual([2, 2]);
    front.forget(date, 1);
    front.forget(next, 0);
    for (const after of [4, 5]) await plain.probe(addMinutes(night, after));
    expect([date, next].map((day) => front.lines(day).length)).toEqual([2, 4]);
  });

  test('the chain is not lost to a clock that jumps ahead by years', async () => {
    await plain.probe(minute);
    await plain.run(minute.replace('2026', '2030'));
    expect(await plain.kept(date)).toHaveLength(1);
  });

  test('a chain that is not the one of the service is left as it is, and the prober says so', async () => {
    await plain.probe(minute);
    const other = createProber(front.origin, key.file, log.scratch.file('other-folder'));
    await other.run(minute);
    const { stdout } = await other.run(addMinutes(minute, 1));
    expect(stdout).toContain(`of ${date} it has 1 lines that are not ours`);
    expect(front.lines(date)).toHaveLength(1);
  });
});

/** Answers public reads in a hostile way. */
type Hostile = (req: IncomingMessage, res: ServerResponse) => void;

const HOSTILE: readonly [string, Hostile, RegExp][] = [
  [
    'a redirect',
    (_req, res) => void res.writeHead(302, { Location: '/api/v1/brokers' }).end(),
    /^the list of brokers answers 302$/,
  ],
  ['wrong JSON', (_req, res) => void res.end('{"data":['), /^the list of brokers answers what is no JSON$/],
  [
    'other JSON',
    (_req, res) => void res.end(JSON.stringify({ data: [{ slug: '../../enterprise' }] })),
    /^the list of brokers answers without a right data\.0\.slug$/,
  ],
  [
    'a problem with a long title',
    (_req, res) => void res.writeHead(503).end(JSON.stringify({ code: 'unavailable', title: 'x'.repeat(9999) })),
    /^the list of brokers answers 503 \(unavailable\)$/,
  ],
  [
    'an answer without an end',
    (_req, res) => {
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(65_536)));
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    },
    /^it answers more than 8388608 bytes$/,
  ],
  [
    'a byte now and then',
    (_req, res) => void setInterval(() => res.write(' '), 500).unref(),
    /^it gives no answer within 5 s$/,
  ],
  ['nothing', () => {}, /^it gives no answer within 5 s$/],
  ['no HTTP', (req) => void req.socket.end('SSH-2.0-OpenSSH\r\n'), /^it cannot be asked \(\w+\)$/],
];

test.each(HOSTILE)('bounds and names %s', async (_what, hostile, error) => {
  front.behave((req, res) => {
    if (!req.url?.startsWith('/api/')) return false;
    hostile(req, res);
    return true;
  });
  const line = await plain.probe(minute);
  expect(line.checks['public']).toMatchObject({ ok: false, error: expect.stringMatching(error) });
  expect(line.checks['public']?.ms).toBeLessThan(7000);
  expect(front.lines(date), 'a line about it is delivered').toHaveLength(1);
});
