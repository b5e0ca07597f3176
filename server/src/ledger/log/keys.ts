import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import {
  type Ed25519Verify,
  formatVerifierKey,
  fromBase64,
  keyIdFrom,
  keyIdInput,
  SIGNATURE_TYPES,
  type Signer,
  toBase64,
  type VerifierKey,
} from '@broker-transparency/log';
import { DomainError } from '../../platform/domain-error.ts';
import { readPrivate } from '../../platform/private-file.ts';

/* The key that signs checkpoints, in the text form of golang.org/x/mod/sumdb/note: PRIVATE+KEY+name+id+base64. */

/** A key that signs notes. The private key does not leave it. */
export interface LogKey extends Signer {
  /** Key for verifiers: `name+id+base64`. */
  readonly verifierKey: string;
}

const SEED_SIZE = 32;

/** Prefix of the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const toPrivateKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

/** Returns the raw public key: the last 32 bytes of its SPKI form. */
const derivePublicKey = (privateKey: KeyObject): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-SEED_SIZE));

/** Verifies a raw Ed25519 signature. */
export const verifyEd25519: Ed25519Verify = (publicKey, message, signature) => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
  return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature);
};

/** Returns whether the id of a key follows from its name and bytes. */
export const hasItsId = (key: VerifierKey): boolean =>
  keyIdFrom(createHash('sha256').update(keyIdInput(key)).digest()) === key.keyId;

const deriveVerifierKey = (name: string, privateKey: KeyObject): VerifierKey => {
  const key = { name, type: SIGNATURE_TYPES.ed25519, publicKey: derivePublicKey(privateKey) };
  return { ...key, keyId: keyIdFrom(createHash('sha256').update(keyIdInput(key)).digest()) };
};

/**
 * Makes a new private key.
 * @param name the origin of the log that it signs
 * @returns the text for a file that only its owner can read
 * @throws RangeError if the name has blanks or a plus sign
 */
export const newLogKey = (name: string): string => {
  const seed = randomBytes(SEED_SIZE);
  const key = deriveVerifierKey(name, toPrivateKey(seed));
  const [shownName, id] = formatVerifierKey(key).split('+');
  return `PRIVATE+KEY+${shownName}+${id}+${toBase64(Uint8Array.of(key.type, ...seed))}\n`;
};

const FORM = 'it must be one line, PRIVATE+KEY+name+id+base64, with an Ed25519 key';

/**
 * Reads a private key.
 * @throws SyntaxError with the fault, without any part of the key
 */
export const parseLogKey = (text: string): LogKey => {
  const [, name, id, encoded] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)\n?$/.exec(text) ?? [];
  if (name === undefined || encoded === undefined) throw new SyntaxError(FORM);
  const decoded = () => {
    try {
      return fromBase64(encoded);
    } catch {
      throw new SyntaxError(FORM);
    }
  };
  const [type, ...seed] = decoded();
  if (type !== SIGNATURE_TYPES.ed25519 || seed.length !== SEED_SIZE) throw new SyntaxError(FORM);
  const privateKey = toPrivateKey(Uint8Array.from(seed));
  const key = deriveVerifierKey(name, privateKey);
  const verifierKey = formatVerifierKey(key);
  if (verifierKey.split('+')[1] !== id) throw new SyntaxError('its id is not the one of its name and key');
  return {
    name,
    keyId: key.keyId,
    verifierKey,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
};

/**
 * Reads the private key in a file.
 * @throws DomainError `unreadable_file` with the file and the cure
 */
export const readLogKey = async (file: string): Promise<LogKey> => {
  try {
    return parseLogKey(await readPrivate(file));
  } catch (error) {
    throw new DomainError('unreadable_file', `the log's key ${file}: ${(error as Error).message}`, { cause: error });
  }
};
