import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode } from './charset.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><t>Ä</t>`;
const plain = '<t>Ä</t>';

test.each<[what: string, bytes: Buffer, contentType: string, text: string]>([
  ['nothing said', Buffer.from(plain), '', plain],
  ['UTF-8 by header', Buffer.from(plain), 'text/xml; charset=utf-8', plain],
  ['a charset in quotes', latin1(plain), 'text/xml; charset="ISO-8859-1"', plain],
  ['a charset by declaration', latin1(xml('ISO-8859-1')), 'application/xml', xml('ISO-8859-1')],
  [
    'windows-1251',
    Buffer.from([0x3c, 0x74, 0x3e, 0xc1, 0x3c, 0x2f, 0x74, 0x3e]),
    'a/b;charset=windows-1251',
    '<t>Б</t>',
  ],
  ['header before declaration', latin1(xml('windows-1251')), 'a/b; charset=latin1', xml('windows-1251')],
  ['UTF-8 under a wrong header', Buffer.from(xml('UTF-8')), 'text/xml; charset=iso-8859-1', xml('UTF-8')],
  ['UTF-8 under a wrong declaration', Buffer.from(xml('latin1')), 'text/xml; charset=utf-8', xml('latin1')],
  ['a header that wrongly says UTF-8', latin1(xml('latin1')), 'text/xml; charset=utf-8', xml('latin1')],
  ['a charset that does not exist', Buffer.from(plain), 'text/xml; charset=klingon', plain],
  ['a mark of UTF-8', Buffer.from(`\uFEFF${plain}`), 'text/xml; charset=latin1', plain],
  ['a mark of UTF-16LE', Buffer.from(`\uFEFF${plain}`, 'utf16le'), 'text/xml; charset=utf-8', plain],
  ['a mark of UTF-16BE', utf16be(`\uFEFF${plain}`), '', plain],
  ['UTF-16LE without a mark', Buffer.from(xml('utf-16'), 'utf16le'), '', xml('utf-16')],
  ['UTF-16BE without a mark', utf16be(xml('utf-16')), '', xml('utf-16')],
  ['a declaration that cannot be true', Buffer.from(xml('utf-16')), '', xml('utf-16')],
])('decodes %s', (_what, bytes, contentType, text) => {
  expect(decode(bytes, contentType)).toEqual({ text, lossy: false });
});

test('marks bytes that no named charset can decode, and reads the rest', () => {
  expect(decode(latin1(plain), '')).toEqual({ text: '<t>\uFFFD</t>', lossy: true });
  expect(decode(latin1(plain), 'text/xml; charset=klingon')).toEqual({ text: '<t>\uFFFD</t>', lossy: true });
});

test('decodes an empty document', () => {
  expect(decode(Buffer.alloc(0), '')).toEqual({ text: '', lossy: false });
});

const charset = fc.constantFrom(
  'utf-8',
  'latin1',
  'windows-1251',
  'utf-16le',
  'utf-16be',
  'shift_jis',
  'iso-2022-kr',
  'klingon',
  '',
);

test('decodes any bytes, whatever charset is named', () => {
  const start = fc
    .constantFrom('', '\uFEFF', '<?xml version="1.0" encoding="', '<?xml encoding="utf-16"?>')
    .map(latin1);
  fc.assert(
    fc.property(start, charset, fc.uint8Array(), fc.oneof(charset, fc.string()), (before, declared, rest, header) => {
      const bytes = Buffer.concat([before, latin1(`${declared}"?>`), rest]);
      const { text, lossy } = decode(bytes, `text/xml; charset=${header}`);
      expect(text.isWellFormed()).toBe(true);
      if (lossy) expect(text).toContain('\uFFFD');
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test('decodes a UTF-8 document that declares its charset, whatever its server says', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), charset, (content, header) => {
      const document = `${xml('UTF-8')}${content}`;
      expect(decode(Buffer.from(document), `text/xml; charset=${header}`)).toEqual({ text: document, lossy: false });
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
