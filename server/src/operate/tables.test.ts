import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { JOBS } from './jobs/table.ts';
import { sourceNames } from './sources/sources.ts';

/** Returns the first cells of all table rows on a page that are code. */
const namesIn = async (page: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string);
};

test.each(JOBS)('the page about jobs describes $name', async ({ name }) => {
  expect(await namesIn('operating/jobs.md')).toContain(name);
});

test.each(sourceNames())('the page about data describes the source %s', async (name) => {
  expect(await namesIn('operating/data-in.md')).toContain(name);
});
