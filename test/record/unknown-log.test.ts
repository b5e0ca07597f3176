import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { computeRoot, hashLeaf } from '../support/log-reader.ts';
import { runBeside, type Service, type Settings } from '../support/process.ts';
import { dumpRaw, restoreRaw } from '../support/raw-dump.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import { createReader, newLogKey, readLogState, type TestKey, untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

let scratch: Scratch;
let key: TestKey;
let count = 0;
const started: LocalService[] = [];
const databases: (string | undefined)[] = [];
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
});
afterAll(async () => {
  for (const service of started.reverse()) await service.remove();
  for (const url of databases) await dropSharedDatabase(url);
  await scratch?.remove();
});

const start = async (more: Settings = {}): Promise<LocalService> => {
  const service = await startService({ LOG_KEY: key.file, ...more });
  started.push(service);
  return service;
};
/** Settings of another machine: an empty folder, and an empty database unless one is named. */
const otherMachine = (url = newSharedDatabase()): Settings => {
  databases.push(url);
  return { MONGODB_URL: url, DATA_DIR: scratch.file(`machine-${count++}`), LOG_KEY: key.file };
};
const grow = async (service: Service, brokers = 1): Promise<void> => {
  const rows = Array.from({ length: brokers }, () => brokerRow(`broker-${count++}`));
  await importRows(service, 'brokers', rows);
};
const formatLogPath = ({ dataDir }: Service): string => join(dataDir, 'log', 'a');
const formatLogUrl = ({ origin }: Service): string => `${origin}/transparency/v1/log/a`;
/** The signed size, after everything that could be signed was. */
const signedNow = async (service: LocalService): Promise<number> => {
  await service.settle();
  await service.settle(); // an answer of another process is read by the next look
  return (await readLogState(service)).checkpoint?.size ?? 0;
};

test('a second machine signs once it knows from the first one what was signed last, and continues alone', async () => {
  const first = await start();
  await grow(first);
  const before = await untilAllSigned(first);
  await first.close();
  const second = await start(otherMachine(first.data['MONGODB_URL']));
  await second.settle();
  expect((await readLogState(second)).refusals).toHaveLength(1);
  const again = await start({ ...first.data, LOG_KEY: key.file });
  await until('the first one has told it', 30_000, async () => {
    for (const service of [second, again, second]) await service.settle();
    return (await readLogState(second)).refusals.length === 0;
  });
  await again.close();
  await grow(second);
  const after = await untilAllSigned(second);
  expect(after.size).toBeGreaterThan(before.size);

  await second.close();
  const back = await start({ ...first.data, LOG_KEY: key.file });
  await grow(back);
  expect(await signedNow(back)).toBe(after.size); // it was away while another one signed
  expect((await readLogState(back)).refusals).toMatchObject([{ why: expect.stringContaining('others have signed') }]);
});

describe('on a machine without a copy of its own', () => {
  /** A service that has signed entries. */
  const startSigned = async (): Promise<LocalService> => {
    const live = await start();
    await grow(live);
    await untilAllSigned(live);
    return live;
  };

  /**
   * Copies of a service's folder and database that are older than what it has signed. It has the old database again.
   */
  const startAfterRestore = async () => {
    const live = await startSigned();
    const folder = scratch.file(`copied-${count++}`);
    await cp(live.dataDir, folder, { recursive: true, preserveTimestamps: true });
    const dump = await inDatabase(live, dumpRaw);
    await grow(live, 3);
    await untilAllSigned(live);
    await live.close();
    await inDatabase(live, (db) => restoreRaw(db, dump));
    return { live, folder };
  };

  test('a restored backup is not signed, and the entries come back from the public log', async () => {
    const live = await startSigned();
    const backup = scratch.file('backup');
    succeeded(await live.cli('backup', backup));
    await grow(live, 3);
    const signed = await untilAllSigned(live);
    const there = otherMachine();
    const restored = await runBeside(['restore', backup, '--accept-lost-erasures'], there);
    expect([restored.code, restored.stderr]).toEqual([1, expect.stringContaining('Nothing is signed')]);
    expect(restored.stderr).toContain('log recover --from');

    const unsure = await start(there);
    const size = await signedNow(unsure);
    await grow(unsure);
    expect(await signedNow(unsure)).toBe(size);
    expect((await unsure.cli('log', 'show')).stdout).toContain('--accept-loss');
    const status = JSON.parse((await unsure.cli('status', '--json')).stdout);
    expect(status.signals).toContainEqual(expect.objectContaining({ signal: 'log', level: 'act', count: 1 }));
    const self = await runBeside(['admin', 'log', 'recover', '--from', formatLogUrl(unsure)], there);
    expect([self.code, self.stderr]).toEqual([1, expect.stringContaining('has no checkpoint')]);
    await unsure.close();

    const again = otherMachine();
    await runBeside(['restore', backup, '--accept-lost-erasures'], again);
    const found = succeeded(await runBeside(['admin', 'log', 'recover', '--from', formatLogUrl(live)], again));
    expect(found).toContain('entries that were signed later are in the record again');
    await live.close();
    const next = await start(again);
    await grow(next);
    const after = await untilAllSigned(next);
    const entries = await createReader(next).entries(after.size);
    expect(computeRoot(entries.slice(0, signed.size).map(hashLeaf)).toString('base64')).toBe(signed.root);
  });

  test('a copy of the folder out of a backup gives entries back, and does not count as the newest', async () => {
    const { live, folder } = await startAfterRestore();
    const there: Settings = { ...live.data, LOG_KEY: key.file, DATA_DIR: folder };
    const { code, stderr } = await runBeside(['admin', 'log', 'recover'], there);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is no copy of the log that this machine wrote')]);
    const unsure = await start(there);
    await grow(unsure);
    await unsure.settle();
    const { entries, checkpoint } = await readLogState(unsure);
    expect(entries).toBeGreaterThan(checkpoint?.size ?? 0);
    await unsure.close();

    const accept = (size: number) => runBeside(['admin', 'log', 'recover', '--accept-loss', String(size)], there);
    expect((await accept(entries - 1)).stderr).toContain(`has ${entries} entries with numbers, not ${entries - 1}`);
    succeeded(await accept(entries));
    const lost = await runBeside(['audit', 'list', '--action', 'log.loss_accepted', '--json'], there);
    expect(JSON.parse(lost.stdout)).toMatchObject([{ after: { size: entries } }]);
    const next = await start(there);
    await grow(next);
    expect((await untilAllSigned(next)).size).toBeGreaterThan(entries);
  });

  test('files of a backup that are written over the machine’s own do not count as the newest', async () => {
    const { live, folder } = await startAfterRestore();
    await cp(join(folder, 'log'), join(live.dataDir, 'log'), { recursive: true, force: true });
    const again = await start({ ...live.data, LOG_KEY: key.file });
    await again.settle();
    expect((await readLogState(again)).refusals).toHaveLength(1);
    await rm(formatLogPath(again), { recursive: true });
  });

  test('a public log with a wrong signature, or without all entries, gives nothing back', async () => {
    const { live } = await startAfterRestore();
    const folder = scratch.file('partial');
    await cp(formatLogPath(live), folder, { recursive: true });
    await rm(join(folder, 'tile'), { recursive: true });
    const there = { ...live.data, LOG_KEY: key.file, DATA_DIR: scratch.file('empty') };
    const from = (place: string) => runBeside(['admin', 'log', 'recover', '--from', place], there);
    expect((await from(folder)).stderr).toContain('does not have all of the');
    const other = await newLogKey(scratch, `other-${count++}.key`);
    const stranger = await start({ LOG_KEY: other.file });
    await grow(stranger);
    await untilAllSigned(stranger);
    expect((await from(formatLogUrl(stranger))).stderr).toContain('has no checkpoint that a key of the log');
    expect((await from('http://127.0.0.1:1/log')).stderr).toContain('cannot be read (ECONNREFUSED)');
  });
});
