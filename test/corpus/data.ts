import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storyDay } from '../support/calendar.ts';
import { inDatabase } from '../support/database.ts';
import { createScratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { insertCast } from './cast.ts';
import { importFacts, startFeeds } from './facts.ts';
import { complain, moderate } from './stories.ts';

/** The day of all events. */
const DAY = '2027-06-01';

/**
 * Keeps the database from expiring documents. It expires them by the machine's time, while everything else follows
 * CLOCK. Its first check comes a minute after its start.
 */
export const forgetNothing = (service: ServiceProcess): Promise<unknown> =>
  inDatabase(service, (db) => db.admin().command({ setParameter: 1, ttlMonitorEnabled: false }));

const tell = async (service: ServiceProcess, now: () => Date): Promise<void> => {
  const scratch = await createScratch();
  try {
    await forgetNothing(service);
    await inDatabase(service, (db) => insertCast(db, now()));
    await importFacts(service, scratch);
    succeeded(await service.cli('news', 'pull'));
    await moderate(service);
    await complain(service);
    succeeded(await service.cli('admin', 'rebuild', '--check'));
    // a service that is no demo reads it later, and refuses data with this mark
    await inDatabase(service, (db) => db.collection('demoMarks').deleteMany({}));
  } finally {
    await scratch.remove();
  }
};

/** Fills a folder through the server: with the demo set, and with what the demo set lacks. */
const fill = async (dataDir: string, main: string): Promise<void> => {
  const [{ clock, now }, scratch] = [storyDay(DAY), await createScratch()];
  const feeds = await startFeeds(scratch);
  const settings = { DATA_DIR: dataDir, CLOCK: clock, LOG_LEVEL: 'silent', ...feeds.settings };
  try {
    const service = await startProcess(settings, ['--demo'], main);
    await tell(service, now).finally(() => service.end('SIGINT'));
  } finally {
    await Promise.all([scratch.remove(), feeds.close()]);
  }
};

/**
 * Creates a data folder if there is none, completely or not at all.
 * @throws Error where a server uses it
 */
export const ensureData = async (dataDir: string, main: string): Promise<void> => {
  const names = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (names.includes('mongod.json')) throw new Error(`a server runs on ${dataDir}: stop it first`);
  if (names.length > 0) return;
  const unfinished = `${dataDir}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(dataDir), { recursive: true });
  await fill(unfinished, main);
  await rename(unfinished, dataDir);
};
