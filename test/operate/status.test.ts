import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const DAY = 86_400_000;

interface SignalRow {
  readonly signal: string;
  readonly level: string;
  readonly count: number;
  readonly named: readonly string[];
}

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  const licenses = [licenseRow('beta Ltd', 'asic', { referenceNumber: '100' })];
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta', { licenses })]);
  succeeded(await service.cliWith({ CLOCK: '+1d' }, 'admin', 'job', 'run', 'record-day'));
});
afterAll(() => service?.remove());

const status = async (code: number, ...options: string[]): Promise<Map<string, SignalRow>> => {
  const result = await service.cli('status', '--json', ...options);
  expect(result.code, result.stderr).toBe(code);
  const { signals }: { signals: SignalRow[] } = JSON.parse(result.stdout);
  return new Map(signals.map((row) => [row.signal, row]));
};

test('a fresh installation has nothing to do now, and something to look at', async () => {
  const rows = await status(0);
  const isFull = (rows.get('disk')?.count ?? 0) < 15; // the disk of this machine may be worth a look itself
  expect([...rows.values()].filter(({ level }) => level !== 'fine').map(({ signal }) => signal)).toEqual([
    'regulators',
    'backup',
    'registers',
    ...(isFull ? ['disk'] : []),
  ]);
  expect(rows.get('disk')?.count).toBeGreaterThan(0);
  expect(rows.has('feeds')).toBe(false);
  await status(1, '--fail-on', 'look');
  expect(succeeded(await service.cli('status'))).toContain('No operators: --actor takes any name.');
});

test('shows database, Redis, clock, log and mail, and no secret of them', async () => {
  const more = {
    REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
    SMTP_URL: 'smtp://user:hunter2@127.0.0.1:1',
    MAIL_FROM: 'mail@ratings.example',
    PUBLIC_URL: 'https://ratings.example',
  };
  const shown = await service.cliWith(more, 'status', '--json');
  expect(shown.stdout).not.toContain('hunter2');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    database: expect.stringMatching(/^mongodb:\/\/\S+ \(MONGODB_URL\)$/),
    redis: '127.0.0.1:1, does not answer',
    clock: expect.stringMatching(/^\d{4}-\S+Z, \d+\.\d s (?:behind|ahead of) the database$/),
    log: expect.stringMatching(/^not signed, \d+ entries$/),
    mail: '127.0.0.1:1, from mail@ratings.example',
  });
  expect(succeeded(await service.cli('status'))).toMatch(/\nredis +none: each process counts requests for itself\n/);
});

test('reviews that wait, a burst of them, and a score that jumps are named with their cause', async () => {
  for (let n = 0; n < 8; n++) {
    const token = await createToken(service, `author-${n}`);
    const answer = await send(`${service.baseUrl}/reviews`, { token, body: reviewBody('alpha') });
    expect(answer.status, answer.text).toBe(201);
  }
  const long = new Date(Date.now() - 8 * DAY);
  await inDatabase(service, (db) => db.collection('reviews').updateOne({}, { $set: { createdAt: long } }));
  expect((await status(1)).get('reviews')).toMatchObject({ level: 'act', count: 8 });
  expect((await status(1)).get('review-bursts')).toMatchObject({ level: 'fine', count: 0 });
  await inDatabase(service, (db) => db.collection('reviews').updateMany({}, { $set: { createdAt: new Date() } }));
  const licenses = [licenseRow('beta Ltd', 'asic', { referenceNumber: '100', status: 'revoked' })];
  await importRows(service, 'brokers', [{ slug: 'beta', licenses }]);
  const rows = await status(0);
  expect(rows.get('review-bursts')).toMatchObject({ level: 'look', named: ['alpha: 8, and 0 in 90 days'] });
  expect(rows.get('score-jumps')).toMatchObject({ level: 'look', count: 1 });
  expect(rows.get('score-jumps')?.named[0]).toMatch(/^beta -\d+\.\d to \d+.*: license \(fact, entry \d+\)/);
  expect(succeeded(await service.cli('status', '--summary'))).toMatch(
    /to look at\n\nWorth a look\n\n- brokers whose score changed/,
  );
});

test('the summary of the day goes to the operator by mail, if there are addresses', async () => {
  const mail = {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'mail@ratings.example',
    PUBLIC_URL: 'https://ratings.example',
  };
  const run = (more: object) => service.cliWith({ ...mail, ...more }, 'admin', 'job', 'run', 'daily-summary');
  expect((await service.cli('admin', 'job', 'run', 'daily-summary')).stderr).toContain('needs SMTP_URL');
  const sent = () => inDatabase(service, (db) => db.collection('notices').find({ kind: 'operator.summary' }).toArray());
  succeeded(await run({}));
  expect(await sent()).toEqual([]);
  succeeded(await run({ OPERATOR_MAIL: 'ops@ratings.example' }));
  expect(await sent()).toMatchObject([
    {
      to: 'operator',
      data: { title: expect.stringContaining('to look at'), text: expect.stringContaining('alpha: 8,') },
    },
  ]);
  const waiting = await service.cliWith(mail, 'status', '--json');
  const { signals }: { signals: SignalRow[] } = JSON.parse(waiting.stdout);
  expect(signals.find(({ signal }) => signal === 'mail-waiting')).toMatchObject({ level: 'fine', count: 1 });
});
