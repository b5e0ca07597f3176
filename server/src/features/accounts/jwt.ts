import type { Scope } from '@broker-transparency/contract';
import { decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { fetchKeys, type KeySource } from './jwks.ts';
import {
  ALGORITHMS,
  CLOCK_TOLERANCE,
  findClaimFault,
  type JwtClient,
  parseClient,
  parseLocale,
  parseScopes,
  parseVerifiedEmail,
  toAccountSubject,
} from './jwt-claims.rule.ts';
import { createKeys } from './keys.ts';

/** The operator's identity provider. */
export interface IdentityProvider extends KeySource {
  readonly issuer: string;
  readonly audience: string;
}

/** The subject and rights that a valid JWT carries. */
export interface Bearer {
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  /** The client that the token was given to, if it names one. */
  readonly client: JwtClient | undefined;
  /** The address of mail that the provider has verified. */
  readonly verifiedEmail: string | undefined;
  /** The language of the person. */
  readonly locale: string | undefined;
}

/** Events that the operator should know about. */
export interface JwtReports {
  /** The keys cannot be fetched or used. */
  readonly onFault: (error: unknown) => void;
  /** Called with the reason why a token that the provider signed is refused, at most once a minute per reason. */
  readonly onRefused: (reason: string) => void;
}

const SAME_REASON_MS = 60_000;

/**
 * Limits reports per reason, because a client may send an invalid token thousands of times. There are only about twenty
 * reasons.
 */
const throttleReport = (report: (reason: string) => void, clock: Clock) => {
  const reported = new Map<string, number>();
  return (reason: string): void => {
    const now = clock().getTime();
    if (now - (reported.get(reason) ?? Number.NEGATIVE_INFINITY) < SAME_REASON_MS) return;
    reported.set(reason, now);
    report(reason);
  };
};

/** Checks the issuer first, so that foreign tokens never trigger a request for keys. */
const isIssuedBy = (issuer: string, token: string): boolean => {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
};

/**
 * Returns why jose refused a token that the provider signed. Returns undefined if it did not sign it or the token has
 * merely expired.
 */
const findSignedFault = (error: unknown): string | undefined =>
  error instanceof errors.JWTClaimValidationFailed ? error.message : undefined;

/**
 * Returns a reader of JWTs that resolves to undefined if a JWT is invalid.
 * @throws DomainError unavailable if its key cannot be fetched now
 */
const createJwtReader =
  ({ issuer, audience }: IdentityProvider, getKey: JWTVerifyGetKey, clock: Clock, { onFault, onRefused }: JwtReports) =>
  async (token: string): Promise<Bearer | undefined> => {
    if (!isIssuedBy(issuer, token)) return undefined;
    const now = clock();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, getKey, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['exp', 'sub'],
        currentDate: now,
      });
      const refusal = findClaimFault(protectedHeader, payload, now.getTime() / 1000);
      const subject = toAccountSubject(issuer, payload);
      if (refusal === undefined && subject !== undefined) {
        const expiresAt = new Date(Number(payload.exp) * 1000);
        return {
          subject,
          scopes: parseScopes(payload),
          expiresAt,
          client: parseClient(payload),
          verifiedEmail: parseVerifiedEmail(payload),
          locale: parseLocale(payload),
        };
      }
      onRefused(refusal ?? 'its "sub" cannot be the name of an account');
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const refusal = findSignedFault(error);
      if (refusal !== undefined) onRefused(refusal);
      else if (!(error instanceof errors.JOSEError)) onFault(error); // such as a published key that is too weak
    }
    return undefined;
  };

/**
 * Returns the reader of a provider's JWTs. Its keys are fetched immediately, so that a wrong address shows at start.
 */
export const connectProvider = (provider: IdentityProvider, clock: Clock, reports: JwtReports) => {
  const onRefused = throttleReport(reports.onRefused, clock);
  const keys = createKeys(() => fetchKeys(provider), clock, reports.onFault);
  keys.reload();
  return createJwtReader(provider, keys.get, clock, { ...reports, onRefused });
};
