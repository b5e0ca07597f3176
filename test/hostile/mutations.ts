import * as fc from 'fast-check';

/**
 * One change of a request's bytes. Positions are given in ten-thousandths of the length, so that a mutation fits any
 * request.
 */
type Mutation =
  | { readonly op: 'set'; readonly at: number; readonly byte: number }
  | { readonly op: 'insert'; readonly at: number; readonly text: string }
  | { readonly op: 'delete'; readonly at: number; readonly count: number }
  | { readonly op: 'repeat'; readonly at: number; readonly count: number; readonly times: number }
  | { readonly op: 'splice'; readonly at: number; readonly from: number; readonly other: number };

/** The request to send, its mutations, and the positions at which it is cut into pieces that arrive separately. */
export interface MutationAttempt {
  readonly base: number;
  readonly mutations: readonly Mutation[];
  readonly cuts: readonly number[];
}

/** Texts with a meaning for parsers of HTTP, URLs or JSON, or for the database. */
const WORDS: readonly string[] = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '"',
  '\\',
  '/',
  '?',
  '#',
  '&',
  '=',
  '%',
  '\x7f',
  '\xff',
  '\r\n\r\n',
  '\r\n ',
  '\n\n',
  ' HTTP/1.1\r\n',
  'HTTP/1.0',
  'HTTP/2.0',
  'GET / HTTP/1.1\r\n',
  'X-Injected: 1\r\n',
  'Host: b\r\n',
  'Transfer-Encoding: chunked\r\n',
  'transfer-encoding : chunked\r\n',
  'Transfer-Encoding: gzip\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: 99999999999\r\n',
  'Content-Length: -1\r\n',
  '0\r\n\r\n',
  '1\r\n',
  'ffffffffffffffff\r\n',
  '5;a=b\r\n',
  'Trailer: x\r\n',
  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: websocket\r\n',
  'Expect: 100-continue\r\n',
  'Content-Encoding: gzip\r\n',
  '%00',
  '%0d%0aX-Injected:%201',
  '%ff',
  '%2e%2e%2f',
  '../',
  '[$ne]',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '\u00e2\u0080\u00ae',
  '\u00ed\u00a0\u0080',
  '\u00f0\u009f\u0092\u00a9',
  '1e400',
  '-0',
  '[[[[',
  '{"a":',
  'null',
  'A'.repeat(9000),
  'a/'.repeat(2000),
  '\r\nX: 1'.repeat(300),
];

const at = fc.nat({ max: 9999 });
const count = fc.integer({ min: 1, max: 40 });

const mutation = (bases: number): fc.Arbitrary<Mutation> =>
  fc.oneof(
    fc.record({ op: fc.constant('set' as const), at, byte: fc.nat({ max: 255 }) }),
    { weight: 3, arbitrary: fc.record({ op: fc.constant('insert' as const), at, text: fc.constantFrom(...WORDS) }) },
    fc.record({ op: fc.constant('delete' as const), at, count }),
    fc.record({ op: fc.constant('repeat' as const), at, count, times: fc.integer({ min: 2, max: 60 }) }),
    fc.record({ op: fc.constant('splice' as const), at, from: at, other: fc.nat({ max: bases - 1 }) }),
  );

/** Attempts on `bases` different requests. */
export const attempt = (bases: number): fc.Arbitrary<MutationAttempt> =>
  fc.record({
    base: fc.nat({ max: bases - 1 }),
    mutations: fc.array(mutation(bases), { maxLength: 5 }),
    cuts: fc.array(at, { maxLength: 3 }),
  });

const toOffset = (bytes: Buffer, part: number): number => Math.floor((bytes.length * part) / 10_000);

const applyMutation = (bytes: Buffer, bases: readonly Buffer[], mutation: Mutation): Buffer => {
  const start = toOffset(bytes, mutation.at);
  const replace = (count: number, ...middle: Buffer[]) =>
    Buffer.concat([bytes.subarray(0, start), ...middle, bytes.subarray(start + count)]);
  switch (mutation.op) {
    case 'set':
      return replace(1, Buffer.of(mutation.byte));
    case 'insert':
      return replace(0, Buffer.from(mutation.text, 'latin1'));
    case 'delete':
      return replace(mutation.count);
    case 'repeat':
      return replace(0, ...Array(mutation.times).fill(bytes.subarray(start, start + mutation.count)));
    case 'splice': {
      const other = bases[mutation.other] as Buffer;
      return Buffer.concat([bytes.subarray(0, start), other.subarray(toOffset(other, mutation.from))]);
    }
  }
};

/** The pieces of an attempt in the order of sending. */
export const cutPieces = ({ base, mutations, cuts }: MutationAttempt, bases: readonly Buffer[]): Buffer[] => {
  const bytes = mutations.reduce((before, mutation) => applyMutation(before, bases, mutation), bases[base] as Buffer);
  const places = [0, ...cuts.map((cut) => toOffset(bytes, cut)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};
