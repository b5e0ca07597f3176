import { expect, test } from 'vitest';
import { currentPage, recipes, shownIn } from './page.ts';

test('the page shows every recipe as its test runs it and as `pnpm docs:write` writes it', async () => {
  const { before, now } = await currentPage();
  expect(shownIn(before).sort()).toEqual(await recipes());
  expect(before).toBe(now);
});
