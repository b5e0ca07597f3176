import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ASSETS, siteAssets } from './assets.ts';

test('the kept files of the site are those that its sources make', async () => {
  const kept = Object.fromEntries(readdirSync(ASSETS).map((name) => [name, readFileSync(`${ASSETS}${name}`, 'utf8')]));
  expect(kept).toEqual(await siteAssets()); // else: npx -y pnpm generate
});
