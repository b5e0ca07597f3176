import * as oidc from 'openid-client';
import { isThisMachine } from '../../platform/outbound/addresses.ts';
import { fetchDocument } from '../../platform/outbound/fetch.ts';
import { OutboundError, resolvePort } from '../../platform/outbound/rules.ts';
import { parseLocale, parseVerifiedEmail, toAccountSubject } from '../accounts/jwt-claims.rule.ts';
import { SESSION_MS } from './policy.rule.ts';

/** The identity provider at which people sign in, and this service as its client. */
export interface SignInProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined for a client without one, which PKCE protects. */
  readonly clientSecret: string | undefined;
  /** Private networks that may be contacted, as the operator lists them. */
  readonly networks: readonly string[];
}

/** A sign-in that a browser began and that only it can end. */
export interface ProviderFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path to which the person goes then, with its language. */
  readonly to: string;
  /** Path of the page that signs in, with its language. */
  readonly from: string;
  /** True if the person has to prove again who they are. */
  readonly again: boolean;
}

/** The person that a provider knows. */
export interface ProvenPerson {
  /** Subject of the account: the same as of a JWT of this provider. */
  readonly subject: string;
  readonly label: string;
  readonly verifiedEmail: string | undefined;
  readonly locale: string | undefined;
  /** When they proved who they are, as the provider says; undefined if it does not. */
  readonly provenAt: Date | undefined;
}

const SCOPE = 'openid email profile';
const TIMEOUT_MS = 5000;
const MAX_BYTES = 128_000;
/** Time for which the facts that a provider states about itself are believed. */
const METADATA_MS = 3_600_000;
/** How long a provider that did not answer is not asked again. */
const FAILED_MS = 10_000;
const MOST_LABEL = 100;

/** Sends a request of the library under the rules for outbound requests. */
const createFetch =
  ({ networks }: SignInProvider): oidc.CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address);
    const rules = { ports: [resolvePort(url)], allowLoopback: isThisMachine(url.hostname), networks };
    const sent = method === 'POST' ? { body: String(body ?? '') } : {};
    const limits = { maxBytes: MAX_BYTES, maxRedirects: 0, timeoutMs: TIMEOUT_MS };
    const answer = await fetchDocument(address, { headers: { ...headers }, ...sent, rules, ...limits });
    if (answer.status >= 500) throw new OutboundError(`answers ${answer.status}`);
    const kept = ['content-type', 'www-authenticate'].flatMap((name) => {
      const value = answer.header(name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    const hasBody = answer.status >= 200 && answer.status !== 204;
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers: kept });
  };

/** Returns whether the provider did not answer, or not in time. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof OutboundError || (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause));

type IdTokenClaims = Readonly<Record<string, unknown>>;

const toPerson = (issuer: string, claims: IdTokenClaims): ProvenPerson | undefined => {
  const subject = toAccountSubject(issuer, claims);
  if (subject === undefined || claims['iss'] !== issuer) return undefined;
  const verifiedEmail = parseVerifiedEmail(claims);
  const names = [verifiedEmail, claims['name'], claims['preferred_username'], claims['sub']];
  const label = names.find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? '';
  const { auth_time: seconds } = claims;
  const provenAt = typeof seconds === 'number' ? new Date(seconds * 1000) : undefined;
  return { subject, label: label.slice(0, MOST_LABEL), verifiedEmail, locale: parseLocale(claims), provenAt };
};

/** Events that the operator should know about. */
interface ProviderReports {
  readonly onFault: (error: unknown) => void;
}

/**
 * Connects the provider at which people sign in (OpenID Connect, code flow with PKCE). It is asked for its addresses
 * when somebody signs in.
 */
export const connectSignIn = (provider: SignInProvider, publicUrl: string, { onFault }: ProviderReports) => {
  const { issuer, clientId, clientSecret } = provider;
  const returnUrl = `${publicUrl}/sign-in/return`;
  let known: { readonly config: Promise<oidc.Configuration>; readonly until: number } | undefined;

  const ask = (): Promise<oidc.Configuration> => {
    const server = new URL(issuer);
    const auth = clientSecret === undefined ? oidc.None() : undefined;
    const insecure = isThisMachine(server.hostname) ? [oidc.allowInsecureRequests] : [];
    return oidc.discovery(server, clientId, clientSecret, auth, {
      [oidc.customFetch]: createFetch(provider),
      execute: insecure,
    });
  };
  /** Returns what the provider says of itself. Those who sign in at once share one question, and its failure. */
  const discover = (): Promise<oidc.Configuration> => {
    if (known && performance.now() < known.until) return known.config;
    const asked = { config: ask(), until: performance.now() + METADATA_MS };
    known = asked;
    asked.config.catch(() => {
      asked.until = performance.now() + FAILED_MS;
    });
    return asked.config;
  };

  /** Returns what went wrong, for the person. */
  const explain = (error: unknown): 'refused' | 'unreachable' => {
    if (isUnreachable(error)) {
      onFault(error);
      return 'unreachable';
    }
    if (!(error instanceof oidc.AuthorizationResponseError)) onFault(error); // the person or the provider said no
    return 'refused';
  };

  return {
    /** Begins a sign-in: returns the address of the provider, and what the browser has to keep. */
    begin: async (
      paths: Pick<ProviderFlow, 'to' | 'from' | 'again'>,
    ): Promise<{ address: string; flow: ProviderFlow } | 'unreachable'> => {
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        ...paths,
      };
      try {
        const address = oidc.buildAuthorizationUrl(await discover(), {
          redirect_uri: returnUrl,
          scope: SCOPE,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
          ...(flow.again ? { prompt: 'login' } : {}),
          max_age: String(flow.again ? 0 : SESSION_MS / 1000), // it makes the provider say when they proved it
        });
        return { address: address.href, flow };
      } catch (error) {
        onFault(error);
        return 'unreachable';
      }
    },
    /**
     * Returns the address at which people sign out there; undefined if the provider has none, or does not answer. It
     * asks them, and needs nothing that this service would have to keep.
     */
    findSignOut: async (): Promise<string | undefined> => {
      try {
        const config = await discover();
        const hasOne = config.serverMetadata().end_session_endpoint !== undefined;
        return hasOne ? oidc.buildEndSessionUrl(config, {}).href : undefined;
      } catch (error) {
        onFault(error);
        return undefined;
      }
    },
    /** Ends a sign-in with the query of the address at which the browser came back. */
    finish: async (query: string, flow: ProviderFlow): Promise<ProvenPerson | 'refused' | 'unreachable'> => {
      if (new URLSearchParams(query).get('state') !== flow.state) return 'refused'; // the provider is not asked
      try {
        const config = await discover();
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${returnUrl}${query}`), {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) return 'refused';
        const hasMore = config.serverMetadata().userinfo_endpoint !== undefined && claims['email'] === undefined;
        const more = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => ({})) : {};
        return toPerson(issuer, { ...more, ...claims }) ?? 'refused';
      } catch (error) {
        return explain(error);
      }
    },
  };
};
/** A provider at which people sign in. */
export type ConnectedProvider = ReturnType<typeof connectSignIn>;
