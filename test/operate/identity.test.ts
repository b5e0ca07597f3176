import { SignJWT, UnsecuredJWT } from 'jose';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import {
  type IdentityProvider,
  type SigningKey,
  signingKey,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { accountRoutes, createSampleRequest, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';

let provider: IdentityProvider;
let service: LocalService;
const keys: Record<string, SigningKey> = {};
const key = (name: string): SigningKey => keys[name] as SigningKey;

beforeAll(async () => {
  provider = await startIdentityProvider();
  for (const alg of ['ES256', 'RS256', 'PS256', 'EdDSA']) keys[alg] = await signingKey(alg, alg);
  for (const name of ['next', 'last', 'foreign', 'later']) keys[name] = await signingKey(name);
  provider.publish(key('ES256'), key('RS256'), key('PS256'), key('EdDSA'));
  service = await startService(provider.settings);
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade'), brokerRow('gamma-fx')]);
});
afterAll(async () => {
  await service?.remove();
  await provider?.close();
});

let title = 0;
/**
 * Files a complaint, which needs no verified identity. Each has another title, because an equal complaint would be a
 * replay.
 */
const complain = (token: string): Promise<HttpResponse> => {
  title += 1;
  return send(`${service.baseUrl}/complaints`, {
    token,
    body: complaintBody('beta-trade', { title: `Complaint ${title}` }),
  });
};
const review = (token: string, broker: string): Promise<HttpResponse> =>
  send(`${service.baseUrl}/reviews`, { token, body: reviewBody(broker) });

/** Log lines about refused JWTs. */
const refusals = (): string =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes('a JWT was refused'))
    .join('\n');
const expectInvalid = (answer: HttpResponse): void => {
  expect(expectProblem(answer).code).toBe('invalid_token');
  expect(answer.headers['www-authenticate']).toMatch(/, error="invalid_token"$/);
};
const accounts = (subject: RegExp): Promise<number> =>
  inDatabase(service, (db) => db.collection('accounts').countDocuments({ subject: { $regex: subject } }));

describe('a JWT of the identity provider', () => {
  test.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('a JWT signed by %s is accepted', async (alg) => {
    const answer = await complain(await provider.token(key(alg)));
    expect(answer.status, answer.text).toBe(201);
  });

  test('the service’s own tokens are accepted alongside JWTs', async () => {
    expect((await complain(await createToken(service, 'own'))).status).toBe(201);
  });

  const now = () => Math.floor(Date.now() / 1000);
  const hmac = (secret: string) =>
    new SignJWT({ iss: provider.issuer, aud: 'broker-ratings', sub: 'alice', exp: now() + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(Buffer.from(secret));
  const GOOD: [string, () => Promise<string>][] = [
    ['that ended less than a minute ago', () => provider.token(key('ES256'), { exp: now() - 50 })],
    ['that begins within a minute', () => provider.token(key('ES256'), { nbf: now() + 50 })],
    ['for several audiences', () => provider.token(key('ES256'), { aud: ['other', 'broker-ratings'] })],
    ['of type JWT', () => provider.token(key('ES256'), {}, { typ: 'JWT' })],
    ['with its scopes in scp', () => provider.token(key('ES256'), { scope: undefined, scp: ['complaints:write'] })],
  ];
  test.each(GOOD)('a JWT %s is accepted', async (_, make) => {
    const answer = await complain(await make());
    expect(answer.status, answer.text).toBe(201);
  });

  const BAD: [string, () => Promise<string>][] = [
    ['that ended a minute ago', () => provider.token(key('ES256'), { exp: now() - 61 })],
    ['that begins later', () => provider.token(key('ES256'), { nbf: now() + 70 })],
    ['without an end', () => provider.token(key('ES256'), { exp: undefined })],
    ['without a subject', () => provider.token(key('ES256'), { sub: undefined })],
    ['whose subject is empty', () => provider.token(key('ES256'), { sub: '' })],
    ['of another issuer', () => provider.token(key('ES256'), { iss: 'https://login.example/realm2' })],
    ['of the issuer in another spelling', () => provider.token(key('ES256'), { iss: `${provider.issuer}/` })],
    ['for another audience', () => provider.token(key('ES256'), { aud: 'broker-ratings2' })],
    ['for no audience', () => provider.token(key('ES256'), { aud: undefined })],
    ['that lives for two days', () => provider.token(key('ES256'), { exp: now() + 172_800 })],
    ['without a time of issue', () => provider.token(key('ES256'), { iat: undefined })],
    ['that is an ID token', () => provider.token(key('ES256'), { nonce: 'n-0S6_WzA2Mj' }, { typ: 'JWT' })],
    ['that is bound to a key', () => provider.token(key('ES256'), { cnf: { jkt: 'NzbLsXh8uDCcd-6MNwXF4W' } })],
    ['without a type', () => provider.token(key('ES256'), {}, { typ: undefined as never })],
    ['made for logout', () => provider.token(key('ES256'), {}, { typ: 'logout+jwt' })],
    ['signed by a foreign key', () => provider.token({ ...key('foreign'), kid: 'ES256' })],
    ['of an unknown key', () => provider.token(key('foreign'))],
    ['signed by the public key as a secret', () => hmac(JSON.stringify(key('RS256').jwk))],
    ['that names another algorithm', async () => (await provider.token(key('ES256'))).replace(/^[^.]+/, head('none'))],
    [
      'that is not signed',
      async () =>
        new UnsecuredJWT({ iss: provider.issuer, aud: 'broker-ratings', sub: 'alice', exp: now() + 60 }).encode(),
    ],
    ['cut off', async () => (await provider.token(key('ES256'))).slice(0, -10)],
    ['of two parts', async () => (await provider.token(key('ES256'))).split('.').slice(0, 2).join('.')],
  ];
  const head = (alg: string): string => Buffer.from(JSON.stringify({ alg, kid: 'ES256' })).toString('base64url');
  test.each(BAD)('a JWT %s is refused', async (_, make) => {
    expectInvalid(await complain(await make()));
  });

  test('a JWT that is signed but refused leaves its reason in the log, at most once a minute', async () => {
    const bound = await provider.token(key('ES256'), { cnf: { jkt: 'x' } });
    for (let n = 0; n < 5; n += 1) expectInvalid(await complain(bound));
    expectInvalid(await complain(await provider.token(key('ES256'), { aud: 'broker-ratings2' })));
    expect(refusals()).toContain('aud');
    expect(refusals().match(/bound to a key/g)).toHaveLength(1);
  });

  test('a bad JWT on a public GET counts as none', async () => {
    const answer = await send(`${service.baseUrl}/regulators`, { token: await provider.token(key('foreign')) });
    expect(answer.status).toBe(200);
  });

  test('a JWT needs the scope of the route', async () => {
    const answer = await complain(await provider.token(key('ES256'), { scope: 'openid reviews:write' }));
    expect(expectProblem(answer).code).toBe('insufficient_scope');
  });

  test('a JWT opens the account by its scope alone', async () => {
    const read = async (scope: string) => {
      const token = await provider.token(key('ES256'), { scope });
      return (await send(`${service.origin}/account/v1/complaints`, { token })).status;
    };
    expect(await read('account:read')).toBe(200);
    expect(await read('account:write')).toBe(403);
    expect(await read('openid complaints:write')).toBe(403);
  });

  test('a JWT creates one account for its person, whose KYC is set under issuer and subject together', async () => {
    const token = await provider.token(key('ES256'), { sub: 'bob' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => review(token, 'alpha-markets')));
    for (const answer of answers) expect(expectProblem(answer).code).toBe('kyc_required');
    expect(await accounts(/#bob$/)).toBe(1);
    await createToken(service, 'bob');
    expect(expectProblem(await review(token, 'alpha-markets')).code).toBe('kyc_required');
    succeeded(await service.cli('account', 'kyc', `${provider.issuer}#bob`, 'verified'));
    expect((await review(token, 'alpha-markets')).status).toBe(201);
  });
});

describe('a blocked account', () => {
  test('a blocked account has no good credential until the block is lifted', async () => {
    const subject = `${provider.issuer}#carol`;
    const jwt = await provider.token(key('ES256'), { sub: 'carol' });
    expect((await complain(jwt)).status).toBe(201);
    const own = await createToken(service, subject);
    succeeded(await service.cli('account', 'block', subject, '--reason', 'compromised', '--actor', 'mia'));
    for (const token of [jwt, own]) expectInvalid(await complain(token));
    expect((await service.cli('account', 'block', subject, '--reason', 'fraud')).code).toBe(1);
    succeeded(await service.cli('account', 'unblock', subject));
    for (const token of [jwt, own]) expect((await complain(token)).status).toBe(201);
    expect((await service.cli('account', 'unblock', subject)).code).toBe(1);
    const trail = await inDatabase(service, (db) =>
      db
        .collection('audit')
        .find({ action: /^account\.(un)?blocked$/ })
        .sort({ _id: 1 })
        .toArray(),
    );
    expect(trail.map(({ action, reason, actor }) => [action, reason, actor.name])).toEqual([
      ['account.blocked', 'compromised', 'mia'],
      ['account.unblocked', 'operator_command', 'system'],
    ]);
  });

  test.each([
    [['account', 'block', 'nobody', '--reason', 'fraud'], 1],
    [['account', 'unblock', 'nobody'], 1],
    [['account', 'block', 'nobody'], 2],
    [['account', 'block', 'nobody', '--reason', 'I do not like her'], 2],
  ])('refuses to block or unblock an account with %j', async (args, code) => {
    expect((await service.cli(...args)).code).toBe(code);
  });
});

describe('a blocked person', () => {
  const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args));
  const verify = (subject: string, person: string) =>
    cli('account', 'kyc', subject, 'verified', '--provider', 'acme', '--person', person);
  const blockedSubjects = async (): Promise<string[]> =>
    JSON.parse(await cli('account', 'blocks', '--json')).flatMap((row: { subjects: string[] }) => row.subjects);
  const ownRoutes = accountRoutes.map(({ method, path }) => ({
    method,
    path: `/account/v1${path.replace(/:\w+/g, 'x')}`,
  }));
  const keptRoutes = routes
    .filter(({ metadata }) => metadata.access !== 'public')
    .map((route) => ({ ...createSampleRequest(route), path: `/api/v1${createSampleRequest(route).path}` }));

  test('a blocked person is refused with every account, also later ones, until the block is lifted', async () => {
    const jwt = await provider.token(key('ES256'), { sub: 'dora' });
    expect((await complain(jwt)).status).toBe(201);
    const [first, second, later] = [
      await createToken(service, 'dora'),
      await createToken(service, 'dora-2'),
      await createToken(service, 'dora-3'),
    ];
    await verify('dora', 'dora');
    await verify('dora-2', 'dora');
    await verify(`${provider.issuer}#dora`, 'dora');
    expect(await cli('account', 'block', 'dora', '--reason', 'fraud')).toContain('and 2 more of the same person');
    for (const token of [jwt, first, second])
      for (const { path, ...asked } of [...keptRoutes, ...ownRoutes])
        expectInvalid(await send(`${service.origin}${path}`, { ...asked, token }));
    expect((await complain(later)).status).toBe(201);
    await verify('dora-3', 'dora');
    expectInvalid(await complain(later));
    const added = await createToken(service, 'dora-4');
    await verify('dora-4', 'dora');
    expectInvalid(await complain(added));
    expect(await blockedSubjects()).toEqual(
      expect.arrayContaining(['dora', 'dora-2', 'dora-3', 'dora-4', `${provider.issuer}#dora`]),
    );
    await cli('account', 'unblock', 'dora-4', '--actor', 'mia');
    for (const token of [jwt, first, second, later, added]) expect((await complain(token)).status).toBe(201);
    expect(await blockedSubjects()).toEqual([]);
    const trail = await inDatabase(service, (db) =>
      db.collection('audit').countDocuments({ action: 'account.unblocked', 'actor.name': 'mia' }),
    );
    expect(trail).toBe(5);
  });

  test('a blocked person without a verification is refused with all accounts once identified', async () => {
    const [fay, gil] = [await createToken(service, 'fay'), await createToken(service, 'gil')];
    await verify('gil', 'fay');
    await cli('account', 'block', 'fay', '--reason', 'abuse');
    expect((await complain(gil)).status).toBe(201);
    await verify('fay', 'fay');
    for (const token of [fay, gil]) expectInvalid(await complain(token));
    await cli('account', 'unblock', 'gil');
    for (const token of [fay, gil]) expect((await complain(token)).status).toBe(201);
  });

  test('a blocked person stays blocked after an erasure, under any name, and nothing else of them is kept', async () => {
    await createToken(service, 'erin@example.org');
    await verify('erin@example.org', 'passport-erin');
    await cli('account', 'block', 'erin@example.org', '--reason', 'fraud');
    await cli('account', 'erase', 'erin@example.org', '--yes', 'erin@example.org', '--reason', 'requested');
    expectInvalid(await complain(await createToken(service, 'erin@example.org')));
    const renamed = await createToken(service, 'someone-new');
    expect((await complain(renamed)).status).toBe(201);
    await verify('someone-new', 'passport-erin');
    expectInvalid(await complain(renamed));
    const rows = await inDatabase(service, (db) => db.collection('blocks').find().toArray());
    for (const row of rows) expect(Object.keys(row).sort()).toEqual(['_id', 'accountId', 'at', 'block', 'reason']);
    expect(JSON.stringify(rows)).not.toMatch(/erin|someone/);
    await cli('account', 'unblock', 'erin@example.org');
    expect((await complain(renamed)).status).toBe(201);
  });

  test('a person is blocked or unblocked again after a restore from an older backup', async () => {
    const token = await createToken(service, 'hal');
    await verify('hal', 'hal');
    const set = (blocks: Document[], blocked?: object) =>
      inDatabase(service, async (db) => {
        await db.collection('blocks').deleteMany({});
        if (blocks.length > 0) await db.collection('blocks').insertMany(blocks);
        await db
          .collection('accounts')
          .updateOne({ subject: 'hal' }, blocked ? { $set: { blocked } } : { $unset: { blocked: 1 } });
      });
    await cli('account', 'block', 'hal', '--reason', 'legal');
    const rows = await inDatabase(service, (db) => db.collection('blocks').find().toArray());
    expect(rows).toHaveLength(2);
    await set([]); // as in a backup from before the block
    expect((await complain(token)).status).toBe(201);
    expect(JSON.parse(await cli('admin', 'account', 'replay-blocks', '--json'))).toMatchObject({
      renewed: 2,
      lifted: 0,
    });
    expectInvalid(await complain(token));
    await cli('account', 'unblock', 'hal');
    const { reason, at, block } = rows[0] as Document;
    await set(rows, { reason, at, block }); // as in a backup from before its end
    expectInvalid(await complain(token));
    expect(JSON.parse(await cli('admin', 'account', 'replay-blocks', '--json'))).toMatchObject({
      renewed: 0,
      lifted: 1,
    });
    expect((await complain(token)).status).toBe(201);
    expect(JSON.parse(await cli('admin', 'account', 'replay-blocks', '--json'))).toMatchObject({
      renewed: 0,
      lifted: 0,
    });
  });
});

describe('keys', () => {
  /** Ten seconds after the last request for the keys, an unknown one causes the next request. */
  const COOLDOWN = 10_000;
  const now = Date.now;
  let passed = 0;
  /** Sets the clock of this process forward, which is also that of the service. */
  const passCooldown = (): void => {
    passed += COOLDOWN;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + passed);
  };
  afterAll(() => vi.restoreAllMocks());

  /** Expects that the key is found once the cooldown is over. */
  const expectFound = async (name: string): Promise<void> => {
    passCooldown();
    const answer = await complain(await provider.token(key(name)));
    expect(answer.status, answer.text).toBe(201);
  };

  test('keys change without a restart', async () => {
    provider.publish(key('ES256'), key('next'));
    await expectFound('next');
    expect((await complain(await provider.token(key('ES256')))).status).toBe(201);
    expectInvalid(await complain(await provider.token(key('RS256'))));
  });

  test('keys are not requested for invented key ids', async () => {
    const before = provider.asked();
    const started = Date.now();
    for (let n = 0; n < 200; n += 1)
      expectInvalid(await complain(await provider.token({ ...key('foreign'), kid: `invented-${n}` })));
    expect(provider.asked() - before).toBeLessThanOrEqual(1 + Math.floor((Date.now() - started) / 10_000));
  });

  test.each(['failing', 'hanging'] as const)(
    'known keys still work in an outage (%s); unknown ones are neither good nor bad',
    async (mood) => {
      provider.be(mood);
      const unknown = await provider.token(key('later'));
      if (mood === 'failing') passCooldown();
      const asked = Date.now();
      const refused = await complain(unknown);
      expect(Date.now() - asked).toBeLessThan(2500);
      expect(expectProblem(refused)).toMatchObject({
        code: 'unavailable',
        detail: expect.stringContaining('identity provider'),
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      const before = provider.asked();
      const started = Date.now();
      for (let n = 0; n < 50; n += 1) expect((await complain(unknown)).status).toBe(503);
      expect(provider.asked() - before).toBeLessThanOrEqual(1 + Math.floor((Date.now() - started) / 5000));
      expect((await complain(await provider.token(key('next')))).status).toBe(201);
      expect((await send(`${service.baseUrl}/news`, { token: unknown })).status).toBe(200);
      provider.be('up');
    },
  );

  test('new keys are found after the outage', async () => {
    provider.publish(key('last'));
    await expectFound('last');
  });
});
