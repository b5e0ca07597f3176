import { concat, fromBase64, utf8 } from './bytes.ts';

/* Hashes of a tree as RFC 6962 defines them. A prefix keeps a leaf from being taken for a node. */

/** SHA-256, as `node:crypto` computes it. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** SHA-256 that may be asynchronous, as in WebCrypto. */
export type AnySha256 = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Root of the tree without leaves: the hash of no bytes. */
export const EMPTY_ROOT: Uint8Array = fromBase64('47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');

/**
 * Returns the bytes to hash for a leaf.
 * @example Array.from(leafInput(fromBase64('Kg=='))) // [0, 42]
 */
export const leafInput = (leaf: Uint8Array): Uint8Array => concat(Uint8Array.of(0), leaf);

/**
 * Returns the bytes to hash for a node with two children.
 * @example Array.from(nodeInput(fromBase64('Kg=='), fromBase64('Kw=='))) // [1, 42, 43]
 */
export const nodeInput = (left: Uint8Array, right: Uint8Array): Uint8Array => concat(Uint8Array.of(1), left, right);

/** A text, and the random bytes in base64 that protect its commitment from guessing. */
export interface SaltedText {
  readonly salt: string;
  readonly text: string;
}

/**
 * Returns the bytes to hash for the commitment to a text.
 * @throws SyntaxError if the random bytes are not base64
 * @example Array.from(commitmentInput({ salt: 'Kg==', text: '+' })) // [42, 43]
 */
export const commitmentInput = ({ salt, text }: SaltedText): Uint8Array => concat(fromBase64(salt), utf8(text));
