import { join } from 'node:path';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CommandFolder, createCommandFolder } from './command-folder.ts';
import { loadCommands } from './policy.ts';

let commands: CommandFolder;
let database: ScratchDatabase;
beforeAll(async () => {
  commands = await createCommandFolder();
});
beforeEach(async () => {
  database = await openScratchDatabase();
});
afterEach(() => database?.remove());
afterAll(() => commands?.remove());

const call = (argv: readonly string[], url = database.url) =>
  commands.call(argv, { ...commands.settings, LOG_KEY: undefined, MONGODB_URL: url });

/** Returns the names of the collections that take documents of any form. */
const listUnruled = async (url: string): Promise<string[]> => {
  const client = await mongoose.mongo.MongoClient.connect(url);
  try {
    const found = await client.db().listCollections({}, { nameOnly: false }).toArray();
    return found.filter(({ options }) => options?.['validator'] === undefined).map(({ name }) => name);
  } finally {
    await client.close();
  }
};

/** Returns the number of documents in each collection. */
const readCounts = async (url: string): Promise<Record<string, number>> => {
  const client = await mongoose.mongo.MongoClient.connect(url);
  try {
    const found = await client.db().listCollections({}, { nameOnly: true }).toArray();
    const counts = found.map(async ({ name }) => [name, await client.db().collection(name).countDocuments()] as const);
    return Object.fromEntries(await Promise.all(counts));
  } finally {
    await client.close();
  }
};

test('commands that only read leave an empty database empty, and a restore into it goes on', async () => {
  const reading = (await loadCommands()).filter(({ rights }) => rights.reads).map(({ words }) => words);
  expect(reading.length).toBeGreaterThan(40);
  for (const command of [...reading, 'admin rebuild']) {
    const argv = command === 'admin rebuild' ? ['admin', 'rebuild', '--check'] : await commands.readExample(command);
    const { stdout, stderr } = await call([...argv.filter((word) => word !== '--json'), '--json']);
    expect(stderr, command).toMatch(/^Database: /);
    if (stdout !== '') expect(() => JSON.parse(stdout), `${command}\n${stdout}`).not.toThrow();
    expect(await readCounts(database.url), `${command}\n${stderr}`).toEqual({});
  }
  const source = await openScratchDatabase();
  const dir = join(commands.path, 'backup-for-empty');
  expect(await call(['backup', dir], source.url)).toMatchObject({ code: 0 });
  await source.remove();
  expect(await call(['restore', dir, '--accept-lost-erasures'])).toMatchObject({ code: 0 });
});

test('a command that is the first to write makes every collection with its schema, also where its code loads later', async () => {
  expect(await call(['admin', 'job', 'run', 'moderation-delays'])).toMatchObject({ code: 0 });
  const counts = await readCounts(database.url);
  expect(counts).toMatchObject({ moderationDelays: 1, newsFeeds: 0 });
  expect(await listUnruled(database.url)).toEqual([]);
});

test('a database with the reference data alone counts as empty for a restore, until somebody writes', async () => {
  const dir = join(commands.path, 'backup-for-seeded');
  expect(await call(['backup', dir])).toMatchObject({ code: 0 });
  const seeded = await openScratchDatabase();
  const restore = () => call(['restore', dir, '--accept-lost-erasures'], seeded.url);
  try {
    expect(await call(['admin', 'job', 'run', 'kyc-expiry'], seeded.url)).toMatchObject({ code: 0 });
    expect((await readCounts(seeded.url))['regulators']).toBeGreaterThan(0);
    expect(await restore()).toMatchObject({ code: 0 });
    const set = ['regulator', 'set', 'asic', 'name=Other', '--source', 'https://register.example/', '--actor', 'maria'];
    expect(await call(set, seeded.url)).toMatchObject({ code: 0 });
    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  } finally {
    await seeded.remove();
  }
});
