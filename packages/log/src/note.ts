import { concat, toBase64, utf8 } from './bytes.ts';
import { parseBase64, requireWhole, splitLines, wrongLine } from './lines.ts';

/* c2sp.org/signed-note: a text signed by one or more keys. */

/** Types of signatures: Ed25519 over the text of a note, and the Ed25519 cosignature of a checkpoint by a witness. */
export const SIGNATURE_TYPES = { ed25519: 0x01, cosignature: 0x04 } as const;

/** The number of a type of signatures. */
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

/** A public key with the name of its signatures. */
export interface VerifierKey {
  readonly name: string;
  /** The first four bytes of a hash over name, type and public key. It distinguishes keys, and proves nothing. */
  readonly keyId: number;
  readonly type: SignatureType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** A signature line of a note. It is unverified. */
export interface Signature {
  readonly name: string;
  readonly keyId: number;
  readonly signature: Uint8Array;
}

/** A text with its signatures. */
export interface Note {
  /** The signed text. It ends in a newline. */
  readonly text: string;
  readonly signatures: readonly Signature[];
}

const PUBLIC_KEY_SIZE = 32;
const MOST_SIGNATURES = 100;
const MOST_TEXT = 1_000_000;

const isName = (name: string): boolean => /^[^\p{White_Space}+\p{Cc}\p{Surrogate}]+$/u.test(name);

/** Characters that no note may have: control characters except newlines, and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids exactly these
const FORBIDDEN = /[\u0000-\u0009\u000B-\u001F]|\p{Surrogate}/u;

const checkedName = (name: string): string => {
  if (!isName(name)) throw new RangeError(`a key name has no blanks and no "+", not ${JSON.stringify(name)}`);
  return name;
};

const uint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

/**
 * Reads a key id from the hash over {@link keyIdInput}.
 * @example keyIdFrom(fromBase64('U9kDOgAA')).toString(16) // '53d9033a'
 */
export const keyIdFrom = (hash: Uint8Array): number => new DataView(hash.buffer, hash.byteOffset, 4).getUint32(0);

/**
 * Returns the bytes whose SHA-256 hash begins with the id of a key.
 * @example keyIdInput({ name: 'a.example', type: 1, publicKey: fromBase64('AQI=') }).length // 13
 */
export const keyIdInput = ({ name, type, publicKey }: Omit<VerifierKey, 'keyId'>): Uint8Array =>
  concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey);

const isType = (type: number | undefined): type is SignatureType =>
  Object.values(SIGNATURE_TYPES).some((known) => known === type);

/**
 * Parses a verifier key, `name+id+base64`. The id is what the text says: compare it with the hash of
 * {@link keyIdInput} before you trust the key.
 * @throws SyntaxError that says which part is wrong
 * @example parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k').name // 'example.com/foo'
 */
export const parseVerifierKey = (text: string): VerifierKey => {
  const [, name = '', id = '', encoded = ''] = /^([^+]*)\+([^+]*)\+(.*)$/s.exec(text) ?? [];
  if (!isName(name) || !/^[0-9a-f]{8}$/.test(id))
    throw wrongLine(1, 'a verifier key: name, + and eight hexadecimal digits, + and base64', text);
  const [type, ...publicKey] = parseBase64(encoded, 1, 'type and public key');
  if (!isType(type)) throw wrongLine(1, 'a key of type 1 (Ed25519) or 4 (cosignature)', `type ${type}`);
  if (publicKey.length !== PUBLIC_KEY_SIZE)
    throw wrongLine(1, `a public key of ${PUBLIC_KEY_SIZE} bytes`, `${publicKey.length} bytes`);
  return { name, keyId: Number.parseInt(id, 16), type, publicKey: Uint8Array.from(publicKey) };
};

/** Formats a key id as eight hexadecimal digits. */
const hexId = (keyId: number): string => keyId.toString(16).padStart(8, '0');

/**
 * Formats a verifier key.
 * @throws RangeError if the name is none
 * @example formatVerifierKey(parseVerifierKey('a.example+0000002a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k')) // 'a.example+0000002a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
 */
export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${checkedName(name)}+${hexId(keyId)}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;

/**
 * Parses a signature line without its newline.
 * @param line the number of the line in errors
 * @throws SyntaxError that says what was expected
 * @example parseSignature('— w.example AAAAKgEC').keyId // 42
 */
export const parseSignature = (text: string, line = 1): Signature => {
  const [, name = '', encoded = ''] = /^— ([^ ]+) ([^ ]+)$/.exec(text) ?? [];
  if (!isName(name)) throw wrongLine(line, 'a signature line: —, name and base64', text);
  const bytes = parseBase64(encoded, line, 'a signature');
  if (bytes.length <= 4) throw wrongLine(line, 'a key id of four bytes and a signature', encoded);
  return { name, keyId: keyIdFrom(bytes), signature: bytes.slice(4) };
};

/**
 * Formats a signature line without its newline.
 * @throws RangeError if the name is none or there is no signature
 * @example formatSignature({ name: 'w.example', keyId: 42, signature: fromBase64('AQI=') }) // '— w.example AAAAKgEC'
 */
export const formatSignature = ({ name, keyId, signature }: Signature): string => {
  if (signature.length === 0) throw new RangeError('a signature has at least one byte');
  return `— ${checkedName(name)} ${toBase64(concat(uint32(requireWhole(keyId, 'a key id')), signature))}`;
};

/**
 * Parses signature lines, as a witness answers them.
 * @param first the number of the first line in errors
 * @throws SyntaxError that names the line
 * @example parseSignatures('— w.example AAAAKgEC\n').length // 1
 */
export const parseSignatures = (text: string, first = 1): readonly Signature[] => {
  const lines = splitLines(text, first);
  if (lines.length === 0) throw wrongLine(first, 'a signature line', 'the end');
  if (lines.length > MOST_SIGNATURES) throw wrongLine(first + MOST_SIGNATURES, `at most ${MOST_SIGNATURES} signatures`);
  return lines.map((line, at) => parseSignature(line, first + at));
};

/**
 * Parses a signed note. It verifies nothing.
 * @param first the number of the first line in errors
 * @throws SyntaxError that names the line
 * @example parseNote('Hello\n\n— w.example AAAAKgEC\n').text // 'Hello\n'
 */
export const parseNote = (source: string, first = 1): Note => {
  if (source.length > MOST_TEXT) throw wrongLine(first, `at most ${MOST_TEXT} characters`);
  const lines = splitLines(source, first);
  const bad = lines.findIndex((line) => FORBIDDEN.test(line));
  if (bad >= 0) throw wrongLine(first + bad, 'no control characters', lines[bad]);
  const blank = lines.lastIndexOf('');
  if (blank <= 0) throw wrongLine(first + lines.length, 'a text, an empty line and signatures', 'the end');
  const rest = source.lastIndexOf('\n\n') + 2;
  return { text: source.slice(0, rest - 1), signatures: parseSignatures(source.slice(rest), first + blank + 1) };
};

/**
 * Formats a note.
 * @throws RangeError if it could not be parsed again
 * @example formatNote({ text: 'Hello\n', signatures: [{ name: 'w.example', keyId: 42, signature: fromBase64('AQI=') }] }) // 'Hello\n\n— w.example AAAAKgEC\n'
 */
export const formatNote = ({ text, signatures }: Note): string => {
  if (!text.endsWith('\n') || FORBIDDEN.test(text.replaceAll('\n', '')))
    throw new RangeError('the text of a note ends in a newline and has no other control characters');
  if (signatures.length === 0 || signatures.length > MOST_SIGNATURES)
    throw new RangeError(`a note has 1 to ${MOST_SIGNATURES} signatures, not ${signatures.length}`);
  return `${text}\n${signatures.map((each) => `${formatSignature(each)}\n`).join('')}`;
};

/** Signs bytes by Ed25519, with its key's name and id. */
export interface Signer extends Pick<VerifierKey, 'name' | 'keyId'> {
  /** Returns the raw signature of 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/**
 * Signs a text by Ed25519 (type 1) and returns the note.
 * @throws RangeError if the text cannot be that of a note
 * @example signNote('Hello\n', [{ name: 'w.example', keyId: 42, sign: () => fromBase64('AQI=') }]) // 'Hello\n\n— w.example AAAAKgEC\n'
 */
export const signNote = (text: string, signers: readonly Signer[]): string =>
  formatNote({
    text,
    signatures: signers.map(({ name, keyId, sign }) => ({ name, keyId, signature: sign(utf8(text)) })),
  });
