import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LOCALES } from '../src/texts/locales.ts';
import { siteAssets } from './assets.ts';

const assets = await siteAssets();

test.each(Object.keys(LOCALES))(
  'all scripts of a broker’s page in %s have at most 30 kB, also those on demand',
  (code) => {
    const names = ['search', 'on-demand', 'check-rating', 'prove', `texts-${code}`];
    const bytes = names.map((name) => gzipSync(assets[`${name}.js`] ?? '').length);
    expect(Math.min(...bytes)).toBeGreaterThan(100);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(30_000);
  },
);
