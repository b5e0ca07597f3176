import { expect, test } from 'vitest';
import { html } from '../html.ts';
import { LANGUAGES } from '../languages.ts';
import type { PageContext } from '../page.ts';
import { computePosition, cursorLinks, listTable, nothingFound, pageLinks } from './list.ts';

test.each([
  [undefined, 0, { page: 1, last: 1, offset: 0 }],
  [undefined, 25, { page: 1, last: 1, offset: 0 }],
  [undefined, 26, { page: 1, last: 2, offset: 0 }],
  [2, 26, { page: 2, last: 2, offset: 25 }],
  [3, 26, { page: 2, last: 2, offset: 25 }],
  [0, 26, { page: 1, last: 2, offset: 0 }],
])('page %s of %i items', (asked, total, place) => {
  expect(computePosition(asked, total, 25)).toEqual(place);
});

/** Context of the page of a list. */
const context = { ...LANGUAGES[0], path: '/news', query: '' } as PageContext;

test('a list has the heading of each cell in its row, for screens that show rows below one another', () => {
  const { text } = listTable({
    name: 'brokers',
    caption: '1 broker',
    rows: [{ name: 'A & B', score: 80 }],
    columns: [
      ['Broker', ({ name }) => name],
      ['Score', ({ score }) => html`<b>${String(score)}</b>`, 'number'],
    ],
  });
  expect(text.replaceAll('\n', '')).toBe(
    '<table class="rows brokers"><caption>1 broker</caption><thead><tr><th scope="col">Broker</th>' +
      '<th scope="col" class="number">Score</th></tr></thead><tbody><tr><th scope="row">A &amp; B</th>' +
      '<td class="number" data-label="Score"><b>80</b></td></tr></tbody></table>',
  );
  expect(nothingFound('None', html`<p>Go on</p>`).text).toContain('<h2>None</h2>\n<p>Go on</p>');
});

test('links to pages lead to the neighbours only, and a list of one page has none', () => {
  const hrefs = (page: number, last: number): string[] => {
    const links = pageLinks(context, '/brokers', { color: 'red' }, { page, last, offset: 0 });
    return [...(links ? links.text : '').matchAll(/<a href="([^"]+)" rel="(\w+)">/g)].map(
      ([, to, rel]) => `${rel} ${to}`,
    );
  };
  expect(hrefs(1, 1)).toEqual([]);
  expect(hrefs(2, 3)).toEqual(['prev /brokers?color=red', 'next /brokers?color=red&amp;page=3']);
  const words = { first: 'Newest', next: 'Older' };
  expect(cursorLinks(context, '/news', { cursor: undefined, nextCursor: null }, words)).toBe(false);
  const middle = cursorLinks(context, '/news', { cursor: 'a', nextCursor: 'b' }, words);
  expect(middle ? middle.text : '').toMatch(
    /<a href="\/news">Newest<\/a>\n<a href="\/news\?cursor=b" rel="next">Older<\/a>/,
  );
});
