import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ASSETS, siteAssets } from './assets.ts';

test('the kept files of the site are those that its sources make', async () => {
  const kept = Object.fromEntries(readdirSync(ASSETS).map((name) => [name, readFileSync(`${ASSETS}${name}`, 'utf8')]));
  expect(kept).toEqual(await siteAssets()); // else: npx -y pnpm generate
});

test('all scripts of a broker’s page, with those that are loaded on demand, have at most 30 kB', () => {
  const names = ['search', 'on-demand', 'check-rating', 'prove', 'texts-de'];
  const bytes = names.map((name) => gzipSync(readFileSync(`${ASSETS}${name}.js`)).length);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(30_000);
});
