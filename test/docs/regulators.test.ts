import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { PAGE_FILE, renderPage } from '../../ops/regulators/page.ts';
import { formatSources, SOURCES_FILE } from '../../ops/regulators/sources.ts';

test('the page of regulators is the one that the data make: npx -y pnpm docs:write', async () => {
  expect(await readFile(PAGE_FILE, 'utf8')).toBe(renderPage());
});

test('the tables of sources are those that the mapping files make: npx -y pnpm docs:write', async () => {
  expect(await readFile(SOURCES_FILE, 'utf8')).toBe(formatSources());
});

test('the page of regulators says for each one how a licence is checked by hand', async () => {
  const data = await readFile(new URL('../../server/data/regulators.json', import.meta.url), 'utf8');
  const codes = (JSON.parse(data) as { code: string }[]).map(({ code }) => code);
  const rows = [...renderPage().matchAll(/^\| `([^`]+)` \| [^|]+ \| <[^|]+> \| [A-Z][^|]{20,} \|/gm)];
  expect(rows.map(([, code]) => code)).toEqual(codes);
});
