import { fromBase64 } from '@broker-transparency/log';
import { loadSubtle } from '../verify/platform.ts';

/** A key that signs by Ed25519. */
export interface TestSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
}

/** The bytes before the seed of a private key in PKCS #8. */
const PKCS8 = 'MC4CAQAwBQYDK2VwBCIEIA==';

/**
 * Creates a key that everybody knows: all 32 bytes of its seed are the same.
 * @param publicKey its public key in base64
 */
export const createSigner = (seed: number, publicKey: string): TestSigner => ({
  publicKey: fromBase64(publicKey),
  sign: async (message) => {
    const subtle = await loadSubtle();
    const pkcs8 = Uint8Array.from([...fromBase64(PKCS8), ...new Uint8Array(32).fill(seed)]);
    const key = await subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
    return new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(message)));
  },
});
