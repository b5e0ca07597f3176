import { isAscii, isUtf8 } from 'node:buffer';

/** The detected encoding of a text file. */
export interface DetectedEncoding {
  /** Name of an encoding, as `TextDecoder` takes it. */
  readonly encoding: string;
  /** A word by which a person can check the assumption; only if the bytes do not prove the encoding. */
  readonly sample?: string;
}

const BOMS: readonly [bom: string, encoding: string][] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];

/** Returns the encoding of UTF-16 without a mark: text with Latin letters has a zero in every other byte. */
const detectUtf16 = (head: Buffer): string | undefined => {
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 5 && even === 0) return 'utf-16le';
  return even > head.length / 5 && odd === 0 ? 'utf-16be' : undefined;
};

const MULTIBYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;
/** Sequences that Western text in Windows-1252 lacks: undefined bytes, signs within words, four signs in a row. */
const NOT_WESTERN =
  /[\x81\x8d\x8f\x90\x9d]|[A-Za-z\xc0-\xff][\xa1-\xb3\xb5\xb6\xb8-\xbf][A-Za-z\xc0-\xff]|[\x80-\xff]{4}/;
const WORD = /[^\s,;"]{0,30}[\x80-\xff][^\s,;"]{0,30}/;

/** The longest sequence of bytes that ends in the next chunk. */
const TAIL = 3;

/**
 * Finds the encoding of a text file: by its mark, else UTF-8, else Windows-1252 if nothing in the file contradicts it;
 * undefined otherwise. Reads the whole file, in constant memory.
 */
export const detectEncoding = async (chunks: AsyncIterable<Buffer>): Promise<DetectedEncoding | undefined> => {
  let rest: Buffer = Buffer.alloc(0);
  let [isFirst, hasMultibyte, isWestern] = [true, false, true];
  const isUtf8SoFar = createUtf8Checker();
  let sample: string | undefined;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    isUtf8SoFar(chunk);
    if (isFirst) {
      const start = bytes.subarray(0, 3).toString('latin1');
      const marked = BOMS.find(([bom]) => start.startsWith(bom))?.[1] ?? detectUtf16(bytes.subarray(0, 1024));
      if (marked !== undefined) return { encoding: marked };
      isFirst = false;
    }
    rest = bytes.subarray(Math.max(0, bytes.length - TAIL));
    if (isAscii(bytes)) continue;
    const text = bytes.toString('latin1');
    hasMultibyte ||= MULTIBYTE.test(text);
    isWestern &&= !NOT_WESTERN.test(text);
    sample ??= WORD.exec(text)?.[0];
  }
  // A file in UTF-8 with a damaged row is read as UTF-8, and the row is reported by its line.
  if (isUtf8SoFar() || hasMultibyte) return { encoding: 'utf-8' };
  const word = sample && new TextDecoder('windows-1252').decode(Buffer.from(sample, 'latin1'));
  return isWestern && word !== undefined ? { encoding: 'windows-1252', sample: word } : undefined;
};

/** Returns the function that checks, chunk by chunk and at the end, that bytes are UTF-8. */
const createUtf8Checker = () => {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isGood = true;
  return (chunk?: Buffer): boolean => {
    try {
      if (isGood) decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isGood = false;
    }
    return isGood;
  };
};

/** Returns true if a name is that of an encoding. */
export const isEncoding = (name: string): boolean => {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
};

/** Converts text of an encoding to UTF-8, in constant memory. Invalid bytes become U+FFFD. */
export const toUtf8 = async function* (chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  if (decoder.encoding === 'utf-8') {
    yield* chunks;
    return;
  }
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield Buffer.from(text);
  }
  const rest = decoder.decode();
  if (rest !== '') yield Buffer.from(rest);
};

const windows1252 = new TextDecoder('windows-1252');

/** Decodes a cell of a file that mixes UTF-8 and Windows-1252, as some offices publish it. */
export const decodeMixed = (latin1: string): string => {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : windows1252.decode(bytes);
};
