import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedFiles } from './files.ts';

const folder = new URL('../src/generated/', import.meta.url);
const now = await generatedFiles();

test('the generated folder contains only generated files', async () => {
  expect((await readdir(folder)).sort()).toEqual(Object.keys(now).sort());
});

test.each(Object.keys(now))('%s is what `pnpm generate` writes now', async (name) => {
  expect(await readFile(new URL(name, folder), 'utf8')).toBe(now[name]);
});
