import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { type Service, startService, until } from '../support/service.ts';
import { logStateOf, newLogKey, readerOf, signedUpTo, type TestKey } from '../support/signed-log.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let scratch: Scratch;
let key: TestKey;
let service: Service;
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await startService({ LOG_KEY: key.file });
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

/** Takes back the last entries, as the restore of an older backup does. */
const takeBack = (size: number) =>
  inDatabase(service, async (db) => {
    await db.collection('recordEntries').deleteMany({ number: { $gte: size } });
    await db.collection('recordHeads').updateOne({}, { $set: { next: size } });
    for (const name of ['logHeads', 'logTiles']) await db.collection(name).deleteMany({});
  });

test('a database that lost entries that were signed is served, but never signed over another history', async () => {
  await importRows(service, 'brokers', [brokerRow('first')]);
  const before = await until('all entries have numbers', 20_000, async () => {
    const state = await logStateOf(service);
    return state.waiting === 0 && state;
  });
  await signedUpTo(readerOf(service), before.entries);
  await service.end('SIGTERM');
  await takeBack(before.entries - 1);
  const restored = await startService({ ...service.data, DATA_DIR: service.dataDir, LOG_KEY: key.file });
  try {
    await until('it is said', 10_000, async () => restored.output().includes('the log is not signed'));
    expect(restored.output()).toContain(`was signed for ${before.entries} entries`);
    await importRows(restored, 'brokers', [brokerRow('second'), brokerRow('third')]);
    const after = await until('the log has them', 20_000, async () => {
      const state = await logStateOf(restored);
      return state.logged > before.entries && state;
    });
    expect(after.checkpoint).toBeUndefined();
  } finally {
    await restored.end('SIGTERM');
  }
});
