import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from './bytes.ts';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { formatCosignature, parseCosignature } from './cosignature.ts';
import { formatEntryExtra, parseEntryExtra } from './entry-extra.ts';
import { formatNote, formatVerifierKey, parseNote, parseVerifierKey } from './note.ts';
import { parsePolicy } from './policy.ts';
import { formatProof, parseProof } from './proof.ts';
import { decodeBundle, encodeBundle, parseTilePath, tilePath } from './tiles.ts';
import vectors from './vectors.json' with { type: 'json' };
import { formatAddCheckpoint, parseAddCheckpoint, parseWitnessSize } from './witness.ts';

/*
 * What comes from outside: a parser accepts a text or throws a SyntaxError, and what it accepts has no other spelling.
 * So nobody can change a text that was verified without an effect.
 */

const { checkpoint, dayProof, policies } = vectors;
const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);

const TEXTS: Readonly<Record<string, readonly [valid: string, again: (text: string) => string]>> = {
  note: [vectors.note, (source) => formatNote(parseNote(source))],
  'verifier key': [vectors.verifierKey, (source) => formatVerifierKey(parseVerifierKey(source))],
  checkpoint: [text, (source) => formatCheckpoint(parseCheckpoint(source))],
  proof: [dayProof, (source) => formatProof(parseProof(source))],
  'body for a witness': [`old 3\n\n${checkpoint}`, (source) => formatAddCheckpoint(parseAddCheckpoint(source))],
  'size of a witness': ['300\n', (source) => `${parseWitnessSize(source)}\n`],
  'path of a tile': ['tile/0/x001/234.p/5', (source) => tilePath(parseTilePath(source))],
  extra: [
    new TextDecoder().decode(parseProof(dayProof).extra),
    (source) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(formatEntryExtra(parseEntryExtra(utf8(source)))),
  ],
};

/** A valid text with a piece replaced by characters that mean something in one of the formats. */
const changed = (valid: string) =>
  fc
    .tuple(
      fc.nat(valid.length),
      fc.nat(3),
      fc.string({ unit: fc.constantFrom(...'\n \t+=—019aAx/.\u0000\r\ufeff'), maxLength: 3 }),
    )
    .map(([at, less, more]) => valid.slice(0, at) + more + valid.slice(at + less));

describe.each(Object.entries(TEXTS))('%s', (_, [valid, again]) => {
  test('a valid text is written as it was read', () => {
    expect(again(valid)).toBe(valid);
  });

  test('any text is refused by a SyntaxError, or has one spelling', () => {
    const sources = fc.oneof(fc.string({ unit: 'binary' }), changed(valid), changed(valid).chain(changed));
    fc.assert(
      fc.property(sources, (source) => {
        try {
          expect(again(source)).toBe(source);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
      }),
      { seed: 20_261_123, numRuns: 500 },
    );
  });
});

test('bytes are refused by a SyntaxError, or have one spelling', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.uint8Array({ minLength: 70, maxLength: 74 })), (bytes) => {
      for (const again of [
        () => formatCosignature(parseCosignature(bytes)),
        () => encodeBundle(decodeBundle(bytes)),
        () => formatEntryExtra(parseEntryExtra(bytes)),
      ])
        try {
          expect(again()).toEqual(bytes);
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
    }),
  );
});

test('a policy is parsed, or refused by a SyntaxError that names a line', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), changed(policies.twoOf3)), (source) => {
      try {
        parsePolicy(source);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        expect(error.message).toMatch(/^line \d+: expected /);
      }
    }),
  );
});
