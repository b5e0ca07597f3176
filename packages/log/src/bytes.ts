/** Returns the UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Decodes bytes as UTF-8.
 * @throws SyntaxError if they are not UTF-8
 */
export const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    // a byte order mark is part of the text: without it, the text would have other bytes than were signed
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SyntaxError('expected UTF-8');
  }
};

/** Joins pieces of bytes. */
export const concat = (...pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/** Returns whether two pieces have the same bytes. It compares public data, so its time may depend on them. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/**
 * Encodes bytes in the standard Base 64 encoding (RFC 4648, section 4), with padding.
 * @example toBase64(fromBase64('aGFzaA==')) // 'aGFzaA=='
 */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/**
 * Decodes the standard Base 64 encoding. Each sequence of bytes has one encoding: blanks, missing padding and bits
 * beyond the last byte are refused, otherwise a proof could be changed without an effect.
 * @throws SyntaxError for any other text
 * @example Array.from(fromBase64('AQI=')) // [1, 2]
 */
export const fromBase64 = (text: string): Uint8Array => {
  let binary = '';
  try {
    binary = atob(text);
  } catch {
    throw new SyntaxError('expected base64');
  }
  if (btoa(binary) !== text) throw new SyntaxError('expected base64');
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
};
