import { expect, test } from 'vitest';
import { type HtmlPart, html, isolateText, raw, toBdi } from './html.ts';

test.each<[HtmlPart, string]>([
  ['a < b', 'a &lt; b'],
  ['"\'&>', '&quot;&#39;&amp;&gt;'],
  ['a\0b', 'ab'],
  [0, '0'],
  [null, ''],
  [undefined, ''],
  [false, ''],
  ['', ''],
  [['a', html`<b>${'<'}</b>`, null, ['c']], 'a<b>&lt;</b>c'],
  [raw('<i>'), '<i>'],
  [toBdi('\u202E<script>\u2067'), '<bdi>&lt;script&gt;</bdi>'],
  [toBdi('1 First Street\nSecond Town'), '<bdi>1 First Street\nSecond Town</bdi>'],
])('%j becomes %s', (part, text) => {
  expect(html`${part}`.text).toBe(text);
  expect(html`<p title="${part}">${part}</p>`.text).toBe(`<p title="${text}">${text}</p>`);
});

test.each([
  ['Älpha & שלום', 'Älpha & שלום'],
  ['a\u202eb\u202cc', 'abc'],
  ['ends\u2069 it', 'ends it'],
  ['\u2066\u2067\u2068x', 'x'],
  ['a new\u2029 paragraph\u2028, a\n line', 'a new paragraph, a line'],
  ['\0\x1c\x85', ''],
])('%j keeps to itself within a sentence', (text, kept) => {
  expect(isolateText(text)).toBe(`\u2068${kept}\u2069`);
});
