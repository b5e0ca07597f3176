import { describe, expect, test } from 'vitest';
import { detectEncoding, isEncoding, toUtf8 } from './encoding.ts';

const inParts = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const BOM = '\uFEFF';

const detected = async (bytes: Buffer) => {
  const found = await detectEncoding(inParts(bytes, 100_000));
  for (const size of [1, 2, 3, 7]) {
    const again = await detectEncoding(inParts(bytes, size));
    if (!found?.encoding.startsWith('utf-16')) expect(again?.encoding).toBe(found?.encoding);
  }
  return found;
};

describe('the encoding', () => {
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'utf-8'],
    ['plain letters', latin1('a,b\n1,2\n'), 'utf-8'],
    ['UTF-8', Buffer.from('a\nZürich 😀 Łódź\n'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`${BOM}a\nZürich\n`), 'utf-8'],
    ['UTF-8 with one damaged row', Buffer.concat([Buffer.from('Zürich\n'), latin1('Z\xfcrich\n')]), 'utf-8'],
    ['UTF-16 with a mark', Buffer.from(`${BOM}a;b\n1;2\n`, 'utf16le'), 'utf-16le'],
    ['UTF-16 without a mark', Buffer.from('a;b\nZürich;2\n', 'utf16le'), 'utf-16le'],
    ['UTF-16, the other way round', utf16be(`${BOM}a;b\n1;2\n`), 'utf-16be'],
    ['UTF-16, the other way round, without a mark', utf16be('a;b\nZürich;2\n'), 'utf-16be'],
    ['Windows-1252', latin1('a;b\nZ\xfcrich;2\n'), 'windows-1252'],
    ['Windows-1252 that ends in an accent', latin1('a\ncaf\xe9'), 'windows-1252'],
    ['Windows-1252 with quotes and the euro', latin1('a\n\x93Caf\xe9\x94 5 \x80\n'), 'windows-1252'],
  ])('the encoding of %s is found', async (_, bytes, encoding) => {
    expect((await detected(bytes))?.encoding).toBe(encoding);
  });

  test.each<[string, Buffer]>([
    ['Windows-1251', Buffer.from('a\n\xcf\xf0\xe8\xe2\xe5\xf2\n', 'latin1')],
    ['Windows-1250', Buffer.from('a\nsp\xb3ka\n', 'latin1')],
    ['a byte that Windows-1252 has not', Buffer.from('a\nx\x81\n', 'latin1')],
    ['Shift JIS', Buffer.from('a\n\x8a\x94\x8e\xae\x89\xef\x8e\xd0\n', 'latin1')],
  ])('the encoding of %s is not guessed', async (_, bytes) => {
    expect(await detected(bytes)).toBeUndefined();
  });

  test('an assumed encoding shows a word by which to judge it', async () => {
    expect(await detectEncoding(inParts(latin1('a;b\nx;Caf\xe9 Z\xfcrich\n'), 100))).toEqual({
      encoding: 'windows-1252',
      sample: 'Café',
    });
  });
});

describe('text', () => {
  test.each<[string, Buffer, string]>([
    ['utf-16le', Buffer.from(`${BOM}Zürich 😀`, 'utf16le'), 'Zürich 😀'],
    ['utf-16be', utf16be('Zürich'), 'Zürich'],
    ['windows-1252', latin1('\x93Caf\xe9\x94 \x80'), '“Café” €'],
    ['windows-1251', Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1'), 'Привет'],
    ['shift_jis', Buffer.from('\x8a\x94\x8e\xae\x89\xef\x8e\xd0', 'latin1'), '株式会社'],
  ])('text in %s becomes UTF-8, in parts of any size', async (encoding, bytes, text) => {
    for (const size of [1, 2, 3, 100]) {
      const parts: Buffer[] = [];
      for await (const part of toUtf8(inParts(bytes, size), encoding)) parts.push(part);
      expect(Buffer.concat(parts).toString()).toBe(text);
    }
  });
});

test('a name is one of an encoding or it is not', () => {
  expect(['utf-8', 'latin1', 'windows-1250', 'gb18030', 'utf-16le'].every(isEncoding)).toBe(true);
  expect(['utf8!', 'ebcdic', ''].some(isEncoding)).toBe(false);
});
