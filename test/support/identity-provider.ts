import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';

/** Claims that differ from the defaults. Undefined omits a claim. */
type Claims = { [name in keyof JWTPayload]: JWTPayload[name] | undefined };

/** A key pair of an identity provider. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export const signingKey = async (kid: string, alg = 'ES256'): Promise<SigningKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

/** Behaviour of the address of the key set: it answers, fails, or accepts the request and stays silent. */
type Mood = 'up' | 'failing' | 'hanging';

export interface IdentityProvider {
  readonly settings: Record<string, string>;
  readonly issuer: string;
  /** From now on, publishes exactly these keys. */
  readonly publish: (...keys: SigningKey[]) => void;
  readonly be: (mood: Mood) => void;
  /** Number of requests for the key set. */
  readonly asked: () => number;
  readonly token: (key: SigningKey, claims?: Claims, header?: Partial<JWTHeaderParameters>) => Promise<string>;
  readonly close: () => Promise<void>;
}

const AUDIENCE = 'broker-ratings';
const SCOPE = 'openid reviews:write complaints:write';

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

/** A real key set on loopback, with tokens signed by real keys. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  let keys: readonly SigningKey[] = [];
  let mood: Mood = 'up';
  let asked = 0;
  const server = createServer((_req, res) => {
    asked += 1;
    if (mood === 'hanging') return;
    res.writeHead(mood === 'up' ? 200 : 500, { 'Content-Type': 'application/jwk-set+json' });
    res.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });
  const issuer = 'https://login.example/realm';
  const jwksUrl = `http://127.0.0.1:${await listening(server)}/jwks`;
  return {
    issuer,
    settings: { JWT_ISSUER: issuer, JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: jwksUrl },
    publish: (...published) => {
      keys = published;
    },
    be: (to) => {
      mood = to;
    },
    asked: () => asked,
    token: (key, claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const standard = { iss: issuer, aud: AUDIENCE, sub: 'alice', scope: SCOPE, iat: now, exp: now + 600 };
      return new SignJWT({ ...standard, ...claims } as JWTPayload)
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
        .sign(key.privateKey);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
