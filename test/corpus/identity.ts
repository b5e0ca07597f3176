import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type CryptoKey, importJWK } from 'jose';
import { type IdentityProvider, type SigningKey, startIdentityProvider } from '../support/identity-provider.ts';

/** Prefix of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A fixed key, whose signatures are always the same. */
const fixedKey = async (): Promise<SigningKey> => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.alloc(32, 7)]), format: 'der', type: 'pkcs8' });
  const names = { kid: 'corpus', alg: 'EdDSA' } as const;
  const privateKey = (await importJWK(key.export({ format: 'jwk' }), names.alg)) as CryptoKey;
  return { ...names, privateKey, jwk: { ...createPublicKey(key).export({ format: 'jwk' }), ...names, use: 'sig' } };
};

/** An identity provider whose tokens are always the same, with headers that carry some of them. */
export const startFixedProvider = async (now: Date): Promise<{ provider: IdentityProvider; lines: string[] }> => {
  const [provider, key] = [await startIdentityProvider(), await fixedKey()];
  provider.publish(key);
  const second = Math.floor(now.getTime() / 1000);
  const times = { iat: second - 60, exp: second + 3600 };
  const tokens = await Promise.all(
    [
      times,
      { ...times, scope: 'account:read' },
      { ...times, scope: 'openid' },
      { iat: second - 7200, exp: second - 3600 },
      { ...times, aud: 'others' },
      { ...times, iss: 'https://other.example' },
      { ...times, sub: undefined },
    ].map((claims) => provider.token(key, claims)),
  );
  return { provider, lines: tokens.map((token) => `Authorization: Bearer ${token}`) };
};
