import { type Ed25519Verify, leafInput, toBase64 } from '@broker-transparency/log';
import { VerifyError } from './error.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Named by the value, since Node declares the type elsewhere than browsers do. */
type Subtle = typeof globalThis.crypto.subtle;

/**
 * Imports WebCrypto from Node 18, which has no global `crypto`. The name is composed at run time, so that bundlers for
 * browsers do not look for the module.
 */
const importNodeSubtle = async (): Promise<Subtle> => {
  const { webcrypto } = await import(/* webpackIgnore: true */ /* @vite-ignore */ ['node', 'crypto'].join(':'));
  return webcrypto.subtle;
};

export const loadSubtle = async (): Promise<Subtle> =>
  globalThis.crypto?.subtle ??
  (await importNodeSubtle().catch((cause: unknown) => {
    const message = 'this platform has no WebCrypto (crypto.subtle); browsers have it on pages from https only';
    throw new VerifyError('unsupported', message, { cause });
  }));

/** SHA-256 by WebCrypto. */
export const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await (await loadSubtle()).digest('SHA-256', bytes as Bytes));

const utf8 = new TextEncoder();

/** Hashes a text as a leaf. */
export const hashLeaf = (text: string): Promise<Uint8Array> => sha256(leafInput(utf8.encode(text)));

/** SHA-256 of a text, in base64. */
export const hashText = async (text: string): Promise<string> => toBase64(await sha256(utf8.encode(text)));

const importPublicKey = async (publicKey: Uint8Array): ReturnType<Subtle['importKey']> => {
  const crypto = await loadSubtle();
  try {
    return await crypto.importKey('raw', publicKey as Bytes, { name: 'Ed25519' }, false, ['verify']);
  } catch (cause) {
    const message =
      'the WebCrypto of this platform cannot verify Ed25519 signatures: it needs Chrome 137, Firefox 129, Safari 17 or Node 18.4';
    throw new VerifyError('unsupported', message, { cause });
  }
};

/**
 * Verifies an Ed25519 signature by WebCrypto.
 * @throws VerifyError with the code `unsupported`
 */
export const ed25519: Ed25519Verify = async (publicKey, message, signature) => {
  const key = await importPublicKey(publicKey);
  return (await loadSubtle()).verify('Ed25519', key, signature as Bytes, message as Bytes);
};
