import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const OIDC = { OIDC_ISSUER: 'https://login.example/realm', OIDC_CLIENT_ID: 'ratings' };
const JWT = { JWT_AUDIENCE: 'ratings', JWT_JWKS_URL: 'https://login.example/jwks.json' };

const catchMessage = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the settings of signing in', () => {
  test('name the provider as they are written, with and without a secret', () => {
    const provider = { issuer: OIDC.OIDC_ISSUER, clientId: 'ratings', clientSecret: undefined, networks: [] };
    expect(readConfig(OIDC).signIn).toEqual({ provider, kycUrl: undefined });
    const more = { OIDC_CLIENT_SECRET: 'hush-hush', OIDC_NETWORKS: '10.1.0.0/16, fd00::/8' };
    expect(readConfig({ ...OIDC, ...more }).signIn.provider).toEqual({
      ...provider,
      clientSecret: 'hush-hush',
      networks: ['10.1.0.0/16', 'fd00::/8'],
    });
    expect(readConfig({ OIDC_ISSUER: 'http://127.0.0.1:4000', OIDC_CLIENT_ID: 'x' }).signIn.provider).toBeDefined();
  });

  test('name where identity is verified', () => {
    const KYC_URL = 'https://kyc.example/start?person={subject}';
    expect(readConfig({ KYC_URL }).signIn.kycUrl).toBe(KYC_URL);
  });

  test.each([
    [{ OIDC_ISSUER: OIDC.OIDC_ISSUER }, /^OIDC_ISSUER and OIDC_CLIENT_ID must be set together/],
    [{ OIDC_CLIENT_ID: 'ratings' }, /^OIDC_ISSUER and OIDC_CLIENT_ID must be set together/],
    [{ OIDC_CLIENT_SECRET: 'hush-hush' }, /^OIDC_CLIENT_SECRET and OIDC_NETWORKS need OIDC_ISSUER/],
    [{ OIDC_NETWORKS: '10.1.0.0/16' }, /^OIDC_CLIENT_SECRET and OIDC_NETWORKS need OIDC_ISSUER/],
    [{ ...OIDC, ...JWT, JWT_ISSUER: 'https://login.example/' }, /^OIDC_ISSUER and JWT_ISSUER must be the same/],
    [{ ...OIDC, PUBLIC_URL: 'http://ratings.example' }, /^PUBLIC_URL must begin with https:\/\/ beside OIDC_ISSUER/],
    [{ ...OIDC, OIDC_ISSUER: 'http://login.example' }, /^OIDC_ISSUER must be like https:/],
    [{ ...OIDC, OIDC_ISSUER: 'https://login.example?x' }, /^OIDC_ISSUER must be like https:/],
    [{ ...OIDC, OIDC_ISSUER: 'login.example' }, /^OIDC_ISSUER must be like https:/],
    [{ ...OIDC, OIDC_CLIENT_ID: 'two names' }, /^OIDC_CLIENT_ID must be one name/],
    [{ ...OIDC, OIDC_NETWORKS: 'private' }, /^OIDC_NETWORKS must be networks/],
    [{ KYC_URL: 'http://kyc.example' }, /^KYC_URL must be like https:/],
    [{ KYC_URL: 'javascript:alert(1)' }, /^KYC_URL must be like https:/],
  ])('refuse with a reason: %j', (env, message) => {
    expect(catchMessage(env)).toMatch(message);
  });

  test('a secret that cannot be used is not shown', () => {
    expect(catchMessage({ ...OIDC, OIDC_CLIENT_SECRET: 'two words' })).toBe(
      'OIDC_CLIENT_SECRET must be the secret of the client, without blanks',
    );
  });

  test('the provider of JWTs and of pages may be the same', () => {
    const { signIn, identityProvider } = readConfig({ ...OIDC, ...JWT, JWT_ISSUER: OIDC.OIDC_ISSUER });
    expect(signIn.provider?.issuer).toBe(identityProvider?.issuer);
  });
});
