import type { IncomingMessage } from 'node:http';
import type { Access, Scope } from '@broker-transparency/contract';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { ProblemError } from '../problem/problem.ts';

/** The account that a valid credential stands for, as it was when the request began. */
export interface Principal {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly kycVerified: boolean;
  /** The same for all accounts of one person, as far as that is known. */
  readonly personKey: string;
  /** Hash of who they are, where a provider has said so. */
  readonly personHash?: string;
  /** Name that readers see. */
  readonly displayName: string;
  /** When the credential expires. */
  readonly goodUntil?: Date;
  /** Id of the token, where the service issued it. */
  readonly tokenId?: string;
  readonly country?: string;
  /** The address of mail that the identity provider has verified, where the service sends mail. */
  readonly verifiedEmail?: string;
  /** Their language as the identity provider says. */
  readonly locale?: string;
  /** The header of the request that they write with. */
  readonly acceptLanguage?: string;
}

/** Finds the principal of a token; undefined where it is malformed, unknown, expired or revoked. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

/** A request's credential. `given`: there was a bearer token, but it is bad. */
export type Credential = { readonly principal: Principal } | { readonly principal: undefined; readonly given: boolean };

const REALM = 'Bearer realm="broker-transparency"';

type VerifyFunction = (token: string, done: (error: unknown, user?: Principal | false) => void) => void;

/** Another scheme counts as no credential (RFC 6750 §3.1). */
const isBearer = (header: string | undefined): boolean => /^bearer( |$)/i.test(header ?? '');

/**
 * Makes the function that reads the credential of a request that Express has not parsed yet: the library would also read
 * tokens from a parsed query or body, where they would reach logs. It throws errors of the token store.
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

/** The problem of a missing or bad credential, with its challenge. */
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

/** Decides by the route's policy who may call it (RFC 6750 §3.1). @throws ProblemError with the challenge */
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

/** Who calls a route that its policy keeps from anonymous callers. */
export const requirePrincipal = ({ context: { principal } }: Pick<IncomingMessage, 'context'>): Principal => {
  if (!principal) throw new Error('the route has no access policy');
  return principal;
};
