import { join } from 'node:path';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDb, connectMongo } from '../../platform/mongo.ts';
import { createPresence } from '../../platform/presence.ts';
import { type CommandFolder, createCommandFolder } from './command-folder.ts';

let commands: CommandFolder;
let database: ScratchDatabase;
beforeAll(async () => {
  [commands, database] = await Promise.all([createCommandFolder(), openScratchDatabase()]);
});
afterAll(async () => {
  await database?.remove();
  await commands?.remove();
});

const call = (argv: readonly string[], ask?: Parameters<CommandFolder['call']>[2]) =>
  commands.call(argv, { ...commands.settings, LOG_KEY: undefined, MONGODB_URL: database.url }, ask);
const done = async (...argv: string[]): Promise<string> => {
  const { code, stdout, stderr } = await call(argv);
  expect(code, stderr).toBe(0);
  return stdout;
};
const name = (): string => new URL(database.url).pathname.slice(1);

/** A command that cannot be undone, and how to see that it did nothing. */
interface Final {
  readonly argv: readonly string[];
  /** The text that the operator repeats. */
  readonly about: string;
  /** The output of a dry run. */
  readonly planned: string;
  readonly isUndone: () => Promise<boolean>;
}

const person = async (): Promise<Final> => {
  await done('token', 'create', '--subject', 'alice', '--scope', 'reviews:write');
  return {
    argv: ['account', 'erase', 'alice', '--reason', 'requested'],
    about: 'alice',
    planned: 'would be erased: ',
    isUndone: async () => (await done('account', 'list', '--json')).includes('alice'),
  };
};
let runs = 0;
const run = async (): Promise<Final> => {
  const website = `https://asic.example/${++runs}`;
  const said = await done('regulator', 'set', 'asic', `website=${website}`, '--source', 'https://asic.example/');
  const id = /import undo ([0-9a-f]{12})/.exec(said)?.[1] as string;
  return {
    argv: ['import', 'undo', id],
    about: id,
    planned: 'can be undone. Nothing was changed.',
    isUndone: async () =>
      !(await done('import', 'list')).split('\n').some((line) => line.startsWith(id) && line.includes('undone')),
  };
};
let backups = 0;
const restored = async (): Promise<Final> => {
  const dir = join(commands.path, `backup-${++backups}`);
  const later = `later-${backups}`;
  await done('backup', dir);
  await done('token', 'create', '--subject', later, '--scope', 'reviews:write');
  return {
    argv: ['restore', dir, '--drop'],
    about: name(),
    planned: `in "${name()}". Nothing was changed.`,
    isUndone: async () => (await done('account', 'list', '--json')).includes(later),
  };
};

describe.each([
  ['account erase', person],
  ['import undo', run],
  ['restore --drop', restored],
])('%s', (_, prepare) => {
  let final: Final;
  beforeEach(async () => {
    final = await prepare();
  });

  test('changes nothing without the name, with a wrong one, or as a dry run', async () => {
    const { argv, about, planned, isUndone } = final;
    const refused = await call(argv);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`add --yes '${about}'`) });
    expect(await call([...argv, '--yes', `${about}x`])).toMatchObject({ code: 2 });
    expect(await call(argv, async () => 'yes')).toMatchObject({ code: 2 });
    const dry = await call([...argv, '--dry-run']);
    expect(dry, dry.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(planned) });
    expect(await isUndone()).toBe(true);
  });

  test('the command is done once the name is typed at a terminal', async () => {
    const questions: string[] = [];
    const result = await call(final.argv, async (question) => {
      questions.push(question);
      return final.about;
    });
    expect(result, result.stderr).toMatchObject({ code: 0 });
    expect(questions).toEqual([expect.stringContaining(`cannot be undone. Type ${final.about} to go on: `)]);
    expect(await final.isUndone()).toBe(false);
  });

  test('the command is done in a script with --yes and the name', async () => {
    await done(...final.argv, '--yes', final.about);
    expect(await final.isUndone()).toBe(false);
  });
});

test('a database is not replaced while a server runs on it, unless the operator says so', async () => {
  const { argv, about, isUndone } = await restored();
  const db = await connectMongo(database.url, PATIENT);
  const presence = createPresence(db);
  try {
    await presence.renew();
    const refused = await call([...argv, '--yes', about]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Process ${process.pid} on `) });
    expect(await isUndone()).toBe(true);
    await done(...argv, '--yes', about, '--beside-servers');
    expect(await isUndone()).toBe(false);
  } finally {
    await presence.end();
    await closeDb(db);
  }
});
