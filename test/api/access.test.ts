import { PROBLEMS, type ProblemCode, type RouteMeta, SCOPES, type Scope } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { createSampleRequest, goodStatus, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';

/** A credential: the header that is sent, and the rights it grants. */
interface Credential {
  readonly header: (tokens: Record<string, string>) => string | undefined;
  readonly is: 'absent' | 'bad' | 'good';
  readonly scopes?: readonly Scope[];
  readonly kyc?: boolean;
}

const token = (name: string) => (tokens: Record<string, string>) => `Bearer ${tokens[name]}`;
/** A well-formed token that was never issued. */
const unknown = `btr_${'A'.repeat(43)}0c2b5986`;

const CREDENTIALS: Record<string, Credential> = {
  'no token': { header: () => undefined, is: 'absent' },
  'another scheme': { header: () => 'Basic YWxpY2U6c2VjcmV0', is: 'absent' },
  'a scheme alone': { header: () => 'Bearer', is: 'bad' },
  'two spaces': { header: (tokens) => `Bearer  ${tokens['alice']}`, is: 'bad' },
  'two tokens': { header: (tokens) => `Bearer ${tokens['alice']} ${tokens['bob']}`, is: 'bad' },
  'a malformed token': { header: () => 'Bearer not-a-token', is: 'bad' },
  'a token with one letter changed': { header: ({ alice = '' }) => `Bearer ${alice.slice(0, -1)}x`, is: 'bad' },
  'an unknown token': { header: () => `Bearer ${unknown}`, is: 'bad' },
  'a revoked token': { header: token('revoked'), is: 'bad' },
  'an expired token': { header: token('expired'), is: 'bad' },
  'reviews only': { header: token('reviewsOnly'), is: 'good', scopes: ['reviews:write'], kyc: false },
  'complaints only': { header: token('complaintsOnly'), is: 'good', scopes: ['complaints:write'], kyc: true },
  'no KYC': { header: token('bob'), is: 'good', scopes: SCOPES, kyc: false },
  'expired KYC': { header: token('kycExpired'), is: 'good', scopes: SCOPES, kyc: false },
  'KYC past its date': { header: token('kycOutdated'), is: 'good', scopes: SCOPES, kyc: false },
  KYC: { header: token('alice'), is: 'good', scopes: SCOPES, kyc: true },
};

/** The refusal that the route's policy demands for a credential, or undefined. */
const refusal = ({ access }: RouteMeta, { is, scopes = [], kyc }: Credential): ProblemCode | undefined => {
  if (access === 'public') return undefined;
  if (is !== 'good') return is === 'bad' ? 'invalid_token' : 'authentication_required';
  if (access === 'token') return undefined;
  if (!scopes.includes(access.scope)) return 'insufficient_scope';
  return access.kyc && !kyc ? 'kyc_required' : undefined;
};

const challenge = (code: ProblemCode | undefined, scope: string): RegExp | undefined => {
  if (code === undefined) return undefined;
  if (code === 'authentication_required') return /^Bearer realm="[\w-]+"$/;
  if (code === 'invalid_token') return /^Bearer realm="[\w-]+", error="invalid_token"$/;
  return new RegExp(`^Bearer realm="[\\w-]+", error="insufficient_scope", scope="${scope}"$`);
};

let service: LocalService;
const tokens: Record<string, string> = {};

const create = async (subject: string): Promise<{ token: string; id: string }> =>
  JSON.parse(
    succeeded(
      await service.cli(
        ...['token', 'create', '--subject', subject, '--kyc', 'verified', '--scope', SCOPES.join(','), '--json'],
      ),
    ),
  );

const cast: Record<string, () => Promise<string>> = {
  alice: () => createToken(service, 'alice'),
  bob: () => createToken(service, 'bob', { kyc: 'none' }),
  reviewsOnly: () => createToken(service, 'carol', { scopes: 'reviews:write', kyc: 'pending' }),
  complaintsOnly: () => createToken(service, 'dave', { scopes: 'complaints:write' }),
  kycExpired: () => createToken(service, 'erin', { kyc: 'expired' }),
  kycOutdated: async () => {
    const { token } = await create('heidi');
    await inDatabase(service, (db) =>
      db.collection('accounts').updateOne({ subject: 'heidi' }, { $set: { 'kyc.expiresAt': new Date() } }),
    );
    return token;
  },
  revoked: async () => {
    const { id, token } = await create('frank');
    succeeded(await service.cli('token', 'revoke', id));
    return token;
  },
  expired: async () => {
    const { id, token } = await create('grace');
    await inDatabase(service, (db) => db.collection('tokens').updateOne({ id }, { $set: { expiresAt: new Date() } }));
    return token;
  },
};

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade')]);
  const made = Object.entries(cast).map(async ([name, make]) => [name, await make()] as const);
  Object.assign(tokens, Object.fromEntries(await Promise.all(made)));
});
afterAll(() => service?.remove());

describe.each(routes)('$method $path', (route) => {
  const { access } = route.metadata;
  const scope = typeof access === 'string' ? '' : access.scope;

  test.each(Object.entries(CREDENTIALS))('decides by the access rule of the route: %s', async (_, credential) => {
    const { path, ...asked } = createSampleRequest(route);
    const Authorization = credential.header(tokens);
    const headers = Authorization === undefined ? {} : { Authorization };
    const answer = await send(`${service.baseUrl}${path}`, { ...asked, headers });
    const code = refusal(route.metadata as RouteMeta, credential);
    expect(answer.status, answer.text).toBe(code ? PROBLEMS[code].status : goodStatus(route));
    if (code) expect(expectProblem(answer).code).toBe(code);
    const expected = challenge(code, scope);
    if (expected) expect(answer.headers['www-authenticate']).toMatch(expected);
    else expect(answer.headers).not.toHaveProperty('www-authenticate');
  });
});

const writes = routes.filter((route) => route.metadata.access !== 'public');

test.each(writes)('$method $path takes no token from query, body, cookie or another header', async (route) => {
  const { path, body } = createSampleRequest(route);
  const { alice } = tokens;
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const url = `${service.baseUrl}${path}`;
  for (const answer of [
    await send(`${url}?access_token=${alice}`, { body }),
    await send(url, { body: { ...(body as object), access_token: alice } }),
    await send(url, { body: `access_token=${alice}`, headers: form }),
    await send(url, { body, headers: { Cookie: `access_token=${alice}`, 'X-Api-Key': alice } }),
  ]) {
    expect(expectProblem(answer).code).toBe('authentication_required');
    expect(answer.text).not.toContain(alice);
  }
});

test('refuses a second token in the body as an unknown field, and does not repeat it in the answer', async () => {
  const { alice, bob } = tokens;
  const body = { ...complaintBody('beta-trade'), access_token: bob };
  const answer = await send(`${service.baseUrl}/complaints`, { body, token: alice });
  expect(expectProblem(answer).errors).toEqual([
    expect.objectContaining({ pointer: '#/access_token', code: 'unknown' }),
  ]);
  expect(answer.text).not.toContain(bob);
});

test('reads the scheme in any case', async () => {
  const headers = { Authorization: `bEARER ${tokens['alice']}` };
  const answer = await send(`${service.baseUrl}/reviews`, { body: reviewBody('beta-trade'), headers });
  expect(answer.status, answer.text).toBe(201);
});

test('treats a bad token on a public GET as none: the request counts against the address', async () => {
  const left = async (token?: string) => {
    const { headers } = await send(`${service.baseUrl}/news`, { from: '127.0.9.1', token });
    return Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
  };
  const before = await left();
  expect(await left(tokens['revoked'])).toBe(before - 1);
  expect(await left(unknown)).toBe(before - 2);
  expect(await left(tokens['expired'])).toBe(before - 3);
  await left(tokens['alice']);
  expect(await left()).toBe(before - 4);
});

test('logs refused requests by address, account and code, but never the credential', async () => {
  const requestId = 'refused-and-logged';
  const ask = (from: string, token?: string) =>
    send(`${service.baseUrl}/reviews`, {
      body: reviewBody('beta-trade'),
      from,
      headers: { 'X-Request-Id': requestId },
      ...(token === undefined ? {} : { token }),
    });
  await ask('127.0.9.2');
  await ask('127.0.9.3', unknown);
  await ask('127.0.9.4', tokens['bob']);
  await ask('127.0.9.5', tokens['complaintsOnly']);
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line));
  const known = { accountId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
  expect(lines).toEqual(
    [
      { code: 'authentication_required', address: '127.0.9.2' },
      { code: 'invalid_token', address: '127.0.9.3' },
      { code: 'kyc_required', address: '127.0.9.4', ...known },
      { code: 'insufficient_scope', address: '127.0.9.5', ...known },
    ].map((line) => ({ level: 40, time: expect.any(String), requestId, ...line, msg: 'access refused' })),
  );
  for (const token of [unknown, ...Object.values(tokens)]) expect(service.output()).not.toContain(token);
});
