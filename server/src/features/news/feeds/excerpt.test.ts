import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cut, plainText } from './excerpt.ts';

describe('plain text of', () => {
  test.each([
    ['A plain line', 'A plain line'],
    ['<p>One</p><p>two</p>', 'One two'],
    ['One<br>two<br/>three', 'One two three'],
    ['A <b>bold</b>, <i>slanted</i> w<u>or</u>d', 'A bold, slanted word'],
    ['<a href="javascript:alert(1)">Read</a> <a href="https://x.example">more</a>', 'Read more'],
    ['Hi<script>alert(1)</script><style>p{}</style> there', 'Hi there'],
    ['Hi<SCRIPT SRC=//evil.example></SCRIPT> there', 'Hi there'],
    ['<img src=x onerror=alert(1) alt="pixel">Seen', 'Seen'],
    ['<iframe src="//evil.example">old</iframe>Framed<noscript>No</noscript>', 'Framed'],
    ['<h1>Big</h1>news', 'Big news'],
    ['<ul><li>one<li>two</ul>', 'one two'],
    ['<table><tr><td>a<td>b<tr><td>c</table>', 'a b c'],
    ['AT&amp;T &lt;1 pip &eacute;&nbsp;x&#8217;s &#x1F600;', 'AT&T <1 pip é x’s 😀'],
    ['1 < 2 and 3 > 2 & more', '1 < 2 and 3 > 2 & more'],
    ['a\u0000b\u0007c\u001B[31md\u009Be\u2028f\r\n\tg', 'a b c [31md e f g'],
    ['safe\u202Eelppa\u202C\u2066x\u2069', 'safe elppa x'],
    ['\uFEFFa\uD800b\uFFFDc', 'a b c'],
    ['می‌خواهم', 'می‌خواهم'],
    ['<p', ''],
    ['', ''],
    ['<p> &nbsp; </p>', ''],
    ['<![CDATA[x]]>y', 'y'],
    ['<!-- no -->yes', 'yes'],
  ])('%j is %j', (markup, text) => {
    expect(plainText(markup)).toBe(text);
  });

  test('removes a surrogate pair that was cut in half', () => {
    expect(plainText(`${'x'.repeat(19_999)}😀😀`)).toBe('x'.repeat(19_999));
  });
});

describe('a cut', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['exactly ten', 10, 'exactly…'],
    ['one two three', 8, 'one two…'],
    ['one two, three', 10, 'one two…'],
    ['Donaudampfschifffahrt', 10, 'Donaudamp…'],
    ['a Donaudampfschifffahrt', 10, 'a Donauda…'],
    ['😀😀😀😀😀', 4, '😀😀😀…'],
    ['', 5, ''],
  ])('a cut of %j to %i is %j', (text, max, expected) => {
    expect(cut(text, max)).toBe(expected);
    expect(Array.from(cut(text, max)).length).toBeLessThanOrEqual(max);
  });
});

test('any text is cut to a well-formed line within the limit', () => {
  const markup = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('<p>', '</p>', '<a b="', '&amp;', '&#x202E;', 'a ', '.', '😀', '\u0000'))
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(markup, fc.integer({ min: 2, max: 40 }), (given, max) => {
      const text = plainText(given);
      expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u);
      expect(Array.from(cut(text, max)).length).toBeLessThanOrEqual(max);
      expect(cut(text, max).isWellFormed()).toBe(true);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
