import { expect, test } from 'vitest';
import { llmsFiles, withoutLinks } from './llms.ts';

test.each([
  ['see [the page](../docs/api.md#errors).', 'see the page.'],
  ['see [below](#errors) and [RFC](https://rfc.example/1)', 'see below and [RFC](https://rfc.example/1)'],
  ['[a](b.md)\n```ts\nlist[0](first)\n```\n[c](d.md)', 'a\n```ts\nlist[0](first)\n```\nc'],
])('turns %j into %j', (page, text) => {
  expect(withoutLinks(page)).toBe(text);
});

test('the single file contains the client, recipes, the API and the methodology, and no dead link', async () => {
  const { 'llms-full.txt': text = '' } = await llmsFiles();
  for (const title of ['@broker-transparency/client', 'Recipes', 'API reference', 'Scoring methodology'])
    expect(text).toMatch(new RegExp(`^# ${title}`, 'm'));
  expect(text.replace(/^```.*?^```$/gms, '')).not.toMatch(/\]\((?!https?:)/);
});
