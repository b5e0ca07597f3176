import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { SIGNATURE_TYPES, toBase64, type VerifierKey } from '@broker-transparency/log';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeResultsRoot } from './day.ts';
import { type CryptoFunctions, readDayFile } from './day-file.ts';
import { minuteNumber, minuteText } from './minutes.ts';
import { formatResult, hashResult, isUp, ProbeResult, signedText } from './result.ts';

const DATE = '2026-11-02';
const FIRST = minuteNumber(`${DATE}T00:00Z`);
const sha256 = (bytes: Uint8Array): Uint8Array => Uint8Array.from(createHash('sha256').update(bytes).digest());
const hashing: CryptoFunctions = {
  sha256,
  verify: (key, message, signature) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') };
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  },
};

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const somebody = generateKeyPairSync('ed25519').privateKey;
const key: VerifierKey = {
  name: 'frankfurt-1',
  keyId: 1,
  type: SIGNATURE_TYPES.ed25519,
  publicKey: new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)),
};

const signed = (result: ProbeResult, by: KeyObject = privateKey): ProbeResult => ({
  ...result,
  signature: toBase64(sign(null, Buffer.from(signedText(result)), by)),
});

/** A chain of results about these minutes, of which those at `signedAt` are signed; by default the last one. */
const chain = (minutes: readonly number[], signedAt: readonly number[] = [minutes.length - 1]): ProbeResult[] => {
  const results: ProbeResult[] = [];
  for (const [at, minute] of minutes.entries()) {
    const before = results.at(-1);
    const result: ProbeResult = {
      prober: key.name,
      minute: minuteText(FIRST + minute),
      checks: { public: { ok: true, ms: 10 + at } },
      previous: before ? hashResult(before, sha256) : null,
    };
    results.push(signedAt.includes(at) ? signed(result) : result);
  }
  return results;
};
const text = (results: readonly ProbeResult[]): string => results.map((each) => `${formatResult(each)}\n`).join('');
const read = (file: string) => readDayFile(file, { key, date: DATE }, hashing);
const why = async (file: string) => (await read(file)).problems.map(({ line, why: said }) => `${line}: ${said}`);
const slower = (result: ProbeResult): ProbeResult => ({ ...result, checks: { public: { ok: true, ms: 999 } } });
const failed = (result: ProbeResult): ProbeResult => ({ ...result, checks: { public: { ok: false, ms: 10 } } });

const CHANGED = 'it was changed, or lines behind it are missing: the next line continues another one';
const WRONG = 'it was changed: its signature is wrong';
const NOT_COVERED = 'no signature covers it';
const GAP = 'lines behind it are missing or changed';

describe("a prober's file", () => {
  test('counts whole if its last line is signed', async () => {
    const results = chain([0, 1, 2, 3]);
    expect(await read(text(results))).toEqual({
      results,
      head: hashResult(results[3] as ProbeResult, sha256),
      problems: [],
    });
  });

  test('a prober’s file may be empty, end without a newline, and have signatures anywhere', async () => {
    expect(await read('')).toEqual({ results: [], head: null, problems: [] });
    expect((await read(text(chain([0, 1])).trimEnd())).problems).toEqual([]);
    expect((await read(text(chain([0, 1, 2, 3], [1, 3])))).problems).toEqual([]);
  });

  test('a prober’s file may go back in time, as a clock does, and say a minute twice', async () => {
    expect(await read(text(chain([5, 6, 2, 5])))).toMatchObject({ problems: [] });
  });

  test('a day file counts up to its last signature', async () => {
    const { results, head, problems } = await read(text(chain([0, 1, 2], [1])));
    expect([results.length, head]).toEqual([2, hashResult(chain([0, 1], [1])[1] as ProbeResult, sha256)]);
    expect(problems).toEqual([{ line: 3, why: NOT_COVERED }]);
  });
});

describe('a problem is named by its line:', () => {
  const four = chain([0, 1, 2, 3]);
  const all = chain([0, 1, 2, 3], [0, 1, 2, 3]);
  const at = (results: readonly ProbeResult[], index: number) => results[index] as ProbeResult;

  test.each<[string, string, string[]]>([
    ['a changed line', text(all.with(1, slower(at(all, 1)))), [`2: ${WRONG}`]],
    [
      'a changed line without a signature of its own',
      text(four.with(2, slower(at(four, 2)))),
      [`1: ${NOT_COVERED}`, `2: ${NOT_COVERED}`, `3: ${CHANGED}`],
    ],
    ['the changed first line', text(four.with(0, failed(at(four, 0)))), [`1: ${CHANGED}`]],
    ['the changed last line', text(all.with(3, failed(at(all, 3)))), [`4: ${WRONG}`]],
    ['a line that is missing', text(all.toSpliced(1, 1)), [`1: ${GAP}`]],
    ['a line that is missing where none is signed', text(four.toSpliced(2, 1)), [`1: ${NOT_COVERED}`, `2: ${CHANGED}`]],
    ['the first line is missing', text(four.slice(1)), ['1: lines before it are missing']],
    ['the last line is missing', text(four.slice(0, 3)), [1, 2, 3].map((line) => `${line}: ${NOT_COVERED}`)],
    [
      'two lines in each other’s place',
      text([at(all, 0), at(all, 2), at(all, 1), at(all, 3)]),
      [`1: ${GAP}`, `2: ${GAP}`, `3: ${GAP}`],
    ],
    ['a line twice', text([at(all, 0), at(all, 1), at(all, 1)]), [`2: ${GAP}`]],
    [
      'signed by somebody else',
      text(four.with(3, signed(at(chain([0, 1, 2, 3], []), 3), somebody))),
      [1, 2, 3].map((line) => `${line}: ${NOT_COVERED}`).concat(`4: ${WRONG}`),
    ],
    ['no JSON', `${text(all)}{"prober":\n`, ['5: it is no JSON']],
    [
      'another prober',
      text([signed({ ...at(four, 0), prober: 'paris-1' })]),
      ['1: it is of the prober paris-1, not frankfurt-1'],
    ],
    [
      'another day',
      text([signed({ ...at(four, 0), minute: '2026-11-03T00:00Z' })]),
      ['1: it is about 2026-11-03, not 2026-11-02'],
    ],
    ['no result', '{"prober":"frankfurt-1"}\n', ['1: minute: Invalid input: expected string, received undefined']],
    ['no object', '7\n', ['1: the line: Invalid input: expected object, received number']],
    [
      'a field too much',
      `${JSON.stringify({ ...at(all, 0), note: 'x' })}\n`,
      ['1: the line: Unrecognized key: "note"'],
    ],
  ])('%s', async (_, file, expected) => {
    expect(await why(file)).toEqual(expected);
  });

  test('a wrong line does not count, and the signed lines before it do', async () => {
    const { results } = await read(text(all.with(2, failed(at(all, 2)))));
    expect(results).toEqual(all.toSpliced(2, 1));
    expect((await read(text(four.with(2, failed(at(four, 2)))))).results).toEqual([four[3]]);
  });
});

describe('for all files', () => {
  const minutes = fc.array(fc.nat(1439), { minLength: 1, maxLength: 12 });

  test('a changed line never counts, and is named', async () => {
    await fc.assert(
      fc.asyncProperty(minutes, fc.nat(), fc.array(fc.nat(11)), async (all, where, signedAt) => {
        const last = all.length - 1;
        const results = chain(all, [...signedAt, last]);
        const at = where % all.length;
        const { results: counted, problems } = await read(text(results.with(at, failed(results[at] as ProbeResult))));
        expect(problems.map(({ line }) => line)).toContain(at + 1);
        expect(counted.every(isUp)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('a line that is taken out is noticed', async () => {
    await fc.assert(
      fc.asyncProperty(minutes, fc.nat(), async (all, where) => {
        const every = all.map((_, at) => at);
        const results = chain(all, every);
        const at = where % all.length;
        const { problems } = await read(text(results.toSpliced(at, 1)));
        // The end of a file can be cut at a signature: the day's entry says how many lines there are.
        expect(problems.length > 0).toBe(at < all.length - 1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the root of a day', () => {
  const [one, two, three] = [chain([0, 1, 2]), chain([5]), chain([0, 9])];

  test('the root of a day is the root of RFC 6962 over the texts that signatures cover', () => {
    const leaf = (result: ProbeResult) => sha256(Buffer.concat([Buffer.of(0), Buffer.from(signedText(result))]));
    const node = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.concat([Buffer.of(1), left, right]));
    const [a, b, c, d] = [...one, ...two].map(leaf) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    expect(computeResultsRoot([one, two], sha256)).toBe(toBase64(node(node(a, b), node(c, d))));
    expect(computeResultsRoot([one], sha256)).toBe(toBase64(node(node(a, b), c)));
    expect(computeResultsRoot([[], []], sha256)).toBe(toBase64(sha256(new Uint8Array())));
  });

  test('changes with any result, and with the order of probers', () => {
    const root = computeResultsRoot([one, two, three], sha256);
    expect(computeResultsRoot([two, one, three], sha256)).not.toBe(root);
    expect(computeResultsRoot([one, two, three.slice(0, 1)], sha256)).not.toBe(root);
    expect(computeResultsRoot([one.with(1, slower(one[1] as ProbeResult)), two, three], sha256)).not.toBe(root);
  });

  test('the root of a day does not depend on which lines are signed', () => {
    expect(computeResultsRoot([chain([0, 1, 2], [0, 1, 2])], sha256)).toBe(computeResultsRoot([one], sha256));
  });
});

describe('a result', () => {
  const sound = chain([0])[0] as ProbeResult;

  test.each<[string, object, boolean]>([
    ['as it should be', {}, true],
    [
      'with all checks',
      { checks: { public: { ok: true, ms: 0 }, webhook: { ok: false, ms: 5000, error: 'late' } } },
      true,
    ],
    ['without a check', { checks: {} }, true],
    ['of a name in capitals', { prober: 'Frankfurt' }, false],
    ['of a name of 41 characters', { prober: 'a'.repeat(41) }, false],
    ['of a name of 40 characters', { prober: 'a'.repeat(40) }, true],
    ['with seconds', { minute: '2026-11-02T00:00:00Z' }, false],
    ['in the 24th hour', { minute: '2026-11-02T24:00Z' }, false],
    ['with a fraction', { checks: { public: { ok: true, ms: 1.5 } } }, false],
    ['with a negative time', { freshnessMs: -1 }, false],
    ['with a check that is not known', { checks: { tea: { ok: true, ms: 1 } } }, false],
    ['with a hash that is none', { previous: 'AAAA' }, false],
    ['with an empty error', { checks: { public: { ok: false, ms: 1, error: '' } } }, false],
  ])('%s', (_, change, taken) => {
    expect(ProbeResult.safeParse({ ...sound, ...change }).success).toBe(taken);
  });

  test('a result is written in one way, whatever the order of its fields', () => {
    const turned = Object.fromEntries(Object.entries(sound).toReversed()) as ProbeResult;
    expect(formatResult(turned)).toBe(formatResult(sound));
    expect(hashResult(turned, sha256)).toBe(hashResult(sound, sha256));
  });
});

describe('hostile lines are named, and stop nobody:', () => {
  const [one] = chain([0]) as [ProbeResult];

  test.each<[string, object, string]>([
    [
      'a signature that no encoder writes',
      { signature: `${'A'.repeat(85)}B==` },
      '1: it was changed: its signature is wrong',
    ],
    [
      'a text without bytes',
      { checks: { public: { ok: false, ms: 1, error: '\ud800' } } },
      '1: checks.public.error: must have no lone surrogate',
    ],
  ])('%s', async (_, change, expected) => {
    expect(await why(`${JSON.stringify({ ...one, ...change })}\n`)).toEqual([expected]);
  });
});
