import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedFiles } from './files.ts';
import { VERIFY_PAGE, verifyPage } from './verify-page.ts';

const folder = new URL('../src/generated/', import.meta.url);
const now = await generatedFiles();

test('the generated folder contains only generated files', async () => {
  expect((await readdir(folder)).sort()).toEqual(Object.keys(now).sort());
});

test.each(Object.keys(now))('%s is what `pnpm generate` writes now', async (name) => {
  expect(await readFile(new URL(name, folder), 'utf8')).toBe(now[name]);
});

test('the page that verifies is what `pnpm generate` writes now, and loads nothing', async () => {
  const page = await readFile(VERIFY_PAGE, 'utf8');
  expect(page).toBe(await verifyPage());
  expect(page.match(/<script>/g)).toEqual(['<script>']); // what it looks for in a file begins otherwise
  expect(page).toContain('<label for="file">');
  expect(page).not.toMatch(/ (src|href)=|fetch\(|XMLHttpRequest/);
});
