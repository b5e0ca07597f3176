import { TextDecoder } from 'node:util';

/** A decoded document. `lossy` is true if some bytes became U+FFFD. */
export interface DecodedDocument {
  readonly text: string;
  readonly lossy: boolean;
}

/** Byte order marks, and the `<?` of an XML declaration in UTF-16 without one. */
const SIGNATURES: readonly [bytes: readonly number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0x00, 0x3f, 0x00], 'utf-16le'],
  [[0x00, 0x3c, 0x00, 0x3f], 'utf-16be'],
];

const detectSignature = (bytes: Uint8Array): string | undefined =>
  SIGNATURES.find(([signature]) => signature.every((byte, index) => bytes[index] === byte))?.[1];

const parseHeaderCharset = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType.slice(0, 500))?.[1];

/** Reads the XML declaration as ASCII, so a declared UTF-16 cannot be true and is ignored. */
const parseDeclaredCharset = (bytes: Uint8Array): string | undefined => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const name = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start)?.[1];
  return name !== undefined && /utf-?16|ucs-?[24]/i.test(name) ? undefined : name;
};

const createDecoder = (charset: string, fatal: boolean): TextDecoder | undefined => {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return undefined; // an unknown charset
  }
};

const decodeAs = (bytes: Uint8Array, charset: string): string | undefined => {
  try {
    return createDecoder(charset, true)?.decode(bytes);
  } catch {
    return undefined; // not valid in this charset
  }
};

/**
 * Decodes a document by its first bytes, its Content-Type or its XML declaration. If either of the latter names UTF-8,
 * that is tried first: other text is hardly ever valid UTF-8, and servers often name a wrong charset.
 */
export const decode = (bytes: Uint8Array, contentType: string): DecodedDocument => {
  const signature = detectSignature(bytes);
  const named = [parseHeaderCharset(contentType), parseDeclaredCharset(bytes)].filter((name) => name !== undefined);
  const isUtf8 = (name: string) => /^utf-?8$/i.test(name);
  const inOrder = named.toSorted((a, b) => Number(isUtf8(b)) - Number(isUtf8(a)));
  const candidates = [...(signature === undefined ? [] : [signature]), ...inOrder, 'utf-8'];
  for (const charset of candidates) {
    const text = decodeAs(bytes, charset);
    if (text !== undefined) return { text, lossy: false };
  }
  const first = candidates.find((charset) => createDecoder(charset, false) !== undefined) as string;
  return { text: (createDecoder(first, false) as TextDecoder).decode(bytes), lossy: true };
};
