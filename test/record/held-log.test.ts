import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { startGuarded } from '../support/guarded.ts';
import { bin, runCli } from '../support/process.ts';
import { type ForgedEntry, forgeEntry } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import {
  createReader,
  type LogService,
  readLogState,
  startLogService,
  untilAllSigned,
  untilHeld,
  untilSigned,
} from '../support/signed-log.ts';

vi.setConfig({ testTimeout: 120_000 });

let log: LogService;
let service: LocalService;
beforeAll(async () => {
  log = await startLogService();
  service = log.service;
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
  await untilAllSigned(service);
});
afterAll(() => log?.remove());

const readHold = async () => (await readLogState(service)).hold;

const readSignal = async (name: string) =>
  (JSON.parse((await service.cli('status', '--json')).stdout) as { signals: { signal: string }[] }).signals.find(
    ({ signal }) => signal === name,
  );

describe('an entry that does not say what the database publishes', () => {
  afterEach(async () => {
    const hold = await readHold();
    if (hold)
      succeeded(
        await service.cli('admin', 'log', 'set-aside', String(hold.number), '--reason', 'fault_of_the_service'),
      );
  });

  test.each<[name: string, forged: ForgedEntry]>([
    ['says something else of a broker', {}],
    ['says that a broker is gone', { value: 'null' }],
    [
      'is about a review that nobody wrote',
      {
        key: 'review/nobody',
        kind: 'review',
        value: '{"broker":"alpha","month":"2026-01","rating":1,"state":"published"}',
      },
    ],
    ['is about a regulator that does not exist', { key: 'regulator/zzz', kind: 'regulator', value: '{"code":"zzz"}' }],
    [
      'is a statement of reasons about a decision that nobody made',
      {
        key: 'statement/0a0a',
        kind: 'statement',
        value: '{"broker":"alpha","decision":"reject","commitment":"AAAA"}',
      },
    ],
    ['has the key of another kind', { kind: 'news' }],
    ['has a key of no kind', { key: 'rumour/alpha', kind: 'news', value: '{}' }],
  ])('a wrong entry stops the log until it is set aside: it %s', async (_, forged) => {
    const before = await untilAllSigned(service);
    const number = await forgeEntry(service, forged);
    expect(await untilHeld(service)).toBe(number);
    await importRows(service, 'brokers', [brokerRow(`later-${number}`)]);
    await service.settle();
    const state = await readLogState(service);
    expect(state.entries).toBeGreaterThan(number + 1);
    expect(state.logged).toBe(number);
    expect((await untilSigned(createReader(service), before.size)).size).toBeLessThanOrEqual(number);
    expect((await service.cli('log', 'show')).stdout).toContain(`The log stops before entry ${number}, `);
    expect(await readSignal('log-held')).toMatchObject({ level: 'act', count: 1 });

    succeeded(await service.cli('admin', 'log', 'set-aside', String(number), '--reason', 'written_past_the_service'));
    const after = await untilAllSigned(service);
    expect(after.size).toBeGreaterThan(number + 1);
    expect(await readHold()).toBeUndefined();
    expect(await readSignal('log-held')).toMatchObject({ level: 'fine', count: 0 });
    succeeded(await service.cli('admin', 'rebuild', '--check'));
    expect((await service.client().brokers.get('alpha')).name).toBe(brokerRow('alpha')['name']);
    const [audited] = JSON.parse(
      succeeded(await service.cli('audit', 'list', '--action', 'log.entry_set_aside', '--json')),
    ) as { subject: { id: string }; reason: string; before: { value: string } }[];
    expect(audited).toMatchObject({
      subject: { id: String(number) },
      reason: 'written_past_the_service',
      before: { value: forged.value ?? '{"slug":"alpha"}' },
    });
  });

  test('a wrong entry stays visible: the nightly job and rebuild add nothing beside it', async () => {
    await untilAllSigned(service);
    const number = await forgeEntry(service, { value: 'null' });
    expect(await untilHeld(service)).toBe(number);
    const refused = await service.cli('admin', 'rebuild');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`admin log set-aside ${number}`)]);
    const { entries } = await readLogState(service);
    succeeded(await service.cli('admin', 'job', 'run', 'record-day'));
    await service.settle();
    expect(await readLogState(service)).toMatchObject({ entries, logged: number });
  });

  test('a wrong entry holds the log although a later one has its key, until it is set aside', async () => {
    await untilAllSigned(service);
    const number = await forgeEntry(service, {});
    expect(await untilHeld(service)).toBe(number);
    await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Another name' })]);
    await service.settle();
    const { entries, logged, hold } = await readLogState(service);
    expect(entries).toBeGreaterThan(number + 1);
    expect([logged, hold?.size]).toEqual([number, number]);
    await importRows(service, 'brokers', [brokerRow('alpha')]);
    succeeded(await service.cli('admin', 'log', 'set-aside', String(number), '--reason', 'fault_of_the_service'));
    expect((await untilAllSigned(service)).size).toBeGreaterThan(number + 1);
  });
});

test('log recover --accept-loss signs no entry that the log stops before', async () => {
  const other = await startLogService();
  try {
    await importRows(other.service, 'brokers', [brokerRow('alpha')]);
    await untilAllSigned(other.service);
    const number = await forgeEntry(other.service, {});
    expect(await untilHeld(other.service)).toBe(number);
    await other.service.close();
    const { code, stderr } = await other.service.cli('admin', 'log', 'recover', '--accept-loss', String(number + 1));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`admin log set-aside ${number}`)]);
  } finally {
    await other.remove();
  }
});

describe('log set-aside refuses', () => {
  test('log set-aside refuses any entry but the one that the log stops before', async () => {
    const { size } = await untilAllSigned(service);
    for (const [number, why] of [
      [0, 'is in the log already'],
      [size - 1, 'is in the log already'],
      [size, 'does not stop before'],
    ] as const) {
      const refused = await service.cli(
        'admin',
        'log',
        'set-aside',
        String(number),
        '--reason',
        'fault_of_the_service',
      );
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
    }
    expect((await service.cli('admin', 'log', 'set-aside', 'x', '--reason', 'fault_of_the_service')).code).toBe(2);
  });
});

describe('log sign', () => {
  test('log sign signs what services without a key write, and ends at a signal', async () => {
    const served = await startService({ LOG_SIGNER: 'apart' });
    const { MONGODB_URL = '' } = served.data;
    const settings = { MONGODB_URL, LOG_KEY: log.key.file, DATA_DIR: log.scratch.file('signer') };
    try {
      await importRows(served, 'brokers', [brokerRow('gamma')]);
      await served.settle();
      const { entries, logged } = await readLogState(served);
      expect([entries > 0, logged]).toEqual([true, 0]);
      const command = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      const signer = await startGuarded(['env', ...command, process.execPath, bin, 'log', 'sign'], 'Signs the log of');
      try {
        expect((await untilSigned(createReader(served), entries)).size).toBeGreaterThanOrEqual(entries);
      } finally {
        await signer.stop();
      }
      const none = await runCli(['log', 'sign'], { MONGODB_URL });
      expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('LOG_KEY is not set')]);
    } finally {
      await served.remove();
    }
  });
});
