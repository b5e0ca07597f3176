import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');

/** The packages of a release to JSR, which publishes sources: those of npm, and what these bundle. */
const FOLDERS = ['client', 'contract', 'packages/kernel', 'packages/log', 'packages/service-level'];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly '@broker-transparency/source'?: string }>>;
}

/** Copies the sources of a package, with the manifest that JSR reads. */
const writeMember = async (path: string, into: string): Promise<void> => {
  const { name, exports } = JSON.parse(await readFile(join(ROOT, path, 'package.json'), 'utf8')) as Manifest;
  await cp(join(ROOT, path, 'src'), join(into, 'src'), {
    recursive: true,
    filter: (file) => !file.endsWith('.test.ts'),
  });
  const entries = Object.entries(exports)
    .map(([entry, given]) => [entry, typeof given === 'string' ? given : given['@broker-transparency/source']] as const)
    .filter(([, source]) => source?.endsWith('.ts'));
  const imports = { zod: 'npm:zod@^4.6.7' };
  const manifest = { name, version: '0.1.0', license: 'MIT', exports: Object.fromEntries(entries), imports };
  await writeFile(join(into, 'deno.json'), JSON.stringify(manifest));
};

/**
 * Rehearses a release to JSR. Returns the faults that Deno finds: each code with its place, without the exports of
 * contract, kernel and service level whose types are not written out. Those are schemas of zod and what holds them, whose types only
 * zod can state.
 */
export const findJsrFaults = async (deno: string, folder: string): Promise<string[]> => {
  for (const path of FOLDERS) await writeMember(path, join(folder, path));
  await writeFile(join(folder, 'deno.json'), JSON.stringify({ workspace: FOLDERS, nodeModulesDir: 'auto' }));
  const args = ['publish', '--dry-run', '--allow-dirty'];
  const options = { cwd: folder, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 16 * 1024 ** 2 };
  const { stderr } = await promisify(execFile)(deno, args, options).catch((error: { stderr: string }) => error);
  const faults = [...stderr.matchAll(/^error(?:\[(\S+)\]|: (.*))(?:.*\n *--> (\S+?):\d+)?/gm)];
  if (faults.length === 0 && !stderr.includes('Success')) return [stderr];
  return faults
    .map(([, code, sentence, path = '']) => `${code ?? sentence} ${path.replace(`${folder}/`, '')}`.trim())
    .filter((fault) => !/^missing-explicit-(return-)?type (contract|packages\/(kernel|service-level))\//.test(fault))
    .filter((fault) => !/^Found \d+ problems?$/.test(fault));
};
