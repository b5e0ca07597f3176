import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Kept between runs, and not in the lockfile: more than a gigabyte that only this command needs. */
const FOLDER = join(import.meta.dirname, '../../../.cache/consumer-tools');
const MODULES = join(FOLDER, 'node_modules');

const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const TYPESCRIPTS = { '5.5': '5.5.4', '5.9': '5.9.3', '6.0': '6.0.3', '7.0': '7.0.2' } as const;
export const NODES = { 18: '18.20.8', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' } as const;

const OTHERS = {
  deno: '2.9.6',
  bun: '1.4.5',
  miniflare: '4.20260730.0',
  verdaccio: '6.10.4',
};

const dependencies = {
  ...Object.fromEntries(
    Object.entries(TYPESCRIPTS).map(([name, version]) => [`typescript-${name}`, `npm:typescript@${version}`]),
  ),
  // The package `node` installs these by a script. They are installed here without one.
  ...Object.fromEntries(
    Object.entries(NODES).map(([name, version]) => [`node-${name}`, `npm:node-${PLATFORM}@${version}`]),
  ),
  ...OTHERS,
};

/** Installs the compilers and runtimes without running their scripts. */
export const installTools = async (): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  // verdaccio requires node-fetch by a tag that not every registry has.
  const manifest = { private: true, dependencies, overrides: { 'node-fetch': '2.7.0' } };
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'], { cwd: FOLDER });
};

/** Path of a file in an installed tool. */
export const getToolPath = (...path: string[]): string => join(MODULES, ...path);

export const getTscPath = (name: string): string => getToolPath(`typescript-${name}`, 'bin/tsc');
export const getNodePath = (name: string): string =>
  getToolPath(`node-${name}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The binary that an optional dependency installs for this platform. */
const platformBinary = async (scope: string, inside: string): Promise<string> => {
  const [folder] = await readdir(getToolPath(scope));
  if (folder === undefined) throw new Error(`${scope} has nothing for ${PLATFORM}`);
  return getToolPath(scope, folder, inside);
};
export const denoBinary = () => platformBinary('@deno', 'deno');
export const bunBinary = () => platformBinary('@oven', 'bin/bun');
