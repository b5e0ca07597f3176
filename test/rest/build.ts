import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const SERVER = join(import.meta.dirname, '../../server');

/** Dependencies of the server that stay packages: all but ts-rest and our own. */
const packages = async (): Promise<string[]> => {
  const { dependencies } = JSON.parse(await readFile(join(SERVER, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter((name) => !/^@(ts-rest|broker-transparency)\//.test(name));
};

/**
 * Builds the server and the contract with our adapter in place of ts-rest, beside links to what the server reads and
 * requires. Returns the path of its command.
 */
const buildWithoutTsRest = async (folder: string): Promise<string> => {
  const outdir = join(folder, 'dist');
  const { metafile } = await build({
    entryPoints: {
      main: join(SERVER, 'src/main.ts'),
      'xlsx-worker': join(SERVER, '../packages/tables/src/xlsx-worker.ts'),
    },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['@broker-transparency/source'],
    external: await packages(),
    tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    metafile: true,
  });
  const left = Object.keys(metafile.inputs).filter((input) => input.includes('@ts-rest'));
  if (left.length > 0) throw new Error(`ts-rest is still in it: ${left.join(', ')}`);
  await mkdir(folder, { recursive: true });
  for (const name of ['data', 'node_modules', 'package.json']) await symlink(join(SERVER, name), join(folder, name));
  return join(outdir, 'main.js');
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node test/rest/build.ts FOLDER');
process.stdout.write(`${await buildWithoutTsRest(resolve(folder))}\n`);
