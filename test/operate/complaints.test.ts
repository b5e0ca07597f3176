import { BrokerDetail, recomputeScore } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onDay } from '../support/calendar.ts';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, post, succeeded } from '../support/filled-service.ts';
import { runCli } from '../support/process.ts';
import { brokerRow, complaintBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** One broker answers in time, one late and one never. The fourth has rejected and withdrawn complaints. */
const BROKERS = ['prompt', 'late', 'silent', 'other'];
const SECRET = 'My account number is 4711 and my name is Alice Example';
const ANSWER = 'Dear Alice Example, we refund the amount';

let first: LocalService;
let data: LocalService['data'];
let alice: string;

beforeAll(async () => {
  first = await startService();
  data = first.data;
  await importRows(
    first,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  alice = await createToken(first, 'alice');
});
afterAll(() => first?.remove());

type Fields = Record<string, unknown>;

const complain = async (service: LocalService, broker: string, over: Fields = {}): Promise<string> => {
  const response = await post(service, '/complaints', alice, complaintBody(broker, { content: SECRET, ...over }));
  expect(response.status).toBe(201);
  return ((await response.json()) as { reference: string }).reference;
};
const cli = async (service: LocalService, ...args: string[]): Promise<string> => succeeded(await service.cli(...args));
const move = (service: LocalService, ...args: string[]): Promise<string> =>
  cli(service, 'complaint', ...args, '--actor', 'olga');
const show = async (service: LocalService, reference: string): Promise<Fields> =>
  JSON.parse(await cli(service, 'complaint', 'show', reference, '--json'));
const clocks = async (service: LocalService): Promise<Fields> =>
  JSON.parse(await cli(service, 'admin', 'complaint', 'clocks', '--json'));
const reminders = async (service: LocalService): Promise<Fields[]> =>
  JSON.parse(await cli(service, 'complaint', 'reminders', '--json'));
const readSummary = async (service: LocalService, broker: string) =>
  (await service.client().brokers.get(broker)).complaintSummary;
const trail = (service: LocalService, id: string): Promise<Fields[]> =>
  inDatabase(service, (db) =>
    db
      .collection('audit')
      .find({ 'subject.id': id }, { projection: { _id: 0 } })
      .sort({ at: 1, _id: 1 })
      .toArray(),
  );
const stored = (service: LocalService, reference: string) =>
  inDatabase(service, (db) => db.collection('complaints').findOne({ _id: reference as never }));
const refused = async (service: LocalService, reference: string, why: RegExp, ...args: string[]): Promise<void> => {
  const [before, entries] = [await stored(service, reference), await trail(service, reference)];
  const { code, stderr, stdout } = await service.cli('complaint', args[0] as string, reference, ...args.slice(1));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(why);
  expect(await stored(service, reference)).toEqual(before);
  expect(await trail(service, reference)).toEqual(entries);
};

describe('illegal moves change nothing and say why', () => {
  test('a move against the order of states changes nothing and says why', async () => {
    const reference = await complain(first, 'other');
    await refused(first, reference, /is received and cannot become forwarded.*screening/, 'forward');
    await refused(first, reference, /is received and cannot become responded/, 'answer', '--text', 'Hello');
    await refused(first, reference, /cannot become resolved/, 'resolve', '--outcome', 'refunded');
    await refused(first, reference, /cannot become unresolved/, 'close', '--outcome', 'no_answer');
    await move(first, 'withdraw', reference, '--reason', 'by_author');
    await refused(first, reference, /is withdrawn.*That state is final/, 'screen');
    await refused(first, reference, /takes no more evidence/, 'evidence', '--kind', 'other', '--place', 'vault/1');
  });

  test('refuses to forward a complaint without consent, and to close one before the final date', async () => {
    const secret = await complain(first, 'other', { consentToForward: false });
    await move(first, 'screen', secret);
    await refused(first, secret, /does not consent.*no_consent/, 'forward');
    await move(first, 'reject', secret, '--reason', 'no_consent');
    const open = await complain(first, 'other', { title: 'Another one' });
    await move(first, 'screen', open);
    await move(first, 'forward', open);
    await refused(first, open, /waits for the broker until/, 'close', '--outcome', 'no_answer');
    await refused(
      first,
      open,
      /rejected_by_broker ends one that is responded/,
      'close',
      '--outcome',
      'rejected_by_broker',
    );
    await refused(first, open, /in the future/, 'answer', '--at', '2999-01-01T00:00:00Z');
    await refused(
      first,
      open,
      /Evidence: sha256 must be 64/,
      'evidence',
      '--kind',
      'other',
      '--place',
      'x',
      '--sha256',
      'A',
    );
    await move(first, 'withdraw', open, '--reason', 'settled_privately');
  });

  test.each([
    ['reject', '--reason', 'because'],
    ['close', '--outcome', 'refunded'],
    ['resolve'],
    ['evidence', '--kind', 'photo', '--place', 'x'],
  ])('exits with 2 for wrong usage: %s %s %s', async (command, ...args) => {
    const { code } = await first.cli('complaint', command, 'C-2222222222', ...args.filter((arg) => arg !== undefined));
    expect(code).toBe(2);
  });

  test('refuses an unknown reference', async () => {
    const { code, stderr } = await first.cli('complaint', 'screen', 'C-2222222222');
    expect([code, stderr]).toEqual([1, expect.stringContaining('No complaint has the reference "C-2222222222"')]);
  });
});

test('three complaints run their course over sixty days, and the public sees their counts', async () => {
  const references: Record<string, string> = {};
  for (const broker of ['prompt', 'late', 'silent']) {
    const reference = await complain(first, broker);
    references[broker] = reference;
    await move(first, 'screen', reference);
    await move(first, 'evidence', reference, '--kind', 'statement', '--place', 'vault/118.pdf', '--note', SECRET);
    await move(first, 'forward', reference);
  }
  const { prompt = '', late = '', silent = '' } = references;
  const untouched = (await first.client().brokers.get('silent')).score;
  expect(await clocks(first)).toEqual({ reminded: 0, unresolved: 0, overdue: 0 });
  await first.close();

  await onDay(data, 5, async (service) => {
    await move(service, 'answer', prompt, '--text', ANSWER);
    await move(service, 'resolve', prompt, '--outcome', 'refunded');
    expect(await show(service, prompt)).toMatchObject({
      status: 'resolved',
      ending: 'refunded',
      timely: true,
      answer: ANSWER,
    });
  });
  await onDay(data, 11, async (service) => {
    expect(await clocks(service)).toEqual({ reminded: 2, unresolved: 0, overdue: 0 });
    expect(await clocks(service)).toEqual({ reminded: 0, unresolved: 0, overdue: 0 });
    const due = await reminders(service);
    expect(due.map(({ reference, day }) => [reference, day])).toEqual([
      [late, 10],
      [silent, 10],
    ]);
    expect(JSON.stringify(due)).not.toContain('4711');
    await cli(service, 'complaint', 'remind', late);
    expect((await reminders(service)).map(({ reference }) => reference)).toEqual([silent]);
    expect(await readSummary(service, 'silent')).toMatchObject({ open: 1, overdue: 0 });
  });
  await onDay(data, 16, async (service) => {
    expect(await clocks(service)).toEqual({ reminded: 2, unresolved: 0, overdue: 2 });
    await service.settle();
    const broker = await service.client().brokers.get('silent');
    expect(broker.complaintSummary).toMatchObject({ open: 0, overdue: 1, closed: 0 });
    const findScore = (key: string, { components } = broker.score) =>
      components.find((part) => part.key === key)?.score;
    expect(findScore('complaints')).toBeLessThan(findScore('complaints', untouched) as number);
    expect(recomputeScore(BrokerDetail.parse(broker))).toEqual(broker.score);
    await cli(service, 'admin', 'rebuild', '--check');
  });
  await onDay(data, 20, async (service) => {
    await move(service, 'answer', late, '--text', ANSWER);
    expect(await show(service, late)).toMatchObject({ status: 'responded', timely: false });
    await move(service, 'close', late, '--outcome', 'rejected_by_broker');
  });
  await onDay(data, 61, async (service) => {
    await refused(service, silent, /final date was/, 'answer');
    expect(await clocks(service)).toEqual({ reminded: 0, unresolved: 1, overdue: 0 });
    const closed = await show(service, silent);
    expect(closed).toMatchObject({ status: 'unresolved', ending: 'no_answer', closedAt: closed['finalAt'] });
    await service.settle();
    const shown = await Promise.all(['prompt', 'late', 'silent'].map((broker) => readSummary(service, broker)));
    expect(shown).toEqual([
      { open: 0, overdue: 0, closed: 1, resolvedRate: 1, timelyRate: 1, medianResponseDays: 5 },
      { open: 0, overdue: 0, closed: 1, resolvedRate: 0, timelyRate: 0, medianResponseDays: 20 },
      { open: 0, overdue: 0, closed: 1, resolvedRate: 0, timelyRate: 0, medianResponseDays: null },
    ]);
    await cli(service, 'admin', 'rebuild', '--check');

    const entries = await trail(service, late);
    expect(entries.map(({ action }) => String(action).replace('complaint.', '')).sort()).toEqual(
      [
        'submitted',
        'screening',
        'evidence',
        'forwarded',
        'reminded',
        'reminders_sent',
        'reminded',
        'overdue',
        'responded',
        'unresolved',
      ].sort(),
    );
    for (const { actor, at, action, reason, before, after } of entries.filter(
      (entry) => entry['action'] !== 'complaint.submitted',
    ))
      expect([actor, at, action, reason, before, after]).toEqual([
        { type: 'operator', name: expect.any(String) },
        expect.any(Date),
        expect.stringMatching(/^complaint\.[a-z_]+$/),
        expect.stringMatching(/^[a-z_]+$/),
        expect.any(Object),
        expect.any(Object),
      ]);
    const everything = JSON.stringify(await inDatabase(service, (db) => db.collection('audit').find().toArray()));
    for (const text of ['4711', 'Alice', 'refund the', 'vault']) expect(everything).not.toContain(text);
  });
});

test('several simultaneous processes end every complaint exactly once, in batches', async () => {
  await onDay(data, 0, async (service) => {
    const forwardedAt = new Date(Date.now() - 61 * 86_400_000);
    const rows = Array.from({ length: 250 }, (_, n) => ({
      _id: `C-MANY${String(n).padStart(6, '0')}`,
      broker: BROKERS[n % 4],
      accountId: 'nobody',
      kycVerified: true,
      status: 'forwarded',
      category: 'other',
      title: 'One of many',
      content: SECRET,
      consentToForward: true,
      createdAt: forwardedAt,
      forwardedAt,
    }));
    await inDatabase(service, (db) => db.collection('complaints').insertMany(rows as never[]));
    const alone = () => runCli(['admin', 'complaint', 'clocks', '--json'], service.data);
    const reports = (await Promise.all([alone(), alone(), alone()])).map((run) => JSON.parse(succeeded(run)));
    expect(reports.reduce((sum, { unresolved }) => sum + unresolved, 0)).toBe(250);
    const [left, entries] = await inDatabase(service, async (db) => [
      await db.collection('complaints').countDocuments({ _id: /^C-MANY/ as never, status: 'forwarded' }),
      await db.collection('audit').countDocuments({ 'subject.id': /^C-MANY/, action: 'complaint.unresolved' }),
    ]);
    expect([left, entries]).toEqual([0, 250]);
    await service.settle();
    expect((await readSummary(service, 'other')).closed).toBeGreaterThanOrEqual(62);
    await cli(service, 'admin', 'rebuild', '--check');
  });
});

test('a second person corrects what was recorded, and the record says so', async () => {
  await onDay(data, 0, async (service) => {
    const reference = 'C-MANY000000';
    const broker = BROKERS[0] as string;
    const correct = (actor: string, ...args: string[]) =>
      service.cli('complaint', 'correct', reference, ...args, '--actor', actor);
    const found = ['--reason', 'answer_found', '--at'] as const;
    const forwardedAt = (await stored(service, reference))?.['forwardedAt'] as Date;
    const answeredAt = new Date(forwardedAt.getTime() + 5 * 86_400_000).toISOString();
    const timely = async () => (await readSummary(service, broker)).timelyRate ?? 0;
    const before = await timely();

    expect(await correct('ben', '--reason', 'wrong_outcome', '--outcome', 'explained')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('correct that first'),
    });
    expect(await correct('ben', '--reason', 'answer_found')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Give --at'),
    });
    expect(succeeded(await correct('ben', ...found, answeredAt))).toContain('is responded');
    await move(service, 'resolve', reference, '--outcome', 'explained');
    for (const actor of ['ben', 'olga'])
      expect(await correct(actor, '--reason', 'wrong_outcome', '--outcome', 'settled')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('somebody else has to decide'),
      });
    succeeded(await correct('carl', '--reason', 'wrong_outcome', '--outcome', 'settled'));
    expect(await show(service, reference)).toMatchObject({ status: 'resolved', ending: 'settled', timely: true });
    await service.settle();
    expect(await timely()).toBeGreaterThan(before);
    expect(await trail(service, reference)).toMatchObject([
      {},
      { action: 'complaint.corrected', reason: 'answer_found', after: { status: 'responded', timely: true } },
      { action: 'complaint.resolved' },
      { action: 'complaint.corrected', reason: 'wrong_outcome', after: { ending: 'settled' } },
    ]);
  });
  await onDay(data, 100, async (service) => {
    await cli(service, 'admin', 'job', 'run', 'record-day');
    const entries = await inDatabase(service, (db) =>
      db
        .collection('recordEntries')
        .find({ key: `complaints/${BROKERS[0]}` })
        .sort({ sequence: 1 })
        .toArray(),
    );
    expect(entries.at(-1)).toMatchObject({ cause: 'correction' });
    await cli(service, 'admin', 'rebuild', '--check');
  });
});
