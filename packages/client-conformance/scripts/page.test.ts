import { expect, test } from 'vitest';
import { readPage } from './page.ts';

test('the documentation has every scenario as it is: `pnpm docs:write` writes them', () => {
  const { now, wanted } = readPage();
  expect(now).toBe(wanted);
});
