import { expect, test } from 'vitest';
import { verifyPage } from './verify-page.ts';

test('the page that verifies publications loads nothing', async () => {
  const page = await verifyPage();
  expect(page.match(/<script>/g)).toEqual(['<script>']); // what it looks for in a file begins otherwise
  expect(page).toContain('<label for="file">');
  expect(page.match(/ href=\S+/g)).toEqual([' href="/">Back']); // the way home loads nothing
  expect(page).not.toMatch(/ src=|fetch\(|XMLHttpRequest/);
});
