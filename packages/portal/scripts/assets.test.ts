import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { siteAssets } from './assets.ts';

test('all scripts of a broker’s page, with those that are loaded on demand, have at most 30 kB', async () => {
  const assets = await siteAssets();
  const names = ['search', 'on-demand', 'check-rating', 'prove', 'texts-de'];
  const bytes = names.map((name) => gzipSync(assets[`${name}.js`] ?? '').length);
  expect(Math.min(...bytes)).toBeGreaterThan(100);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(30_000);
});
