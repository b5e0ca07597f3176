import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pack } from './pack.ts';

/**
 * Installs the packed client into an empty folder, as `npm install` does from a registry, but without one. It needs no
 * other package. Returns the folder.
 */
export const installClient = async (into: string): Promise<string> => {
  const { tarball } = await pack('client', into);
  const folder = join(into, 'installed');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const options = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, tarball], { cwd: folder, timeout: 60_000 });
  return folder;
};
