import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findOnPath, isExecutable, run, withScratchDirectory } from '@broker-transparency/embedded-mongo/executables';
import { CACHE } from './cache.ts';

const PATIENCE = { timeoutMs: 120_000 };

/** Runs apt-get without root: it writes its files to a directory of its own. */
const createApt = (scratch: string) => (args: readonly string[]) =>
  run(
    'env',
    [
      '-C',
      scratch,
      'apt-get',
      '-qq',
      '-o',
      'Debug::NoLocking=1',
      '-o',
      'APT::Sandbox::User=root',
      '-o',
      `Dir::State::Lists=${scratch}/lists`,
      '-o',
      `Dir::Cache=${scratch}/cache`,
      ...args,
    ],
    PATIENCE,
  );

/** Unpacks Debian packages into one folder. */
const fetchFromDebian = (packages: readonly string[], folder: string): Promise<void> =>
  withScratchDirectory(CACHE, async (scratch) => {
    const apt = createApt(scratch);
    const content = join(scratch, 'content');
    await run('mkdir', ['-p', content, `${scratch}/lists/partial`, `${scratch}/cache/archives/partial`], PATIENCE);
    await apt(['update']);
    await apt(['download', ...packages]);
    const archives = (await readdir(scratch)).filter((name) => name.endsWith('.deb'));
    if (archives.length < packages.length) throw new Error(`apt-get downloaded ${archives.length} packages`);
    for (const archive of archives) await run('dpkg-deb', ['-x', join(scratch, archive), content], PATIENCE);
    await rename(content, folder);
  });

interface DebianProgram {
  readonly name: string;
  readonly packages: readonly [string, ...string[]];
  /** Path of the program inside the packages. */
  readonly path: string;
  /** Environment variable that names another program to use instead. */
  readonly variable: string;
}

/**
 * Path of a real program, from the PATH or from Debian's packages. Throws if there is none, so that a test that needs
 * it never skips.
 */
export const debianProgram = async ({ name, packages, path, variable }: DebianProgram): Promise<string> => {
  const given = process.env[variable];
  if (given) return given;
  const folder = join(CACHE, `debian-${packages[0]}`);
  const cached = join(folder, path);
  if (await isExecutable(cached)) return cached;
  return findOnPath(name, `${process.env['PATH']}:/usr/sbin`).catch(() =>
    fetchFromDebian(packages, folder).then(
      () => cached,
      (error: Error) => {
        throw new Error(`No ${name} for the tests: install it, or set ${variable} (${error.message})`);
      },
    ),
  );
};
