import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, toBase64 } from './bytes.ts';
import {
  formatNote,
  formatVerifierKey,
  keyIdFrom,
  keyIdInput,
  type Note,
  parseNote,
  parseSignature,
  parseVerifierKey,
  SIGNATURE_TYPES,
  type SignatureType,
} from './note.ts';
import { checkSignatures } from './signatures.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());

/** The example of c2sp.org/signed-note. */
const VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const LINE =
  '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=';
const NOTE = `This is an example message.\n\n${LINE}\n`;

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const names = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => /^[^\p{White_Space}+\p{Cc}]+$/u.test(name));
const types = fc.constantFrom<SignatureType>(...Object.values(SIGNATURE_TYPES));
const signatures = fc.record({
  name: names,
  keyId: fc.nat(0xffffffff),
  signature: fc.uint8Array({ minLength: 1, maxLength: 90 }),
});
const texts = fc
  .string({ unit: 'binary' })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids exactly these
  .filter((text) => !/[\u0000-\u0009\u000B-\u001F]/.test(text))
  .map((text) => `${text}\n`);

describe('base64', () => {
  test('base64 decodes what it encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (data) => {
        expect(fromBase64(toBase64(data))).toEqual(data);
      }),
    );
  });

  test.each(['AQ', 'AQ=', ' AQ==', 'AQ==\n', 'AR==', 'A', 'AQ-_', '====', 'AQ==AQ=='])('%j is refused', (text) => {
    expect(() => fromBase64(text)).toThrow(new SyntaxError('expected base64'));
  });
});

describe('a verifier key', () => {
  test('the id of a verifier key is the beginning of the hash of its parts', () => {
    const key = parseVerifierKey(VKEY);
    expect(keyIdFrom(sha256(keyIdInput(key)))).toBe(key.keyId);
    expect(keyIdFrom(sha256(keyIdInput({ ...key, type: 4 })))).not.toBe(key.keyId);
  });

  test('parsing gives back what was formatted', () => {
    const keys = fc.record({ name: names, keyId: fc.nat(0xffffffff), type: types, publicKey: bytes(32) });
    fc.assert(
      fc.property(keys, (key) => {
        expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
      }),
    );
  });

  test.each([
    ['', /a verifier key: name, \+/],
    ['a+b', /a verifier key/],
    [VKEY.replace('530d903a', '530D903A'), /a verifier key/],
    [VKEY.replace('530d903a', '530d90'), /a verifier key/],
    [VKEY.replace('example.com/foo', 'example com'), /a verifier key/],
    [VKEY.replace('example.com/foo', 'example.com\u0085'), /a verifier key/],
    [`${VKEY}\n`, /type and public key in base64/],
    [VKEY.replace('+Ae', '+Be'), /a key of type 1 \(Ed25519\) or 4 \(cosignature\), not "type 5"/],
    ['a.example+00000000+AQID', /a public key of 32 bytes, not "2 bytes"/],
    ['a.example+00000000+', /not "type undefined"/],
  ])('%j is refused: %s', (text, message) => {
    expect(() => parseVerifierKey(text)).toThrow(SyntaxError);
    expect(() => parseVerifierKey(text)).toThrow(message);
  });

  test('a verifier key with a name that could not be parsed is not written', () => {
    const key = parseVerifierKey(VKEY);
    for (const name of ['', 'a b', 'a+b', 'a\ud800'])
      expect(() => formatVerifierKey({ ...key, name })).toThrow(RangeError);
  });
});

describe('a note', () => {
  test('parsing gives back what was formatted', () => {
    const notes = fc.record({ text: texts, signatures: fc.array(signatures, { minLength: 1, maxLength: 4 }) });
    fc.assert(
      fc.property(notes, (note: Note) => {
        expect(parseNote(formatNote(note))).toEqual(note);
      }),
    );
  });

  test('a note may have empty lines in its text, and up to 100 signatures', () => {
    expect(parseNote(`a\n\nb\n\n${LINE}\n`).text).toBe('a\n\nb\n');
    expect(parseNote(`a\n\n${`${LINE}\n`.repeat(100)}`).signatures).toHaveLength(100);
  });

  test.each([
    ['', /^line 1: expected a text, an empty line and signatures, not "the end"$/],
    ['a\n', /^line 2: expected a text, an empty line/],
    [NOTE.slice(0, -1), /^line 3: expected a newline at the end, not "— example/],
    [`a\n\n`, /^line 3: expected a signature line/],
    [`${NOTE}\n`, /^line 5: expected a signature line/],
    [`\n${LINE}\n`, /^line 3: expected a text/],
    [NOTE.replace('—', '-'), /^line 3: expected a signature line: —, name and base64/],
    [NOTE.replace('— ', '—'), /^line 3: expected a signature line/],
    [NOTE.replace('foo', 'f+o'), /^line 3: expected a signature line/],
    [NOTE.replace('=\n', '\n'), /^line 3: expected a signature in base64/],
    ['a\n\n— a.example AQIDBA==\n', /^line 3: expected a key id of four bytes and a signature/],
    [`a\nb\u0000\n\n${LINE}\n`, /^line 2: expected no control characters/],
    [`a\r\n\r\n${LINE}\r\n`, /^line 1: expected no control characters/],
    [`\ud800\n\n${LINE}\n`, /^line 1: expected no control characters/],
    [`a\n\n${`${LINE}\n`.repeat(101)}`, /^line 103: expected at most 100 signatures/],
    [`${'a'.repeat(1_000_001)}\n\n${LINE}\n`, /^line 1: expected at most 1000000 characters/],
  ])('%# is refused: %s', (text, message) => {
    expect(() => parseNote(text)).toThrow(SyntaxError);
    expect(() => parseNote(text)).toThrow(message);
  });

  test.each<Note>([
    { text: 'no newline', signatures: [parseSignature(LINE)] },
    { text: 'a\u0000\n', signatures: [parseSignature(LINE)] },
    { text: 'a\n', signatures: [] },
    { text: 'a\n', signatures: [{ name: 'a', keyId: 1, signature: new Uint8Array() }] },
    { text: 'a\n', signatures: [{ name: 'a', keyId: -1, signature: new Uint8Array(64) }] },
  ])('a note that could not be parsed is not written: %#', (note) => {
    expect(() => formatNote(note)).toThrow(RangeError);
  });
});

describe('signatures', () => {
  const key = parseVerifierKey(VKEY);
  const note = parseNote(NOTE);

  test('verifies signatures by keys of the same name and id only', async () => {
    const calls: unknown[] = [];
    const verify = (...args: unknown[]) => {
      calls.push(args);
      return true;
    };
    const others = [
      { ...key, name: 'example.com/bar' },
      { ...key, keyId: 1 },
    ];
    expect(await checkSignatures(note, others, verify)).toEqual([]);
    expect(calls).toEqual([]);
    expect(await checkSignatures(note, [...others, key], verify)).toMatchObject([{ key, isRight: true }]);
    expect(calls).toEqual([[key.publicKey, new TextEncoder().encode(note.text), note.signatures[0]?.signature]]);
  });

  test('reports wrong signatures', async () => {
    expect(await checkSignatures(note, [key], async () => false)).toMatchObject([{ key, isRight: false }]);
  });

  test('signatures of 64 bytes are no cosignatures, so that nothing is verified', async () => {
    const verify = () => expect.unreachable();
    expect(await checkSignatures(note, [{ ...key, type: 4 }], verify)).toMatchObject([{ isRight: false }]);
  });
});
