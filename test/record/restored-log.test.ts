import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { computeRoot, hashLeaf } from '../support/log-reader.ts';
import type { Settings } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { databaseName } from '../support/shared-database.ts';
import { createReader, newLogKey, readLogState, type TestKey, untilAllSigned } from '../support/signed-log.ts';

let scratch: Scratch;
let key: TestKey;
const started: LocalService[] = [];
beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
});
afterAll(async () => {
  for (const service of started.reverse()) await service.remove();
  await scratch?.remove();
});

const start = async (more: Settings = {}): Promise<LocalService> => {
  const service = await startService({ LOG_KEY: key.file, ...more });
  started.push(service);
  return service;
};
/** Settings of a server after the first one has ended. */
const createSettings = ({ data, dataDir }: LocalService): Settings => ({
  ...data,
  DATA_DIR: dataDir,
  LOG_KEY: key.file,
});

/** A server with a backup, and what was published, erased and signed after it; the server has ended. */
const lateBackup = async (folder: string) => {
  const service = await start();
  const author = await createToken(service, 'author');
  await importRows(service, 'brokers', [brokerRow('kept'), brokerRow('changed', { name: 'Before' })]);
  const [review] = await publishReviews(service, 'kept', [author]);
  const { length: backedUp } = await readRecord(service);
  const backup = join(scratch.path, folder);
  succeeded(await service.cli('backup', backup));
  await importRows(service, 'brokers', [brokerRow('late'), brokerRow('changed', { name: 'After' })]);
  succeeded(await service.cli('account', 'erase', 'author', '--yes', 'author', '--reason', 'requested'));
  succeeded(await service.cliWith({ CLOCK: '+1d' }, 'admin', 'job', 'run', 'record-day'));
  const signed = await untilAllSigned(service);
  expect(service.output()).not.toContain('numbering or signing the record failed');
  await service.close();
  const restore = () => {
    return service.cli('restore', backup, '--drop', '--yes', databaseName(service.data['MONGODB_URL']));
  };
  return { service, backedUp, signed, restore, review: String(review?.id) };
};

test('a restore takes back what was signed after the backup, and the log goes on', async () => {
  const { service, backedUp, signed, restore, review } = await lateBackup('complete');
  const lost = signed.size - backedUp;
  expect(lost).toBeGreaterThan(3);
  const printed = succeeded(await restore());
  expect(printed).toContain(`${lost} entries that were signed later are in the record again`);
  expect(printed).toContain('of 1 people something had come back, and is erased again');

  const again = await start(createSettings(service));
  const after = await untilAllSigned(again);
  expect(again.output()).not.toContain('the log is not signed');
  const entries = await createReader(again).entries(after.size);
  expect(computeRoot(entries.map(hashLeaf)).toString('base64')).toBe(after.root);
  expect(computeRoot(entries.slice(0, signed.size).map(hashLeaf)).toString('base64')).toBe(signed.root);

  const restated = (await readRecord(again)).filter(({ number }) => number >= signed.size);
  const said = restated.filter(({ cause }) => cause === 'restore').map((entry) => [entry.key, entry.value]);
  expect(said).toContainEqual(['broker/late', null]);
  expect(said).toContainEqual(['broker/changed', expect.objectContaining({ slug: 'changed' })]);
  expect(restated.map((entry) => entry.key)).not.toContain(`review/${review}`); // it stays erased
  expect(succeeded(await again.cli('admin', 'rebuild', '--check'))).toContain(' 0 missing');
  const ask = (slug: string) => send(`${again.baseUrl}/brokers/${slug}`);
  expect([(await ask('changed')).json()['name'], (await ask('late')).status]).toEqual(['Before', 404]);
  const day = await send(`${again.origin}/transparency/v1/brokers/kept/proof`);
  expect([day.status, day.json()['slug']]).toEqual([200, 'kept']);
});

test('a restore without a complete copy of the log says so, and the log is never signed over another history', async () => {
  const { service, backedUp, signed, restore } = await lateBackup('incomplete');
  await rm(join(service.dataDir, 'log', 'a', 'tile'), { recursive: true });
  const { code, stdout, stderr } = await restore();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`does not have all of the ${signed.size} entries`)]);
  expect(stdout).toContain('of 1 people something had come back, and is erased again');

  const again = await start(createSettings(service));
  await again.settle();
  expect(again.output()).toContain('the log is not signed');
  expect(again.output()).toMatch(/was signed for \d+ entries|are not those for which/);
  await importRows(
    again,
    'brokers',
    Array.from({ length: 20 }, (_, n) => brokerRow(`other-${n}`)),
  );
  await again.settle();
  const { logged, checkpoint } = await readLogState(again);
  expect(logged).toBeGreaterThan(signed.size);
  expect(checkpoint?.size ?? 0).toBeLessThanOrEqual(backedUp);

  await again.close();
  const recovered = await service.cli('admin', 'log', 'recover');
  expect([recovered.code, recovered.stderr]).toEqual([1, expect.stringContaining('The log cannot go on')]);
});

test('a database that other tools restored gets its entries back by a command, but not beside what somebody else wrote', async () => {
  const { service, backedUp, signed } = await lateBackup('by-tools');
  const takeBack = () =>
    inDatabase(service, async (db) => {
      await db.collection('recordEntries').deleteMany({ number: { $gte: backedUp } });
      await db.collection('recordHeads').updateOne({}, { $set: { next: backedUp } });
      for (const name of ['logHeads', 'logTiles']) await db.collection(name).deleteMany({});
    });
  await takeBack();
  const recover = () => service.cli('admin', 'log', 'recover', '--json');
  const found = JSON.parse(succeeded(await recover()));
  expect(found).toMatchObject({ recovered: signed.size - backedUp, restated: 0 });
  expect(JSON.parse(succeeded(await recover()))).toMatchObject({ recovered: 0 });

  await takeBack();
  succeeded(await service.cli('import', 'brokers', await scratch.ndjson('b.ndjson', [brokerRow('other')])));
  const { code, stderr } = await recover();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Entry ${backedUp} of the database is not the one`)]);
  expect((await service.cliWith({ LOG_KEY: undefined }, 'admin', 'log', 'recover')).stderr).toContain(
    'LOG_KEY is not set',
  );
});
