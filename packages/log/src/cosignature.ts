import { concat, utf8 } from './bytes.ts';
import { requireWhole } from './lines.ts';

/* c2sp.org/tlog-cosignature: the Ed25519 signature of a witness under a checkpoint (type 4). */

/** A parsed cosignature. */
export interface Cosignature {
  /** Time of the signature, in seconds since 1970. */
  readonly timestamp: number;
  /** The Ed25519 signature: 64 bytes. */
  readonly signature: Uint8Array;
}

const TIME_SIZE = 8;
const SIGNATURE_SIZE = 64;

/**
 * Returns the text that a witness signs.
 * @param checkpoint the text of the checkpoint without signatures
 * @throws RangeError if the time is no whole number
 * @example cosignatureText('log.example/1\n…\n', 1679315147) // 'cosignature/v1\ntime 1679315147\nlog.example/1\n…\n'
 */
export const cosignatureText = (checkpoint: string, timestamp: number): string =>
  `cosignature/v1\ntime ${requireWhole(timestamp, 'a time')}\n${checkpoint}`;

/**
 * Takes the bytes of a signature line of type 4 apart.
 * @throws SyntaxError if they are no cosignature
 * @example parseCosignature(formatCosignature({ timestamp: 1679315147, signature: fromBase64('A'.repeat(84) + 'AA==') })).timestamp // 1679315147
 */
export const parseCosignature = (bytes: Uint8Array): Cosignature => {
  if (bytes.length !== TIME_SIZE + SIGNATURE_SIZE)
    throw new SyntaxError(`expected a cosignature of ${TIME_SIZE + SIGNATURE_SIZE} bytes, not ${bytes.length}`);
  const timestamp = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  if (!Number.isSafeInteger(timestamp)) throw new SyntaxError('expected a time below 2^53 seconds');
  return { timestamp, signature: bytes.slice(TIME_SIZE) };
};

/**
 * Joins time and signature in the form of a signature line.
 * @throws RangeError if the time is no whole number or the signature has not 64 bytes
 * @example formatCosignature({ timestamp: 1, signature: fromBase64('A'.repeat(84) + 'AA==') }).length // 72
 */
export const formatCosignature = ({ timestamp, signature }: Cosignature): Uint8Array => {
  if (signature.length !== SIGNATURE_SIZE) throw new RangeError(`a signature has ${SIGNATURE_SIZE} bytes`);
  const time = new Uint8Array(TIME_SIZE);
  new DataView(time.buffer).setBigUint64(0, BigInt(requireWhole(timestamp, 'a time')));
  return concat(time, signature);
};

/** Bytes and the raw Ed25519 signature over them. */
export interface SignedMessage {
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** Returns the text and signature of a cosignature, from its signature line. */
export const toSignedMessage = (checkpoint: string, bytes: Uint8Array): SignedMessage => {
  const { timestamp, signature } = parseCosignature(bytes);
  return { message: utf8(cosignatureText(checkpoint, timestamp)), signature };
};
