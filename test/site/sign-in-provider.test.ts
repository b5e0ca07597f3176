import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, listForms, openBrowser } from '../support/sign-in.ts';
import { until } from '../support/until.ts';
import { webhookHeaders, webhookSecret } from '../support/webhook.ts';

const SECRET = webhookSecret(7);

let provider: OidcProvider;
let service: LocalService;

beforeAll(async () => {
  provider = await startOidcProvider();
  const KYC_URL = 'https://kyc.example/start?person={subject}';
  service = await startService({ ...provider.settings, KYC_URL, KYC_WEBHOOK_SECRETS: SECRET });
  provider.serve(service.origin);
});
afterAll(async () => {
  await service?.remove();
  await provider?.close();
});

/** Begins a sign-in. Returns the address of the provider. */
const begin = async (browser: Browser, to?: string): Promise<string> => {
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  const { status, location } = await browser.get(`/sign-in/provider${query}`);
  expect(status).toBe(303);
  return location as string;
};

const countAccounts = (): Promise<number> =>
  inDatabase(service, (db) => db.collection('accounts').countDocuments({ subject: /#/ }));

test('a person signs in at the identity provider, and their account is that of its JWTs', async () => {
  const browser = openBrowser(service);
  const page = await browser.get('/sign-in?to=/news');
  expect(page.html).toContain('href="/sign-in/provider?to=%2Fnews"');
  const address = await begin(browser, '/news');
  const asked = new URL(address).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(
    [asked.get('state'), asked.get('nonce'), asked.get('code_challenge')].every((part) => (part ?? '').length >= 43),
  ).toBe(true);
  const back = await provider.signIn(address, 'alice');
  const entered = await browser.get(back);
  expect(entered).toMatchObject({ status: 303, location: '/news' });
  expect([...browser.cookies.keys()]).toEqual(['session']);
  const signedIn = await browser.get('/sign-in');
  expect(signedIn.html).toContain('<bdi>alice@mail.example</bdi>');
  expect(signedIn.html).toContain('https://kyc.example/start?person=account%3A');
  expect(await countAccounts()).toBe(1);
  const token = await provider.token('alice');
  const headers = { Authorization: `Bearer ${token}` };
  await until('the service has the keys of the provider', 20_000, async () => {
    const { status } = await fetch(`${service.origin}/account/v1/reviews`, { headers });
    return status === 200;
  });
  expect(await countAccounts()).toBe(1);
});

test('a sign-in ends only in the browser that began it, and only once', async () => {
  const [own, foreign] = [openBrowser(service), openBrowser(service)];
  const back = await provider.signIn(await begin(own), 'bob');
  expect(await foreign.get(back)).toMatchObject({ status: 303, location: '/sign-in?problem=expired' });
  await begin(foreign); // a sign-in of its own does not fit
  expect(await foreign.get(back)).toMatchObject({ status: 303, location: '/sign-in?problem=refused' });
  expect(foreign.cookies.has('session')).toBe(false);
  expect((await own.get(back)).status).toBe(303);
  expect(own.cookies.has('session')).toBe(true);
  const secret = own.cookies.get('session');
  expect(await own.get(back)).toMatchObject({ status: 303, location: '/sign-in?problem=expired' });
  expect(own.cookies.get('session')).toBe(secret);
});

test('a person who cancels, and a provider that is down, lead to a page that says so in their language', async () => {
  const browser = openBrowser(service);
  const { location } = await browser.get('/de/sign-in/provider');
  const back = await provider.cancel(location as string);
  expect(new URL(back).searchParams.get('error')).toBe('access_denied');
  const refused = await browser.get(back);
  expect(refused).toMatchObject({ status: 303, location: '/de/sign-in?problem=refused' });
  expect((await browser.get(refused.location as string)).html).toContain(
    'Der Identitätsanbieter hat Sie nicht angemeldet',
  );
  const later = await provider.signIn(await begin(browser), 'carol');
  provider.be('failing');
  const down = await browser.get(later);
  provider.be('up');
  expect(down).toMatchObject({ status: 303, location: '/sign-in?problem=unreachable' });
  expect((await browser.get('/sign-in?problem=unreachable')).html).toContain('does not answer');
  expect(browser.cookies.has('session')).toBe(false);
});

test('a state, a code or an issuer of somebody else ends no sign-in', async () => {
  const browser = openBrowser(service);
  for (const name of ['state', 'code', 'iss']) {
    const back = new URL(await provider.signIn(await begin(browser), 'dave'));
    back.searchParams.set(name, 'https://evil.example');
    expect(await browser.get(back.href), name).toMatchObject({ status: 303, location: '/sign-in?problem=refused' });
  }
  expect(browser.cookies.has('session')).toBe(false);
});

test('blocking a person ends their sessions, and refuses them when the provider sends them back', async () => {
  const browser = openBrowser(service);
  await browser.get(await provider.signIn(await begin(browser), 'erin'));
  expect((await browser.get('/sign-in')).html).toContain('erin@mail.example');
  const other = openBrowser(service);
  await other.get(await provider.signIn(await begin(other), 'erin'));
  const { code } = await service.cli('account', 'block', `${provider.issuer}#erin`, '--reason', 'fraud');
  expect(code).toBe(0);
  expect((await browser.get('/sign-in')).html).not.toContain('erin@mail.example');
  const again = await browser.get(await provider.signIn(await begin(browser), 'erin'));
  expect(again).toMatchObject({ status: 303, location: '/sign-in?problem=blocked' });
  expect((await service.cli('account', 'unblock', `${provider.issuer}#erin`)).code).toBe(0);
  for (const one of [browser, other]) expect((await one.get('/sign-in')).html).not.toContain('erin@mail.example');
});

/** Sends the result of a verification as the KYC provider does. */
const sendVerified = async (subject: string, personReference: string) => {
  const data = { subject, status: 'verified', provider: 'acme', personReference, occurredAt: new Date().toISOString() };
  const body = JSON.stringify({ type: 'kyc.updated', data });
  const headers = { ...webhookHeaders(SECRET, `msg-${subject}`, new Date(), body), 'Content-Type': 'application/json' };
  const answer = await fetch(`${service.origin}/webhooks/kyc`, { method: 'POST', body, headers });
  return { status: answer.status, body: await answer.json() };
};
const enterAs = async (name: string): Promise<Browser> => {
  const browser = openBrowser(service);
  await browser.get(await provider.signIn(await begin(browser), name));
  return browser;
};
const readReference = async (browser: Browser): Promise<string> => {
  const { html } = await browser.get('/sign-in');
  return decodeURIComponent(/kyc\.example\/start\?person=([^"]*)"/.exec(html)?.[1] ?? '');
};

test('nobody is verified as somebody else by a subject in the link, nor reads or deletes a joined account', async () => {
  expect((await openBrowser(service).get('/sign-in')).html, 'nobody is signed in').not.toContain('kyc.example');
  const [frank, gina] = [await enterAs('frank'), await enterAs('gina')];
  const guessed = await sendVerified(`${provider.issuer}#gina`, 'frank');
  expect(guessed).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/data/subject' }] } });
  for (const browser of [frank, gina])
    expect(await sendVerified(await readReference(browser), 'one')).toEqual({
      status: 200,
      body: { outcome: 'applied' },
    });
  expect((await gina.get('/sign-in')).html).toContain('Your identity is verified');
  const exported = await frank.send('/mine/export');
  expect(exported.html).not.toContain('gina');
  expect(JSON.parse(exported.html)).toMatchObject({ otherAccounts: 1, sessions: [{}] });
  const reference = 'account:00000000-0000-4000-8000-000000000000';
  expect((await sendVerified(reference, 'nobody')).body).toEqual({ outcome: 'ignored' });
  await frank.send('/mine/erase?step=sure', { word: 'DELETE' });
  expect((await frank.get('/mine')).status).toBe(303);
  expect((await gina.get('/mine')).status).toBe(200);
});

test('no page of another site ends a session: whoever is signed in begins no sign-in', async () => {
  const browser = await enterAs('hugo');
  expect((await browser.get('/sign-in/provider?to=/news')).location).toBe('/news');
  expect((await browser.get('/sign-in/provider')).location).toBe('/mine');
  expect([...browser.cookies.keys()]).toEqual(['session']);
});

test('whoever signs out is led to the sign-out of the provider, which asks them', async () => {
  const browser = openBrowser(service);
  await browser.get(await provider.signIn(await begin(browser), 'frank'));
  expect((await browser.send('/mine', {}, '/sign-out')).location).toBe('/sign-out');
  const [, there = ''] =
    /href="(http[^"]*)" rel="noreferrer">Sign out there too/.exec((await browser.get('/sign-out')).html) ?? [];
  const address = new URL(there.replaceAll('&amp;', '&'));
  expect([address.origin, address.searchParams.get('client_id')]).toEqual([provider.issuer, 'ratings']);
  const asked = await fetch(address);
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('<form')]);
  provider.be('failing');
  expect((await openBrowser(service).get('/sign-out')).status).toBe(200);
  provider.be('up');
});

const erasePage = '/mine/erase?step=sure';

/** Signs a person out whose proof is old, as the page of the erasure asks. Returns the address of the provider. */
const beginAgain = async (browser: Browser): Promise<URL> => {
  await inDatabase(service, (db) =>
    db.collection('sessions').updateMany({}, { $set: { provenAt: new Date(Date.now() - 11 * 60_000) } }),
  );
  const button = listForms((await browser.get(erasePage)).html).find(({ hidden }) => hidden['again'] === erasePage);
  const asked = await browser.post('/sign-out', button?.hidden ?? {});
  const page = await browser.get(String(asked.location));
  const [, path = ''] = /href="(\/sign-in\/provider[^"]*)"/.exec(page.html) ?? [];
  const { location } = await browser.get(path.replaceAll('&amp;', '&'));
  return new URL(String(location));
};

test('the provider asks again who a person is before an erasure, and says when they proved it', async () => {
  const browser = await enterAs('grace');
  const address = await beginAgain(browser);
  const query = address.searchParams;
  expect([query.get('prompt'), query.get('max_age')]).toEqual(['login', '0']);
  expect(await browser.get(await provider.signIn(address.href, 'grace'))).toMatchObject({ location: erasePage });
  const [session] = await inDatabase(service, (db) =>
    db.collection('sessions').find().sort({ createdAt: -1 }).limit(1).toArray(),
  );
  expect(Math.abs(Date.now() - Number(session?.['provenAt']))).toBeLessThan(600_000);
  expect((await browser.get(erasePage)).html).toContain('name="word"');
});

test('a sign-in that has to prove again who a person is fails if the provider does not say when they did', async () => {
  const browser = await enterAs('grace');
  const address = await beginAgain(browser);
  for (const name of ['prompt', 'max_age']) address.searchParams.delete(name);
  const refused = await browser.get(await provider.signIn(address.href, 'grace'));
  expect(refused).toMatchObject({ status: 303, location: '/sign-in?problem=unproven' });
  expect((await browser.get(String(refused.location))).html).toContain('The identity provider did not confirm');
  expect(browser.cookies.has('session')).toBe(false);
});
