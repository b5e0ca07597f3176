import { expect, test } from 'vitest';
import { currentPage, listShownFiles, recipes } from './page.ts';

test('the page shows every recipe as its test runs it and as `pnpm docs:write` writes it', async () => {
  const { before, now } = await currentPage();
  expect(listShownFiles(before).sort()).toEqual(await recipes());
  expect(before).toBe(now);
});
