import type { IncomingMessage } from 'node:http';
import type { Access, Scope } from '@broker-transparency/contract';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { ProblemError } from '../problem/problem.ts';

/** The account of a valid credential, as it was when the request began. */
export interface Principal {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly kycVerified: boolean;
  /** The same for all accounts of one person, as far as the service knows. */
  readonly personKey: string;
  /** Hash of the person's identity, if a provider has verified it. */
  readonly personHash?: string;
  /** Name shown to readers. */
  readonly displayName: string;
  /** Expiry of the credential. */
  readonly goodUntil?: Date;
  /** Id of the token, if the service issued it. */
  readonly tokenId?: string;
  readonly country?: string;
  /** Mail address that the identity provider has verified, if the service sends mail. */
  readonly verifiedEmail?: string;
  /** Language from the identity provider. */
  readonly locale?: string;
  /** `Accept-Language` header of the request. */
  readonly acceptLanguage?: string;
}

/** Returns the principal of a token; undefined if the token is malformed, unknown, expired or revoked. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

/** Credential of a request. `given`: there was a bearer token, but it is bad. */
export type Credential = { readonly principal: Principal } | { readonly principal: undefined; readonly given: boolean };

const REALM = 'Bearer realm="broker-transparency"';

type VerifyFunction = (token: string, done: (error: unknown, user?: Principal | false) => void) => void;

/** Another scheme counts as no credential (RFC 6750 §3.1). */
const isBearer = (header: string | undefined): boolean => /^bearer( |$)/i.test(header ?? '');

/**
 * Returns the function that reads the credential of a request before Express parses it. The library would also read
 * tokens from a parsed query or body, where they would reach logs. Errors of the token store are thrown.
 */
export const createAuthenticate = (verify: VerifyToken) => {
  const authenticator = new passport.Passport();
  authenticator.use(
    new Strategy<VerifyFunction>((token, done) => {
      verify(token).then(
        (principal) => done(null, principal ?? false),
        (error: unknown) => done(error),
      );
    }),
  );
  return (req: IncomingMessage): Promise<Credential> =>
    new Promise((resolve, reject) => {
      if (!isBearer(req.headers.authorization)) {
        resolve({ principal: undefined, given: false });
        return;
      }
      const finish = (error: unknown, user?: Principal | false | null) => {
        if (error) reject(error);
        else if (user) resolve({ principal: user });
        else resolve({ principal: undefined, given: true });
      };
      authenticator.authenticate('bearer', { session: false }, finish)(req, undefined, reject);
    });
};

/** Returns the problem of a missing or bad credential, with its challenge. */
export const createAuthProblem = (code: 'authentication_required' | 'invalid_token', detail: string): ProblemError =>
  new ProblemError(code, detail, {
    headers: { 'WWW-Authenticate': code === 'invalid_token' ? `${REALM}, error="invalid_token"` : REALM },
  });

const createForbiddenProblem = (
  code: 'insufficient_scope' | 'kyc_required',
  scope: Scope,
  detail: string,
): ProblemError =>
  new ProblemError(code, detail, {
    headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
  });

/** Checks a credential against the access policy of a route (RFC 6750 §3.1). @throws ProblemError with the challenge */
export const requireAccess = (access: Access, credential: Credential): Principal | undefined => {
  if (access === 'public') return credential.principal;
  const { principal } = credential;
  if (!principal) {
    throw credential.given
      ? createAuthProblem(
          'invalid_token',
          'The bearer token is malformed, unknown, expired or revoked, or its account is blocked.',
        )
      : createAuthProblem('authentication_required', 'Send "Authorization: Bearer <token>".');
  }
  if (access === 'token') return principal;
  if (!principal.scopes.includes(access.scope))
    throw createForbiddenProblem(
      'insufficient_scope',
      access.scope,
      `This needs a token with the scope "${access.scope}".`,
    );
  if (access.kyc && !principal.kycVerified)
    throw createForbiddenProblem(
      'kyc_required',
      access.scope,
      'This needs a verified identity. Complete the verification with the operator.',
    );
  return principal;
};

/** Returns the caller of a route that its policy closes to anonymous callers. */
export const requirePrincipal = ({ context: { principal } }: Pick<IncomingMessage, 'context'>): Principal => {
  if (!principal) throw new Error('the route has no access policy');
  return principal;
};
