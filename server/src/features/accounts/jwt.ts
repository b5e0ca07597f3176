import type { Scope } from '@broker-transparency/contract';
import { decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { fetchKeys, type KeySource } from './jwks.ts';
import { ALGORITHMS, CLOCK_TOLERANCE, refusalOf, scopesOf, subjectOf } from './jwt-claims.rule.ts';
import { createKeys } from './keys.ts';

/** The operator's own identity provider. */
export interface IdentityProvider extends KeySource {
  readonly issuer: string;
  readonly audience: string;
}

/** Whom a good JWT names. */
export interface Bearer {
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

/** What the operator should hear of. */
export interface JwtReports {
  /** Keys that cannot be had or used. */
  readonly onFault: (error: unknown) => void;
  /** Why a token is refused that the provider signed; each reason once a minute at most. */
  readonly onRefused: (reason: string) => void;
}

const SAME_REASON_MS = 60_000;

/** Whoever has a token that is no good may send it a thousand times. There are a dozen reasons or two. */
const atMostOnceAMinute = (report: (reason: string) => void, clock: Clock) => {
  const reported = new Map<string, number>();
  return (reason: string): void => {
    const now = clock().getTime();
    if (now - (reported.get(reason) ?? Number.NEGATIVE_INFINITY) < SAME_REASON_MS) return;
    reported.set(reason, now);
    report(reason);
  };
};

/** Others' tokens must not make anyone ask for keys. */
const isFrom = (issuer: string, token: string): boolean => {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
};

/** Why jose refuses what the provider signed; undefined where it did not sign it, or it has merely ended. */
const signedRefusal = (error: unknown): string | undefined =>
  error instanceof errors.JWTClaimValidationFailed ? error.message : undefined;

/**
 * Reads JWTs with these keys: undefined where one is bad.
 * @throws DomainError unavailable where its key cannot be had now
 */
const jwtReader =
  ({ issuer, audience }: IdentityProvider, getKey: JWTVerifyGetKey, clock: Clock, { onFault, onRefused }: JwtReports) =>
  async (token: string): Promise<Bearer | undefined> => {
    if (!isFrom(issuer, token)) return undefined;
    const now = clock();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, getKey, {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE },
        requiredClaims: ['exp', 'sub'],
        currentDate: now,
      });
      const refusal = refusalOf(protectedHeader, payload, now.getTime() / 1000);
      const subject = subjectOf(issuer, payload);
      if (refusal === undefined && subject !== undefined)
        return { subject, scopes: scopesOf(payload), expiresAt: new Date(Number(payload.exp) * 1000) };
      onRefused(refusal ?? 'its "sub" cannot be the name of an account');
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const refusal = signedRefusal(error);
      if (refusal !== undefined) onRefused(refusal);
      else if (!(error instanceof errors.JOSEError)) onFault(error); // such as a published key that is too weak to use
    }
    return undefined;
  };

/**
 * Reads the JWTs of a provider, whose keys are asked for at once, so that an address that is wrong is seen at start.
 */
export const connectProvider = (provider: IdentityProvider, clock: Clock, reports: JwtReports) => {
  const onRefused = atMostOnceAMinute(reports.onRefused, clock);
  const keys = createKeys(() => fetchKeys(provider), clock, reports.onFault);
  keys.reload();
  return jwtReader(provider, keys.get, clock, { ...reports, onRefused });
};
