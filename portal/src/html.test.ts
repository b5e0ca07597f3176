import { expect, test } from 'vitest';
import { html, type Part, raw, sentenceAbout, written } from './html.ts';

test.each<[Part, string]>([
  ['a < b', 'a &lt; b'],
  ['"\'&>', '&quot;&#39;&amp;&gt;'],
  [0, '0'],
  [null, ''],
  [undefined, ''],
  [false, ''],
  ['', ''],
  [['a', html`<b>${'<'}</b>`, null, ['c']], 'a<b>&lt;</b>c'],
  [raw('<i>'), '<i>'],
  [written('‮<script>'), '<bdi>‮&lt;script&gt;</bdi>'],
])('%j becomes %s', (part, text) => {
  expect(html`${part}`.text).toBe(text);
  expect(html`<p title="${part}">${part}</p>`.text).toBe(`<p title="${text}">${text}</p>`);
});

test('what others wrote keeps to itself within a sentence', () => {
  expect(sentenceAbout((name) => `Facts of ${name}. More.`, '\u202e<b>').text).toBe(
    'Facts of <bdi>\u202e&lt;b&gt;</bdi>. More.',
  );
});
