import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Checkpoint, formatCheckpoint, parseCheckpoint, parseSignedCheckpoint } from './checkpoint.ts';
import { cosignatureText, formatCosignature, parseCosignature } from './cosignature.ts';
import { type EntryExtra, formatEntryExtra, parseEntryExtra } from './entry-extra.ts';
import { formatProof, parseProof } from './proof.ts';
import { formatAddCheckpoint, parseAddCheckpoint, parseWitnessSize } from './witness.ts';

/* The example of c2sp.org/tlog-checkpoint. */
const TEXT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const LINE =
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=';
const SIGNED = `${TEXT}\n${LINE}\n`;
const HASH = 'PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=';

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const lines = fc.string({ unit: 'binary', minLength: 1 }).filter((line) => !/[\p{Cc}\p{Surrogate}]/u.test(line));
const hashes = fc.array(bytes(32), { maxLength: 63 });
const size = fc.maxSafeNat();

describe('a checkpoint', () => {
  test('parsing gives back what was formatted', () => {
    const checkpoints = fc.record<Checkpoint>({
      origin: lines,
      size,
      root: bytes(32),
      extensions: fc.array(lines, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(checkpoints, (each) => {
        expect(parseCheckpoint(formatCheckpoint(each))).toEqual(each);
      }),
    );
  });

  test('the checkpoint of the specification is parsed, and formatted as it was', () => {
    const { checkpoint, note } = parseSignedCheckpoint(SIGNED);
    expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20852163, extensions: [] });
    expect(formatCheckpoint(checkpoint)).toBe(note.text);
  });

  test.each([
    ['', /^line 1: expected the origin of a log/],
    ['\n1\n', /^line 1: expected the origin of a log/],
    [TEXT.slice(0, -1), /^line 3: expected a newline at the end/],
    ['a\n', /^line 2: expected the size of a tree as a decimal number$/],
    [TEXT.replace('20852163', '020852163'), /^line 2: .*, not "020852163"/],
    [TEXT.replace('20852163', '-1'), /^line 2: /],
    [TEXT.replace('20852163', '1e3'), /^line 2: /],
    [TEXT.replace('20852163', '9007199254740992'), /^line 2: /],
    [TEXT.replace('CsU', 'Cs '), /^line 3: expected the root of a tree in base64/],
    [TEXT.replace('CsUY', ''), /^line 3: expected the root of a tree of 32 bytes in base64/],
    [`${TEXT}extension\n\n`, /^line 5: expected an extension that is not empty/],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseCheckpoint(text)).toThrow(SyntaxError);
    expect(() => parseCheckpoint(text)).toThrow(message);
  });

  test.each<Partial<Checkpoint>>([
    { origin: '' },
    { origin: 'a\nb' },
    { size: -1 },
    { size: 1.5 },
    { root: new Uint8Array(31) },
    { extensions: [''] },
    { extensions: ['a\nb'] },
  ])('a checkpoint with %j is not written', (wrong) => {
    expect(() => formatCheckpoint({ ...parseCheckpoint(TEXT), ...wrong })).toThrow(RangeError);
  });
});

describe('a cosignature', () => {
  test('parsing gives back what was formatted', () => {
    const cosignatures = fc.record({ timestamp: size, signature: bytes(64) });
    fc.assert(
      fc.property(cosignatures, (each) => {
        expect(parseCosignature(formatCosignature(each))).toEqual(each);
      }),
    );
  });

  test('a cosignature signs the text of the specification', () => {
    expect(cosignatureText(TEXT, 1679315147)).toBe(`cosignature/v1\ntime 1679315147\n${TEXT}`);
  });

  test.each([0, 64, 71, 73])('a cosignature has 72 bytes, not %i', (length) => {
    expect(() => parseCosignature(new Uint8Array(length))).toThrow(/expected a cosignature of 72 bytes/);
  });

  test('a cosignature has a time that numbers hold exactly', () => {
    expect(() => parseCosignature(new Uint8Array(72).fill(255))).toThrow('expected a time below 2^53 seconds');
    expect(() => formatCosignature({ timestamp: 0.5, signature: new Uint8Array(64) })).toThrow(RangeError);
    expect(() => formatCosignature({ timestamp: 1, signature: new Uint8Array(63) })).toThrow(RangeError);
  });
});

describe('a proof', () => {
  const PROOF = `c2sp.org/tlog-proof@v1\nextra e30K\nindex 73894\n${HASH}\n\n${SIGNED}`;

  test('parsing gives back what was formatted', () => {
    const proofs = fc.record({
      extra: fc.option(fc.uint8Array(), { nil: undefined }),
      index: size,
      hashes,
      checkpoint: fc.constant(SIGNED),
    });
    fc.assert(
      fc.property(proofs, (each) => {
        expect(parseProof(formatProof(each))).toMatchObject(each);
      }),
    );
  });

  test('a parsed proof is formatted as it was', () => {
    expect(formatProof(parseProof(PROOF))).toBe(PROOF);
    expect(parseProof(PROOF).tree.size).toBe(20852163);
  });

  test.each([
    ['', /^line 1: expected c2sp\.org\/tlog-proof@v1$/],
    [PROOF.replace('@v1', '@v2'), /^line 1: expected c2sp\.org\/tlog-proof@v1, not "c2sp/],
    [PROOF.replace('e30K', 'e30'), /^line 2: expected extra data in base64/],
    [PROOF.replace('extra e30K\n', 'extra\n'), /^line 2: expected index and a number, not "extra"/],
    [PROOF.replace('index ', 'index  '), /^line 3: expected an index as a decimal number/],
    [PROOF.replace('73894', '073894'), /^line 3: /],
    [PROOF.replace(HASH, 'AQ=='), /^line 4: expected a hash of 32 bytes in base64, not "AQ=="/],
    [PROOF.replace(HASH, Array(64).fill(HASH).join('\n')), /^line 67: expected at most 63 hashes/],
    [`c2sp.org/tlog-proof@v1\nindex 0\n${HASH}\n`, /^line 4: expected a hash or an empty line, not "the end"/],
    [PROOF.replace('20852163', 'many'), /^line 7: expected the size of a tree/],
    [PROOF.replace('— example', '- example'), /^line 10: expected a signature line/],
  ])('%# is refused: %s', (text, message) => {
    expect(() => parseProof(text)).toThrow(SyntaxError);
    expect(() => parseProof(text)).toThrow(message);
  });

  test('a proof with a wrong number is not written', () => {
    const proof = parseProof(PROOF);
    expect(() => formatProof({ ...proof, index: -1 })).toThrow(RangeError);
    expect(() => formatProof({ ...proof, hashes: [new Uint8Array(1)] })).toThrow(RangeError);
    expect(() => formatProof({ ...proof, hashes: Array(64).fill(new Uint8Array(32)) })).toThrow(RangeError);
  });
});

describe('the extra data of a proof', () => {
  const entries = lines.map((line) => new TextEncoder().encode(line));
  const utf8 = (text: string) => new TextEncoder().encode(text);

  test('parsing gives back what was formatted', () => {
    const day = fc.record({ index: size, count: size, leaf: entries, hashes });
    const extras = fc.record<EntryExtra>({ entry: entries, day: fc.option(day, { nil: undefined }) });
    fc.assert(
      fc.property(extras, (each) => {
        expect(parseEntryExtra(formatEntryExtra(each))).toEqual(each);
      }),
    );
  });

  test.each([
    ['', /^line 1: expected the entry$/],
    ['{}', /^line 1: expected a newline at the end/],
    ['\n', /^line 1: expected the entry/],
    ['{}\nday 1\n', /^line 2: expected day, an index and a count, not "day 1"/],
    ['{}\nday 1 x\n[]\n', /^line 2: expected a count as a decimal number/],
    ['{}\nday 1 2\n', /^line 3: expected the leaf of the day/],
    ['{}\nday 1 2\n[]\nAQ==\n', /^line 4: expected a hash of 32 bytes/],
    ['{}\nday 1 2\n[]\n\n', /^line 4: expected a hash of 32 bytes|^line 4: expected a hash in base64/],
    [`{}\nday 1 2\n[]\n${`${HASH}\n`.repeat(64)}`, /^line 67: expected at most 63 hashes/],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseEntryExtra(utf8(text))).toThrow(SyntaxError);
    expect(() => parseEntryExtra(utf8(text))).toThrow(message);
  });

  test('the extra data are UTF-8, and keep a byte order mark', () => {
    expect(() => parseEntryExtra(Uint8Array.of(255, 10))).toThrow(new SyntaxError('expected UTF-8'));
    expect(parseEntryExtra(utf8('\ufeff{}\n')).entry).toEqual(utf8('\ufeff{}'));
  });

  test.each(['', 'two\nlines'])('extra data with the entry %j are not written', (entry) => {
    expect(() => formatEntryExtra({ entry: utf8(entry), day: undefined })).toThrow(RangeError);
  });
});

describe('what a witness is sent and answers', () => {
  const BODY = `old 20852014\n${HASH}\n\n${SIGNED}`;

  test('parsing gives back what was formatted', () => {
    const bodies = fc.record({ oldSize: size, hashes, checkpoint: fc.constant(SIGNED) });
    fc.assert(
      fc.property(bodies, (each) => {
        expect(parseAddCheckpoint(formatAddCheckpoint(each))).toMatchObject(each);
      }),
    );
    expect(formatAddCheckpoint(parseAddCheckpoint(BODY))).toBe(BODY);
  });

  test.each([
    ['', /^line 1: expected old and a size$/],
    [BODY.replace('old', 'size'), /^line 1: expected old and a size, not "size/],
    [BODY.replace('old 2', 'old 02'), /^line 1: expected a size as a decimal number/],
    [BODY.replace(HASH, 'hash'), /^line 2: expected a hash/],
    [BODY.replace(HASH, Array(64).fill(HASH).join('\n')), /^line 65: expected at most 63 hashes/],
    [BODY.replace('CsUY', 'Cs_Y'), /^line 6: expected the root of a tree/],
  ])('%# is refused: %s', (text, message) => {
    expect(() => parseAddCheckpoint(text)).toThrow(SyntaxError);
    expect(() => parseAddCheckpoint(text)).toThrow(message);
  });

  test('the size of a 409 is one line', () => {
    expect(parseWitnessSize('0\n')).toBe(0);
    for (const body of ['', '1', '01\n', '1\n2\n', '-1\n', '1 \n'])
      expect(() => parseWitnessSize(body), body).toThrow(SyntaxError);
  });
});
