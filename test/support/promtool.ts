import { copyFile, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOnPath, isExecutable, run, withScratchDirectory } from '../../server/src/platform/embedded/executables.ts';

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');
const PATIENCE = { timeoutMs: 120_000 };

/** Downloads need no root: what apt writes goes to a directory of its own. */
const aptIn = (scratch: string) => (args: string[]) =>
  run(
    'env',
    [
      ...['-C', scratch, 'apt-get', '-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root'],
      ...['-o', `Dir::State::Lists=${scratch}/lists`, '-o', `Dir::Cache=${scratch}/cache`, ...args],
    ],
    PATIENCE,
  );

/** Takes promtool out of Debian's package. */
const fetchFromDebian = (target: string): Promise<string> =>
  withScratchDirectory(CACHE, async (scratch) => {
    const apt = aptIn(scratch);
    await run('mkdir', ['-p', `${scratch}/lists/partial`, `${scratch}/cache/archives/partial`], PATIENCE);
    await apt(['update']);
    await apt(['download', 'prometheus']);
    const archive = (await readdir(scratch)).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get downloaded nothing');
    await run('dpkg-deb', ['-x', join(scratch, archive), join(scratch, 'content')], PATIENCE);
    await copyFile(join(scratch, 'content/usr/bin/promtool'), target);
    return target;
  });

/** A real promtool, or an error: a test that needs it never skips. */
const promtoolBinary = async (): Promise<string> => {
  const given = process.env['PROMTOOL_BINARY'];
  if (given) return given;
  const cached = join(CACHE, 'promtool');
  if (await isExecutable(cached)) return cached;
  return findOnPath('promtool', process.env['PATH']).catch(() =>
    fetchFromDebian(cached).catch((error: Error) => {
      throw new Error(`No promtool for the tests: install Prometheus, or set PROMTOOL_BINARY (${error.message})`);
    }),
  );
};

/** Runs promtool. @throws Error with its last line */
export const promtool = async (args: readonly string[]): Promise<string> =>
  run(await promtoolBinary(), [...args], PATIENCE);

/** What promtool finds wrong with metrics in a file; empty where it is nothing. */
export const lintMetrics = async (file: string): Promise<string> =>
  run('sh', ['-c', '"$1" check metrics <"$2" 2>&1', 'sh', await promtoolBinary(), file], PATIENCE);
