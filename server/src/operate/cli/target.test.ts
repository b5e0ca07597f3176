import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandFolder, createCommandFolder } from './command-folder.ts';
import { loadCommands } from './policy.ts';

/** Commands that open no database. */
const WITHOUT_DATABASE = new Set([
  'completion',
  'context add',
  'context list',
  'context remove',
  'context show',
  'context use',
  'admin enterprise new-webhook-key',
  'admin log new-key',
  'admin mail test',
  'moderation reasons',
  'admin operator new-token',
  'operator roles',
  'admin probe',
  'admin prober new-key',
]);

/** The driver refuses it before it connects. */
const REFUSED = 'authMechanism=NONE';

let commands: CommandFolder;
let folder: string;
beforeAll(async () => {
  commands = await createCommandFolder();
  folder = commands.path;
});
afterAll(() => commands?.remove());

const call: CommandFolder['call'] = (argv, env) => commands.call(argv, env);

test('every command that opens a database first says which one on standard error', async () => {
  const names = (await loadCommands()).map(({ words }) => words);
  const MONGODB_URL = `mongodb://user:hunter2@a.example,b.example/ratings?${REFUSED}`;
  const told = await Promise.all(
    names.map(async (command) => {
      const argv = await commands.readExample(command);
      expect(argv.length, command).toBeGreaterThan(0);
      if (WITHOUT_DATABASE.has(command)) return [command, 'no database'];
      const { stderr } = await call(argv, { ...commands.settings, MONGODB_URL });
      return [command, stderr.split('\n', 1)[0]];
    }),
  );
  const line = `Database: mongodb://a.example,b.example/ratings (MONGODB_URL)`;
  const expected = names.map((command) => [command, WITHOUT_DATABASE.has(command) ? 'no database' : line]);
  expect(told).toEqual(expected);
});

describe('without a server and without MONGODB_URL', () => {
  test('a command starts no database, and names the ways to one', async () => {
    const DATA_DIR = join(folder, 'nothing');
    const { code, stdout, stderr } = await call(['broker', 'list'], { DATA_DIR });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `Database: mongodb://127.0.0.1/broker-transparency (embedded, in ${DATA_DIR})\n` +
        `No server runs on the embedded database in ${DATA_DIR}. Set MONGODB_URL, choose a context ` +
        '(broker-rating context use NAME), or add --embedded to use this database while no server runs.\n',
    );
    await expect(rm(DATA_DIR)).rejects.toThrow('ENOENT');
  });
});

describe('a context', () => {
  const settings = () => `MONGODB_URL=mongodb://user:hunter2@a.example,b.example/live?${REFUSED}\nLOG_LEVEL=warn\n`;
  const target = () => `mongodb://a.example,b.example/live (context prod)`;

  /** Makes an environment with the context `prod` and nothing else. */
  const withContext = async (text = settings()): Promise<NodeJS.ProcessEnv> => {
    const env = { XDG_CONFIG_HOME: await mkdtemp(join(folder, 'config-')) };
    const file = join(env.XDG_CONFIG_HOME, 'prod.env');
    await writeFile(file, text);
    const added = await call(['context', 'add', 'prod', file], env);
    expect(added, added.stderr).toMatchObject({ code: 0 });
    return env;
  };
  const firstLine = async (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
    (await call(argv, env)).stderr.split('\n', 1)[0] as string;

  test('every command uses the context from `context use` on, until it is removed', async () => {
    const env = await withContext();
    const unused = await call(['broker', 'list'], { ...env, DATA_DIR: join(folder, 'none') });
    expect(unused).toMatchObject({ code: 2, stderr: expect.stringContaining('No server runs') });
    expect(await call(['context', 'use', 'prod'], env)).toEqual({
      code: 0,
      stdout: `In use: prod, ${target()}\n`,
      stderr: '',
    });
    expect(await firstLine(['broker', 'list'], env)).toBe(`Database: ${target()}`);
    expect((await call(['context', 'list'], env)).stdout).toMatch(/prod +yes +mongodb:/);
    await call(['context', 'remove', 'prod'], env);
    const removed = await call(['broker', 'list'], { ...env, DATA_DIR: join(folder, 'none') });
    expect(removed).toMatchObject({ code: 2, stderr: expect.stringContaining('No server runs') });
  });

  test('a context is used by one command with --context, or by those with BROKER_RATING_CONTEXT', async () => {
    const env = await withContext();
    expect(await firstLine(['broker', 'list', '--context', 'prod'], env)).toBe(`Database: ${target()}`);
    const named = { ...env, BROKER_RATING_CONTEXT: 'prod' };
    expect(await firstLine(['broker', 'list'], named)).toBe(`Database: ${target()}`);
    expect(await call(['broker', 'list', '--context', 'prd'], env)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no context "prd". See: broker-rating context list\n',
    });
  });

  test('a context is refused beside an environment with another database, which --no-context chooses', async () => {
    const env = await withContext();
    await call(['context', 'use', 'prod'], env);
    const other = { ...env, MONGODB_URL: `mongodb://a.example,b.example/other?${REFUSED}` };
    expect(await call(['broker', 'list'], other)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'MONGODB_URL in the environment names another place than the context "prod". ' +
        'Unset MONGODB_URL, or add --no-context to use the environment.\n',
    });
    expect(await firstLine(['broker', 'list', '--no-context'], other)).toBe(
      `Database: mongodb://a.example,b.example/other (MONGODB_URL)`,
    );
  });

  test('`serve` uses a context only if it is named', async () => {
    const env = { ...(await withContext()), PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: '/proc/none' };
    await call(['context', 'use', 'prod'], env);
    expect(await firstLine(['serve'], env)).toBe(
      'Database: mongodb://127.0.0.1/broker-transparency (embedded, in /proc/none)',
    );
    expect(await firstLine(['serve', '--context', 'prod'], env)).toBe(`Database: ${target()}`);
  });

  test('a context is kept where only its owner can read it, and is refused once others can', async () => {
    const env = await withContext();
    const file = join(String(env['XDG_CONFIG_HOME']), 'broker-rating', 'contexts', 'prod');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const shown = await call(['context', 'show', 'prod'], env);
    expect(shown.stdout).toBe(`prod: ${target()}\nSettings: LOG_LEVEL, MONGODB_URL\n`);
    await chmod(file, 0o644);
    expect(await call(['broker', 'list', '--context', 'prod'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`run chmod 600 ${file}`),
    });
  });

  test('a context never replaces another one', async () => {
    const env = await withContext();
    const again = await call(['context', 'add', 'prod', join(String(env['XDG_CONFIG_HOME']), 'prod.env')], env);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('context remove prod') });
  });
});
