import type { IncomingMessage } from 'node:http';
import { type Access, IMPLIED_SCOPES, type Scope } from '@broker-transparency/contract';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { ProblemError } from '../problem/problem.ts';

/** Who a valid credential stands for, as they were when the request began. */
export interface Principal {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  /** Those that the credential has for a time without naming them. */
  readonly impliedScopes?: readonly Scope[];
  readonly kycVerified: boolean;
  /** One for all accounts of a person, as far as they are known to be one. */
  readonly personKey: string;
  /** Where a provider has said who they are. */
  readonly personHash?: string;
  /** How they are shown. */
  readonly displayName: string;
  /** The credential is no good after this. */
  readonly goodUntil?: Date;
  /** What the store knows the credential by, where it has it. */
  readonly tokenId?: string;
  readonly country?: string;
}

/** Finds the principal of a token; undefined where the token is bad, expired or revoked. */
export type VerifyToken = (token: string) => Promise<Principal | undefined>;

/** Outcome of looking at a request's credential. */
export type Credential = { readonly principal: Principal } | { readonly principal: undefined; readonly given: boolean };

const REALM = 'Bearer realm="broker-transparency"';

type Verify = (token: string, done: (error: unknown, user?: Principal | false) => void) => void;

/** Another scheme is no credential at all: RFC 6750 §3.1 wants it answered like none. */
const isBearer = (header: string | undefined): boolean => /^bearer( |$)/i.test(header ?? '');

/** Makes the function that reads a request's credential. Faults of the token store are thrown. */
export const createAuthenticate = (verify: VerifyToken) => {
  const authenticator = new passport.Passport();
  authenticator.use(
    new Strategy<Verify>((token, done) => {
      verify(token).then(
        (principal) => done(null, principal ?? false),
        (error: unknown) => done(error),
      );
    }),
  );
  return ({ headers: { authorization } }: Pick<IncomingMessage, 'headers'>): Promise<Credential> =>
    new Promise((resolve, reject) => {
      if (!isBearer(authorization)) {
        resolve({ principal: undefined, given: false });
        return;
      }
      const finish = (error: unknown, user?: Principal | false | null) => {
        if (error) reject(error);
        else if (user) resolve({ principal: user });
        else resolve({ principal: undefined, given: true });
      };
      // the library also reads tokens from query and body, where they would reach logs: it is shown the header only
      const shown = { headers: { authorization } };
      authenticator.authenticate('bearer', { session: false }, finish)(shown, undefined, reject);
    });
};

/** A credential that is missing or no good, with its challenge. */
export const refuse = (code: 'authentication_required' | 'invalid_token', detail: string): ProblemError =>
  new ProblemError(code, detail, {
    headers: { 'WWW-Authenticate': code === 'invalid_token' ? `${REALM}, error="invalid_token"` : REALM },
  });

const forbid = (code: 'insufficient_scope' | 'kyc_required', scope: Scope, detail: string): ProblemError =>
  new ProblemError(code, detail, {
    headers: { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"` },
  });

/** Whether a credential opens a route by a scope that it does not name. */
const isImplied = (access: Access, principal: Principal): boolean =>
  typeof access === 'object' && (principal.impliedScopes ?? []).includes(access.scope);

const { deprecatedAt, endsAt } = IMPLIED_SCOPES;

/** RFC 9745 and RFC 8594, with a page that says what to do. */
const DEPRECATION = {
  Deprecation: `@${Date.parse(deprecatedAt) / 1000}`,
  Sunset: new Date(endsAt).toUTCString(),
  Link: '</problems/insufficient_scope>; rel="deprecation"; type="text/html"',
} as const;

/** Headers that say so where a credential opens a route that it soon will not. */
export const deprecationOf = (access: Access, principal: Principal | undefined): Readonly<Record<string, string>> =>
  principal !== undefined && isImplied(access, principal) ? DEPRECATION : {};

/** Decides by the route's policy (RFC 6750 §3.1). @throws ProblemError with the challenge */
export const requireAccess = (access: Access, credential: Credential): Principal | undefined => {
  if (access === 'public') return credential.principal;
  const { principal } = credential;
  if (!principal) {
    throw credential.given
      ? refuse(
          'invalid_token',
          'The bearer token is malformed, unknown, expired or revoked, or its account is blocked.',
        )
      : refuse('authentication_required', 'Send "Authorization: Bearer <token>".');
  }
  if (access === 'token') return principal;
  if (!principal.scopes.includes(access.scope) && !isImplied(access, principal))
    throw forbid('insufficient_scope', access.scope, `This needs a token with the scope "${access.scope}".`);
  if (access.kyc && !principal.kycVerified)
    throw forbid(
      'kyc_required',
      access.scope,
      'This needs a verified identity. Complete the verification with the operator.',
    );
  return principal;
};

/** Who calls a route that its policy keeps from anonymous callers. */
export const requirePrincipal = (req: { readonly principal?: Principal | undefined }): Principal => {
  if (!req.principal) throw new Error('the route has no access policy');
  return req.principal;
};
