import { utf8 } from './bytes.ts';
import { type SignedMessage, toSignedMessage } from './cosignature.ts';
import { type Note, SIGNATURE_TYPES, type Signature, type VerifierKey } from './note.ts';

/** Verifies a raw Ed25519 signature. The promise lets browsers use WebCrypto. */
export type Ed25519Verify = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

/** A signature by a known key, and its validity. */
export interface CheckedSignature<Key extends VerifierKey = VerifierKey> {
  readonly key: Key;
  readonly signature: Signature;
  readonly isRight: boolean;
}

const signedIn = (text: string, { signature }: Signature, { type }: VerifierKey): SignedMessage | undefined => {
  if (type === SIGNATURE_TYPES.ed25519) return { message: utf8(text), signature };
  try {
    return toSignedMessage(text, signature);
  } catch {
    return undefined; // a malformed signature by a known key is invalid
  }
};

const isRight = async (text: string, signature: Signature, key: VerifierKey, verify: Ed25519Verify) => {
  const signed = signedIn(text, signature, key);
  return signed !== undefined && (await verify(key.publicKey, signed.message, signed.signature));
};

/**
 * Verifies the signatures by known keys. Signatures by other keys are ignored, so the list may be empty. A reader
 * should refuse a note in which a known key's signature is wrong.
 * @example checkSignatures({ text: 'Hello\n', signatures: [] }, [], () => true) // []
 */
export const checkSignatures = async <Key extends VerifierKey>(
  { text, signatures }: Note,
  keys: readonly Key[],
  verify: Ed25519Verify,
): Promise<readonly CheckedSignature<Key>[]> => {
  const known = signatures.flatMap((signature) =>
    keys
      .filter(({ name, keyId }) => name === signature.name && keyId === signature.keyId)
      .map((key) => ({ key, signature })),
  );
  return Promise.all(
    known.map(async ({ key, signature }) => ({
      key,
      signature,
      isRight: await isRight(text, signature, key, verify),
    })),
  );
};
