import { expect, test } from 'vitest';
import type { Library } from './library.ts';
import { cutExcerpt, listEntries, prepareSearch, searchDocs } from './search.ts';

const library: Library = {
  guides: () => [
    { name: 'log', title: 'The log', lead: 'Begin.', headings: [{ id: 'keys', level: 2, title: 'Keys' }] },
    { name: 'methodology-2026-1', title: 'Version 2026-1', lead: 'Rules.', headings: [] },
  ],
  guide: (name) =>
    name === 'log'
      ? '<p>An entry has at most 65 535 bytes &amp; more.</p>\n<h2 id="keys">Keys<a class="anchor" href="#keys" aria-label="Keys">#</a></h2>\n<p>A <code>verifier</code> key.</p>'
      : '<p>Weights.</p>',
  apis: () => [],
};

test('places are pages and their sections, as plain text', () => {
  const places = listEntries(library).filter(({ path }) => !path.startsWith('/problems'));
  expect(places.map(({ id: _, ...place }) => place)).toEqual([
    {
      title: 'The log',
      page: '',
      path: '/docs/guides/log',
      text: 'An entry has at most 65 535 bytes & more.',
      code: '',
    },
    { title: 'Keys', page: 'The log', path: '/docs/guides/log#keys', text: 'A verifier key.', code: '' },
    { title: 'Version 2026-1', page: '', path: '/methodology/2026-1', text: 'Weights.', code: '' },
  ]);
});

test.each([
  ['verifier', '/docs/guides/log#keys'],
  ['verifi ke', '/docs/guides/log#keys'],
  ['verifer', '/docs/guides/log#keys'],
  ['rate limited', '/problems/rate_limited'],
])('finds %s', async (query, path) => {
  const { found, count } = await searchDocs(library, query);
  expect([found[0]?.path, count > 0]).toEqual([path, true]);
});

test('a page that explains a word comes before a sample that uses it, and a guide for readers before one for operators', async () => {
  const texts: Readonly<Record<string, string>> = {
    'operating-record': '<p>The score is refreshed.</p>',
    api: '<p>Calls.</p>\n<h2 id="sample">Recompute</h2>\n<pre><code>score(score, score)</code></pre>\n<h2 id="parts">Parts</h2><p>A score has parts.</p>',
    terms: '<p>A score says how much is confirmed.</p>',
  };
  const { found } = await searchDocs(
    {
      guides: () =>
        Object.keys(texts).map((name) => ({
          name,
          title: name,
          lead: '',
          headings: [
            { id: 'sample', level: 2, title: 'Recompute' },
            { id: 'parts', level: 2, title: 'Parts' },
          ],
        })),
      guide: (name) => texts[name],
      apis: () => [],
    },
    'score',
  );
  expect(found.map(({ path }) => path)).toEqual([
    '/docs/guides/terms',
    '/docs/guides/api#parts',
    '/docs/guides/operating-record',
    '/docs/guides/api#sample',
  ]);
});

test('finds again after the texts could not be read once', async () => {
  let failures = 1;
  const broken: Library = {
    ...library,
    guides: () => {
      if (failures-- > 0) throw new Error('no file');
      return library.guides();
    },
  };
  prepareSearch(broken);
  await expect(searchDocs(broken, 'verifier')).rejects.toThrow('no file');
  expect((await searchDocs(broken, 'verifier')).count).toBeGreaterThan(0);
});

test('finds nothing where a word is nowhere', async () => {
  expect(await searchDocs(library, 'verifier zebra')).toEqual({ found: [], count: 0 });
});

const long = `${'word '.repeat(100)}needle ${'word '.repeat(100)}`;

test('an excerpt is the whole of a short text, the beginning of a long one, or around the word that is looked for', () => {
  expect(cutExcerpt('short', 'anything')).toBe('short');
  expect(cutExcerpt(long, 'missing')).toMatch(/^word .{170,180}…$/);
  expect(cutExcerpt(long, 'Needle')).toMatch(/^… (word )+needle (word )+(wo?r?d?)?…$/);
  expect(cutExcerpt(long, 'Needle').length).toBeLessThan(190);
});
