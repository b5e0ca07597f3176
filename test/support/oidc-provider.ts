/** A real OpenID Connect provider, by the library oidc-provider, in the process of its tests. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { signingKey } from './identity-provider.ts';

const CLIENT_ID = 'ratings';
const CLIENT_SECRET = 'a-secret-of-the-client';
const AUDIENCE = 'broker-ratings';

export interface OidcProvider {
  readonly issuer: string;
  /** Settings of a service whose people sign in here. Its tokens for programs are good, too. */
  readonly settings: Record<string, string>;
  /** Takes people back to a service at this address. */
  readonly serve: (origin: string) => void;
  /** Answers every request by 503, or as usual. */
  readonly be: (mood: 'up' | 'failing') => void;
  /**
   * Goes the way of a browser from the address of the provider: signs in by this name, or cancels. Returns the address
   * to which the provider sends the browser back.
   */
  readonly signIn: (address: string, login: string) => Promise<string>;
  readonly cancel: (address: string) => Promise<string>;
  /** A token for programs of a person. */
  readonly token: (sub: string) => Promise<string>;
  /** Queries of requests for tokens that were refused. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A browser at the provider: it keeps cookies, and stops where it is sent elsewhere. */
const createVisitor = (issuer: string) => {
  const cookies = new Map<string, string>();
  const load = async (address: string, fields?: Record<string, string>): Promise<{ html: string; at: string }> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const sent = fields && { method: 'POST', body: new URLSearchParams(fields) };
    const answer = await fetch(address, { redirect: 'manual', headers: { Cookie: cookie }, ...sent });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = answer.headers.get('Location');
    const next = location === null ? undefined : new URL(location, address).href;
    if (next === undefined) return { html: await answer.text(), at: address };
    return next.startsWith(issuer) ? load(next) : { html: '', at: next };
  };
  return load;
};

const findAction = (html: string, at: string): string => {
  const [, action] = /<form[^>]* action="([^"]*)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`no form at ${at}: ${html.slice(0, 300)}`);
  return new URL(action, at).href;
};

/** Starts a provider. Every name is a person of it, with the verified address `NAME@mail.example`. */
export const startOidcProvider = async (): Promise<OidcProvider> => {
  let listener: RequestListener = (_req, res) => res.end(JSON.stringify({ keys: [key.jwk] })); // a service asks for keys at its start
  let isFailing = false;
  let refused = 0;
  const key = await signingKey('k', 'RS256');
  const server = createServer((req, res) => (isFailing ? res.writeHead(503).end('down') : listener(req, res)));
  const issuer = await listen(server);
  const jwk = { ...(await exportJWK(key.privateKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const toAccount = (sub: string) => ({
    accountId: sub,
    claims: async () => ({
      sub,
      name: `${sub} of the provider`,
      email: `${sub}@mail.example`,
      email_verified: true,
      locale: 'de',
    }),
  });
  return {
    issuer,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: AUDIENCE,
      JWT_JWKS_URL: `${issuer}/jwks`,
    },
    serve: (origin) => {
      const provider = new Provider(issuer, {
        clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [`${origin}/sign-in/return`] }],
        jwks: { keys: [jwk] },
        cookies: { keys: ['a-key-of-cookies'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
        ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
        pkce: { required: () => true },
        findAccount: (_context: unknown, sub: string) => toAccount(sub),
      });
      provider.on('grant.error', () => {
        refused += 1;
      });
      listener = provider.callback();
    },
    be: (mood) => {
      isFailing = mood === 'failing';
    },
    signIn: async (address, login) => {
      const load = createVisitor(issuer);
      let page = await load(address);
      while (page.html !== '') {
        const isLogin = page.html.includes('name="login"');
        const fields = isLogin ? { prompt: 'login', login, password: 'any' } : { prompt: 'consent' };
        page = await load(findAction(page.html, page.at), fields as Record<string, string>);
      }
      return page.at;
    },
    cancel: async (address) => {
      const load = createVisitor(issuer);
      const page = await load(address);
      return (await load(`${findAction(page.html, page.at)}/abort`)).at;
    },
    token: (sub) => {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ scope: 'account:read', iss: issuer, aud: AUDIENCE, sub, iat: now, exp: now + 600 })
        .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'at+jwt' })
        .sign(key.privateKey);
    },
    refused: () => refused,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
