import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { JOBS } from './jobs/table.ts';
import { REGISTERS } from './registers/adapters.ts';

/** First cells of the rows of a page's tables, as far as they are code. */
const namesIn = async (page: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string);
};

test.each(JOBS)('the page about jobs has a row for $name', async ({ name }) => {
  expect(await namesIn('operating/jobs.md')).toContain(name);
});

test.each(Object.keys(REGISTERS))('the page about data has a row for the register %s', async (name) => {
  expect(await namesIn('operating/data-in.md')).toContain(name);
});
