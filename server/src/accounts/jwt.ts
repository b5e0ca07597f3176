import type { Scope } from '@broker-transparency/contract';
import { decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ProblemError } from '../http/problems.ts';
import type { Clock } from '../platform/clock.ts';
import { ALGORITHMS, isAccessTokenType, scopesOf, subjectOf } from './jwt-claims.ts';
import { createKeys, fetchKeys, KeysUnavailable, RETRY } from './keys.ts';

/** The operator's own identity provider. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** Whom a good JWT names. */
export interface Bearer {
  readonly subject: string;
  readonly scopes: readonly Scope[];
}

/** Clocks of issuer and service may differ by this much, in seconds. */
const CLOCK_TOLERANCE = 60;

const providerUnavailable = (cause: unknown): ProblemError =>
  new ProblemError('unavailable', 'The identity provider does not answer, and the key of this token is not known.', {
    headers: { 'Retry-After': String(RETRY / 1000) },
    cause,
  });

/** Others' tokens must not make anyone ask for keys. */
const isFrom = (issuer: string, token: string): boolean => {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
};

/** Reads JWTs with these keys: undefined where one is bad. @throws ProblemError unavailable where its key cannot be had now */
const jwtReader =
  ({ issuer, audience }: IdentityProvider, getKey: JWTVerifyGetKey, clock: Clock, onFault: (error: unknown) => void) =>
  async (token: string): Promise<Bearer | undefined> => {
    if (!isFrom(issuer, token)) return undefined;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, getKey, {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE },
        requiredClaims: ['exp', 'sub'],
        currentDate: clock(),
      });
      const subject = subjectOf(issuer, payload);
      return subject && isAccessTokenType(protectedHeader.typ) ? { subject, scopes: scopesOf(payload) } : undefined;
    } catch (error) {
      if (error instanceof KeysUnavailable) throw providerUnavailable(error);
      if (!(error instanceof errors.JOSEError)) onFault(error); // such as a published key that is too weak to use
      return undefined;
    }
  };

/** Reads the JWTs of a provider, whose keys are asked for at once, so that an address that is wrong is seen at start. */
export const connectProvider = (provider: IdentityProvider, clock: Clock, onFault: (error: unknown) => void) => {
  const keys = createKeys(() => fetchKeys(provider.jwksUrl), clock, onFault);
  keys.reload();
  return jwtReader(provider, keys.get, clock, onFault);
};
