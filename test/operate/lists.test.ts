import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { runBeside, type Service, type Settings } from '../support/process.ts';
import { dumpRaw, restoreRaw } from '../support/raw-dump.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';

let scratch: Scratch;
let count = 0;
const started: LocalService[] = [];
const databases: (string | undefined)[] = [];
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(async () => {
  for (const service of started.reverse()) await service.remove();
  for (const url of databases) await dropSharedDatabase(url);
  await scratch?.remove();
});

const start = async (settings: Settings = {}): Promise<LocalService> => {
  const service = await startService(settings);
  started.push(service);
  return service;
};
const otherFolder = (): string => scratch.file(`machine-${count++}`);
const otherMachine = () => {
  const url = newSharedDatabase();
  databases.push(url);
  return { MONGODB_URL: url, DATA_DIR: otherFolder() };
};
const readList = (dataDir: string, name: string): Promise<string> =>
  readFile(join(dataDir, name), 'utf8').catch(() => '');
const listSubjects = async (settings: Settings): Promise<string[]> =>
  JSON.parse(succeeded(await runBeside(['account', 'list', '--json'], settings))).map(
    ({ subject }: { subject: string }) => subject,
  );
const erase = async (service: Service, subject: string, more: Settings = {}) =>
  succeeded(await service.cliWith(more, 'account', 'erase', subject, '--yes', subject, '--reason', 'requested'));

test('a running process copies erasures, blocks and their ends to its own lists, whichever folder the command had', async () => {
  const service = await start();
  for (const subject of ['alice', 'bob', 'carol']) await createToken(service, subject);
  const elsewhere = { DATA_DIR: otherFolder() };
  await erase(service, 'alice', elsewhere);
  for (const subject of ['bob', 'carol'])
    succeeded(await service.cliWith(elsewhere, 'account', 'block', subject, '--reason', 'abuse'));
  await service.settle();
  expect(await readList(service.dataDir, 'erasures.ndjson')).toContain('"reason":"requested"');
  succeeded(await service.cliWith({ DATA_DIR: otherFolder() }, 'account', 'unblock', 'bob'));
  await service.settle();
  const ended = await readList(service.dataDir, 'blocks.ndjson');
  expect(ended.match(/"lifted"/g)).toHaveLength(1);
  const replayed = await service.cli('admin', 'account', 'replay-blocks', '--json');
  expect(JSON.parse(succeeded(replayed))).toMatchObject({ renewed: 0, lifted: 0 });
  await service.settle();
  expect(await readList(service.dataDir, 'blocks.ndjson')).toBe(ended);
});

test('a process that starts on a database that other tools restored erases and blocks again by its list', async () => {
  const service = await start();
  for (const subject of ['alice', 'bob', 'carol']) await createToken(service, subject);
  succeeded(await service.cli('account', 'block', 'carol', '--reason', 'abuse'));
  const dump = await inDatabase(service, dumpRaw);
  await erase(service, 'alice');
  succeeded(await service.cli('account', 'block', 'bob', '--reason', 'abuse'));
  succeeded(await service.cli('account', 'unblock', 'carol'));
  await service.close();
  await inDatabase(service, (db) => restoreRaw(db, dump));
  const again = await start(service.data);
  await again.settle();
  expect((await listSubjects(service.data)).sort()).toEqual(['bob', 'carol']);
  expect(again.output()).toContain('people who were erased were back');
  const blocked = JSON.parse(succeeded(await again.cli('account', 'blocks', '--json')));
  expect(blocked).toMatchObject([{ subjects: ['bob'] }]);
});

describe('a restore', () => {
  let backup: string;
  let createdAt: string;
  let copied: string;
  let list: string;
  beforeAll(async () => {
    const service = await start();
    for (const subject of ['alice', 'bob', 'carol']) await createToken(service, subject);
    await erase(service, 'alice');
    succeeded(await service.cli('account', 'block', 'carol', '--reason', 'abuse'));
    backup = scratch.file('backup');
    ({ createdAt } = JSON.parse(succeeded(await service.cli('backup', backup, '--json'))));
    copied = otherFolder();
    await cp(service.dataDir, copied, { recursive: true });
    await erase(service, 'bob');
    await service.close();
    list = join(service.dataDir, 'erasures.ndjson');
  });

  test.each(['no list', 'a list that is as old as the backup'])(
    'a restore stops on a machine with %s',
    async (kind) => {
      const settings = kind === 'no list' ? otherMachine() : { ...otherMachine(), DATA_DIR: copied };
      const { code, stderr } = await runBeside(['restore', backup], settings);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`Erasures since ${createdAt} may be missing`)]);
      expect(stderr).toContain('--accept-lost-erasures');
    },
  );

  test('a restore takes a newer list by its name, and blocks from the backup', async () => {
    const there = otherMachine();
    expect((await runBeside(['restore', backup, '--erasures', `${list}.none`], there)).stderr).toContain('ENOENT');
    succeeded(await runBeside(['restore', backup, '--erasures', list], there));
    expect(await listSubjects(there)).toEqual(['carol']);
    expect(await readList(there.DATA_DIR, 'erasures.ndjson')).toContain(createdAt.slice(0, 10));
    const blocked = JSON.parse(succeeded(await runBeside(['account', 'blocks', '--json'], there)));
    expect(blocked).toMatchObject([{ subjects: ['carol'] }]);
  });

  test('a restore continues without a list if the operator accepts the loss', async () => {
    const accepted = otherMachine();
    succeeded(await runBeside(['restore', backup, '--accept-lost-erasures'], accepted));
    expect((await listSubjects(accepted)).sort()).toEqual(['bob', 'carol']);
  });
});
