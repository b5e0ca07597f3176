import type { Sha256 } from '@broker-transparency/log';

/*
 * SHA-256 (FIPS 180-4) that answers at once. WebCrypto answers later, and the record and the log need each hash while
 * they write an entry.
 */

const isPrime = (number: number): boolean => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
};

/** The first 64 prime numbers. */
const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter(isPrime);

/** Returns the first 32 bits of the fractional part of a number. */
const takeFraction = (number: number): number => Math.floor((number % 1) * 2 ** 32);

const ROUNDS = Int32Array.from(PRIMES, (prime) => takeFraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => takeFraction(Math.sqrt(prime)));

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Appends the padding and the length in bits. */
const pad = (bytes: Uint8Array): DataView => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return view;
};

/** Writes the 64 words of a block. */
const expand = (view: DataView, from: number, words: Int32Array): void => {
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(from + at * 4);
  for (let at = 16; at < 64; at++) {
    const [early, late] = [words[at - 15] as number, words[at - 2] as number];
    const one = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const other = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] as number) + one + (words[at - 7] as number) + other;
  }
};

type State = [number, number, number, number, number, number, number, number];

const compress = (state: Int32Array, words: Int32Array): void => {
  let [a, b, c, d, e, f, g, h] = state as unknown as State;
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g);
    const turned = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + turned + chosen + (ROUNDS[at] as number) + (words[at] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + word;
};

/** Returns the SHA-256 of bytes. */
export const sha256: Sha256 = (bytes) => {
  const view = pad(bytes);
  const state = START.slice();
  const words = new Int32Array(64);
  for (let from = 0; from < view.byteLength; from += 64) {
    expand(view, from, words);
    compress(state, words);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) hash.setInt32(at * 4, word);
  return new Uint8Array(hash.buffer);
};
