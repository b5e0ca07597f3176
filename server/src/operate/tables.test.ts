import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FRESH_DAYS, freshDays } from '../features/regulators/staleness.rule.ts';
import { listSourceNames, listSources } from '../intake/sources/sources.ts';
import { JOBS } from './jobs/table.ts';

/** Returns the first cells of all table rows on a page that are code. */
const listNames = async (page: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string);
};

test.each(JOBS)('the page about jobs describes $name', async ({ name }) => {
  expect(await listNames('operating/jobs.md')).toContain(name);
});

test.each(listSourceNames())('the page about data describes the source %s', async (name) => {
  expect(await listNames('operating/data-in.md')).toContain(name);
});

test('a look counts for as long as it may where a published file is read, and only there', async () => {
  const text = await readFile(new URL('../../data/regulators.json', import.meta.url), 'utf8');
  const codes = JSON.parse(text).map(({ code }: { code: string }) => code) as string[];
  const fed = new Set(listSources('licences').flatMap(({ regulators }) => regulators));
  expect(codes.filter((code) => freshDays(code) === FRESH_DAYS.file)).toEqual(codes.filter((code) => fed.has(code)));
});
