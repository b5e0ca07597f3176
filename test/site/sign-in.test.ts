import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, listForms, openBrowser, signIn } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

const PUBLIC_URL = 'https://ratings.example';
const SESSION = '__Host-session';
const REQUEST = '__Host-sign-in';

let inbox: MailServer;
let service: LocalService;

beforeAll(async () => {
  inbox = await startMailServer();
  const mail = { SMTP_URL: inbox.url, MAIL_FROM: 'Ratings <mail@ratings.example>', PUBLIC_URL };
  service = await startService({ ...mail, JOBS: 'on', TRUST_PROXY: '1' });
});
afterAll(async () => {
  await service?.remove();
  await inbox?.close();
});

let networks = 10;
/** Opens a browser in a network of its own, or at a given address. */
const open = (from = `${++networks}.7.7.7`): Browser => openBrowser(service, PUBLIC_URL, from);
const ask = (browser: Browser, mail: string, to?: string) =>
  browser.send(to === undefined ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`, { mail });
const mailTo = async (address: string, nth = 0): Promise<ReceivedMail> => {
  await until(`a mail to ${address}`, 20_000, async () => {
    await service.settle();
    return inbox.to(address).length > nth;
  });
  return inbox.to(address)[nth] as ReceivedMail;
};
const findLink = ({ text }: ReceivedMail): string => {
  const link = text.split(/\s/).find((word) => word.startsWith(`${PUBLIC_URL}/`)) ?? '';
  return link.slice(PUBLIC_URL.length);
};
const findCode = (html: string): string => /<code>([0-9A-Z]{4}-[0-9A-Z]{4})<\/code>/.exec(html)?.[1] ?? 'none';
const readShownName = async (browser: Browser): Promise<string | undefined> =>
  /Signed in as <bdi>([^<]*)<\/bdi>/.exec((await browser.get('/sign-in')).html)?.[1];

/** Returns what proves that a form comes from a page of the person in a browser. */
const readFormToken = async (browser: Browser): Promise<string> =>
  listForms((await browser.get('/sign-in')).html)[0]?.hidden['form-token'] ?? '';

/** Signs a person in by the link of a mail. */
const signInByMail = async (address: string, nth = 0): Promise<Browser> => {
  const browser = open();
  await ask(browser, address);
  await browser.send(findLink(await mailTo(address, nth)));
  return browser;
};

test('a person signs in by the link of a mail, which a program that opens it does not use up', async () => {
  const browser = open();
  const asked = await ask(browser, 'Anna@mail.example', '/news?page=2');
  expect(asked).toMatchObject({ status: 303, location: '/sign-in/code' });
  expect(asked.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/),
  ]);
  expect((await browser.get('/sign-in/code')).html).toContain('Anna@mail.example');
  const link = findLink(await mailTo('Anna@mail.example'));
  expect(link).toMatch(/^\/sign-in\/link\/[0-9a-f]{40}$/);
  const scanner = open();
  for (const method of ['GET', 'HEAD', 'GET'])
    expect((await fetch(`${service.origin}${link}`, { method })).status, method).toBe(200);
  expect((await scanner.get(link)).html).not.toContain('method="post"');
  const page = await browser.get(link);
  expect(page.headers.get('Referrer-Policy')).toBe('strict-origin');
  expect(page.html).toContain('noindex');
  const entered = await browser.send(link);
  expect(entered).toMatchObject({ status: 303, location: '/news?page=2' });
  expect(entered.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  );
  expect([...browser.cookies.keys()]).toEqual([SESSION]);
  expect(await readShownName(browser)).toBe('Anna@mail.example');
  expect((await browser.get('/sign-in')).html).toContain('Your identity is not verified');
});

test('a link is used once', async () => {
  const browser = open();
  await ask(browser, 'ben@mail.example');
  const link = findLink(await mailTo('ben@mail.example'));
  const request = browser.cookies.get(REQUEST) as string;
  await browser.send(link);
  const again = open();
  again.cookies.set(REQUEST, request);
  expect((await again.get(link)).status).toBe(410);
  expect(await again.post(link, {})).toMatchObject({ status: 303, location: '/sign-in?problem=gone' });
  expect(again.cookies.has(SESSION)).toBe(false);
});

test('a link that is forwarded signs nobody in elsewhere: it shows a code for the browser that asked', async () => {
  const [own, other] = [open(), open()];
  await ask(own, 'cleo@mail.example');
  const link = findLink(await mailTo('cleo@mail.example'));
  await ask(other, 'thief@mail.example');
  const shown = await other.get(link);
  const code = findCode(shown.html);
  expect(await other.post(link, {})).toMatchObject({ location: '/sign-in?problem=gone' });
  expect((await other.send('/sign-in/code', { code })).status).toBe(422);
  expect(other.cookies.has(SESSION)).toBe(false);
  const entered = await own.send('/sign-in/code', { code: code.toLowerCase().replace('-', ' ') });
  expect(entered.status).toBe(303);
  expect(await readShownName(own)).toBe('cleo@mail.example');
  expect((await other.get(link)).status).toBe(410);
});

test('a code cannot be tried: after five wrong ones the link is worthless', async () => {
  const browser = open();
  await ask(browser, 'dora@mail.example');
  const link = findLink(await mailTo('dora@mail.example'));
  const code = findCode((await open().get(link)).html);
  for (let tries = 1; tries < 5; tries++)
    expect((await browser.send('/sign-in/code', { code: '2222-2222' })).status, String(tries)).toBe(422);
  expect(await browser.send('/sign-in/code', { code: '2222-2222' })).toMatchObject({
    location: '/sign-in?problem=gone',
  });
  expect(await browser.post('/sign-in/code', { code })).toMatchObject({ location: '/sign-in?problem=gone' });
  expect((await browser.get(link)).status).toBe(410);
  expect(await browser.post(link, {})).toMatchObject({ location: '/sign-in?problem=gone' });
  expect(browser.cookies.has(SESSION)).toBe(false);
});

test('nobody learns who has an account: every address is answered alike', async () => {
  await signInByMail('emil@mail.example');
  const bodies = await Promise.all(
    ['emil@mail.example', 'nobody@mail.example'].map(async (mail) => {
      const { status, location, headers } = await ask(open(), mail);
      return { status, location, cookies: headers.getSetCookie().map((line) => line.replace(/=[\w-]{43}/, '')) };
    }),
  );
  expect(bodies[0]).toEqual(bodies[1]);
  const wrong = await ask(open(), 'no address');
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain('aria-describedby="mail-problem"');
});

/** Waits until links went to these addresses, and returns how many of them. */
const countLinks = async (to: RegExp, last: string): Promise<number> => {
  await mailTo(last);
  return inDatabase(service, async (db) => {
    const ids = await db.collection('noticeAddresses').find({ 'pending.email': to }).project({ _id: 1 }).toArray();
    return db.collection('notices').countDocuments({ kind: 'sign-in.link', to: { $in: ids.map(({ _id }) => _id) } });
  });
};

test('nobody locks a mailbox out: five links a day go there for one network address, and its owner gets one elsewhere', async () => {
  const answers: (string | null)[] = [];
  for (let nth = 0; nth < 8; nth++) answers.push((await ask(open('5.6.7.8'), `fred+${nth % 3}@mail.example`)).location);
  expect(new Set(answers)).toEqual(new Set(['/sign-in/code']));
  await ask(open(), 'fred@mail.example');
  expect(await countLinks(/^fred/, 'fred@mail.example')).toBe(6);
});

test('nobody uses up the links of all: ten an hour go out for one network address', async () => {
  for (let nth = 0; nth < 12; nth++) await ask(open('6.7.8.9'), `greg-${nth}@mail.example`);
  await ask(open(), 'greg-last@mail.example');
  expect(await countLinks(/^greg/, 'greg-last@mail.example')).toBe(11);
});

test('a cookie that somebody planted before the sign-in is worthless after it', async () => {
  const planted = 'A'.repeat(43);
  const browser = open();
  browser.cookies.set(SESSION, planted);
  await ask(browser, 'gina@mail.example');
  await browser.send(findLink(await mailTo('gina@mail.example')));
  expect(browser.cookies.get(SESSION)).not.toBe(planted);
  const thief = open();
  thief.cookies.set(SESSION, planted);
  expect(await readShownName(thief)).toBeUndefined();
  const earlier = browser.cookies.get(SESSION) as string;
  await browser.post('/sign-in', { mail: 'gina@mail.example', 'form-token': await readFormToken(browser) });
  await browser.send(findLink(await mailTo('gina@mail.example', 1)), {}, '/sign-in/link');
  thief.cookies.set(SESSION, earlier);
  expect(await readShownName(thief)).toBeUndefined();
});

test('a cookie that somebody stole is worthless after the sign-out, which only a button does', async () => {
  const browser = await signInByMail('hana@mail.example');
  const thief = open();
  thief.cookies.set(SESSION, browser.cookies.get(SESSION) as string);
  expect(await readShownName(thief)).toBe('hana@mail.example');
  await browser.get('/sign-out');
  expect(await readShownName(browser)).toBe('hana@mail.example');
  expect(await browser.send('/sign-in', {}, '/sign-out')).toMatchObject({ status: 303, location: '/sign-out' });
  expect((await browser.get('/sign-out')).html).toContain('<h1>You are signed out</h1>');
  expect(browser.cookies.has(SESSION)).toBe(false);
  expect(await readShownName(thief)).toBeUndefined();
});

test('a form of another site, or of another person, changes nothing', async () => {
  const [browser, other] = [await signInByMail('ida@mail.example'), await signInByMail('jon@mail.example')];
  const [own, foreign] = [await readFormToken(browser), await readFormToken(other)];
  expect(own).not.toBe(foreign);
  const attacks: [Record<string, string>, Record<string, string>][] = [
    [{}, {}],
    [{ 'form-token': foreign }, {}],
    [{ 'form-token': `${own}x` }, {}],
    [{ 'form-token': own }, { Origin: 'https://evil.example' }],
    [{ 'form-token': own }, { Origin: 'https://ratings.example.evil.example' }],
    [{ 'form-token': own }, { Origin: 'http://ratings.example' }],
    [{ 'form-token': own }, { 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'form-token': own }, { 'Sec-Fetch-Site': 'same-site' }],
  ];
  for (const [fields, headers] of attacks)
    expect((await browser.post('/sign-out', fields, headers)).status, JSON.stringify([fields, headers])).toBe(403);
  expect(await readShownName(browser)).toBe('ida@mail.example');
  const crossed = await open().post('/sign-in', { mail: 'kim@mail.example' }, { Origin: 'https://evil.example' });
  expect(crossed.status).toBe(403);
  expect((await browser.post('/sign-out', { 'form-token': own })).status).toBe(303);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/%5C/..//evil.example\\',
  '\t//evil.example',
  '/\n/evil.example',
])('signing in leads to no other site: %j', async (to) => {
  const browser = await signInByMailTo(to);
  expect(new URL(browser.location ?? '', PUBLIC_URL).origin).toBe(PUBLIC_URL);
  expect(browser.location).toBe('/mine');
});

/** Signs in with a path to go to that the form itself holds. */
const signInByMailTo = async (to: string) => {
  const address = `leo${Buffer.from(to).toString('hex')}@mail.example`;
  const browser = open();
  await browser.post('/sign-in', { mail: address, to });
  expect((await browser.get(`/sign-in?to=${encodeURIComponent(to)}`)).html).not.toContain('evil');
  return browser.send(findLink(await mailTo(address)));
};

test('a session ends when nobody uses it, and after a day', async () => {
  await signInByMail('mia@mail.example');
  const subject = 'mail:mia@mail.example';
  const use = async (ageMs: number, changes: object = {}) => {
    const browser = await signIn(service, subject, { method: 'link', ageMs });
    const secret = browser.cookies.get('session') as string;
    await inDatabase(service, (db) => db.collection('sessions').updateMany({ label: subject }, { $set: changes }));
    const secure = open();
    secure.cookies.set(SESSION, secret);
    return secure;
  };
  const minutes = (n: number): number => n * 60_000;
  expect(await readShownName(await use(minutes(119)))).toBe(subject);
  expect(await readShownName(await use(minutes(121)))).toBeUndefined();
  const used = await use(minutes(110));
  await used.get('/sign-in');
  const [session] = await inDatabase(service, (db) =>
    db.collection('sessions').find({ label: subject }).sort({ usedAt: -1 }).limit(1).toArray(),
  );
  expect(session?.['expiresAt'].getTime()).toBeGreaterThan(Date.now() + minutes(115));
  const old = await use(minutes(1430), { expiresAt: new Date(Date.now() + minutes(5)) });
  await old.get('/sign-in');
  const sessions = await inDatabase(service, (db) => db.collection('sessions').find({ label: subject }).toArray());
  for (const { expiresAt, endsAt } of sessions) expect(expiresAt.getTime()).toBeLessThanOrEqual(endsAt.getTime());
});

const NORA = 'mail:nora@mail.example';

test('an erasure ends the sessions of a person, and their requests for links', async () => {
  const browser = await signInByMail('nora@mail.example');
  await ask(open(), 'NORA@mail.example');
  await mailTo('NORA@mail.example');
  const held = await service.cli('account', 'export', NORA);
  const exported = JSON.parse(held.stdout);
  expect(exported.sessions).toHaveLength(1);
  expect(exported.signInRequests).toHaveLength(1);
  expect([exported.signInAddresses, exported.signInNotices].map(({ length }) => length)).toEqual([1, 2]);
  expect(held.stdout).not.toMatch(/linkHash|codeHash/);
  const erased = await service.cli(
    'account',
    'erase',
    'Nora@mail.example',
    '--yes',
    'Nora@mail.example',
    '--reason',
    'requested',
  );
  expect(erased.code, erased.stderr).toBe(0);
  expect(await readShownName(browser)).toBeUndefined();
  const left = await inDatabase(service, async (db) => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const found = await Promise.all(
      names.map(async (name) =>
        (await db.collection(name).find().toArray()).some((row) => /nora@/i.test(JSON.stringify(row))) ? name : '',
      ),
    );
    return found.filter((name) => name !== '');
  });
  expect(left).toEqual([]);
});

test('a public page is the same with and without a cookie, and neither reads nor sets one', async () => {
  const browser = await signInByMail('olga@mail.example');
  const load = async (headers: Record<string, string>) => {
    const answer = await fetch(`${service.origin}/methodology`, { headers: { Accept: 'text/html', ...headers } });
    const kept = [...answer.headers].filter(([name]) => !/^(date|age|x-request-id|ratelimit)$/.test(name));
    return { status: answer.status, headers: kept, body: await answer.text() };
  };
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let plain = await load({});
  await until('an answer that is not built anew between two requests', 30_000, async () => {
    plain = await load({});
    return JSON.stringify(await load({ Cookie })) === JSON.stringify(plain);
  });
  expect(plain.headers.map(([name]) => name)).not.toContain('set-cookie');
  expect(plain.headers.find(([name]) => name === 'vary')).toEqual(['vary', 'Accept-Encoding']);
  expect(plain.body).not.toContain('olga@');
});

test('programs sign in by tokens alone: no API takes the cookie of a session', async () => {
  const browser = await signInByMail('paul@mail.example');
  for (const path of ['/account/v1/reviews', '/account/v1/complaints'])
    expect((await browser.get(path, { Accept: 'application/json' })).status, path).toBe(401);
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' };
  const made = await browser.post('/api/v1/complaints', {}, json);
  expect(made.status).toBe(401);
});

test('a service without an identity provider and without mail says that nobody can sign in', async () => {
  const other = await startService();
  try {
    const browser = openBrowser(other);
    const page = await browser.get('/sign-in');
    expect(page.status).toBe(200);
    expect(page.html).toContain('Nobody can sign in here');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect([...page.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await browser.get('/de/sign-in')).html).toContain('Hier kann sich niemand anmelden');
    expect((await browser.post('/sign-in', { mail: 'a@mail.example' })).status).toBe(422);
    expect((await browser.get('/sign-in/provider')).location).toBe('/sign-in');
  } finally {
    await other.remove();
  }
});

test('a person sees where they are signed in, ends one of these sessions, and then all others', async () => {
  const here = await signInByMail('sessions@mail.example');
  const phone = await signInByMail('sessions@mail.example', 1);
  const tablet = await signInByMail('sessions@mail.example', 2);
  const page = (await here.get('/mine/sessions')).html;
  expect(page.match(/<li class="record">/g)).toHaveLength(3);
  expect(page.match(/This browser/g)).toHaveLength(1);
  const handles = [...page.matchAll(/name="session" value="([0-9a-f]{16})"/g)].map(([, handle = '']) => handle);
  expect(handles).toHaveLength(2);
  const sessions = await inDatabase(service, (db) => db.collection<{ _id: string }>('sessions').find().toArray());
  expect(sessions.filter(({ _id }) => page.includes(_id))).toEqual([]);
  const stranger = await signInByMail('stranger@mail.example');
  const foreign = { 'form-token': await readFormToken(stranger), session: handles[0] ?? '' };
  await stranger.post('/mine/sessions', foreign);
  const isIn = async (browser: Browser): Promise<boolean> => (await readShownName(browser)) !== undefined;
  expect([await isIn(phone), await isIn(tablet)]).toEqual([true, true]);
  expect((await here.send('/mine/sessions', {}, '/mine/sessions')).location).toBe('/mine/sessions');
  expect([await isIn(phone), await isIn(tablet)].filter(Boolean)).toHaveLength(1);
  const another = await signInByMail('sessions@mail.example', 3);
  await here.post('/mine/sessions', { 'form-token': await readFormToken(here), all: 'yes' });
  expect([await isIn(phone), await isIn(tablet), await isIn(another)]).toEqual([false, false, false]);
  expect([await isIn(here), await isIn(stranger)]).toEqual([true, true]);
});

test('an erasure and a change of the address of mail need a sign-in of at most ten minutes', async () => {
  const browser = await signInByMail('stale@mail.example');
  const formToken = async () => ({ 'form-token': await readFormToken(browser) });
  const age = (minutes: number): Promise<unknown> =>
    inDatabase(service, (db) =>
      db
        .collection('sessions')
        .updateMany({ label: 'stale@mail.example' }, { $set: { provenAt: new Date(Date.now() - minutes * 60_000) } }),
    );
  await age(11);
  expect((await browser.get('/mine/erase?step=sure')).html).not.toContain('name="word"');
  expect((await browser.get('/mine/mail')).html).not.toContain('name="address"');
  const refused = [
    await browser.post('/mine/erase', { ...(await formToken()), word: 'DELETE' }),
    await browser.post('/mine/mail', { ...(await formToken()), do: 'change', address: 'taken-over@mail.example' }),
    await browser.post('/mine/mail', { ...(await formToken()), do: 'stop' }),
  ];
  for (const { status, html } of refused)
    expect([status, html]).toEqual([403, expect.stringContaining('older than ten minutes')]);
  expect(inbox.to('taken-over@mail.example')).toEqual([]);
  const again = { ...(await formToken()), again: '/mine/erase?step=sure' };
  const asked = await browser.post('/sign-out', again);
  expect(asked.location).toBe('/sign-in?to=%2Fmine%2Ferase%3Fstep%3Dsure&again=yes');
  expect(browser.cookies.has(SESSION)).toBe(false);
  await browser.send(String(asked.location), { mail: 'stale@mail.example' }, '/sign-in');
  const entered = await browser.send(findLink(await mailTo('stale@mail.example', 1)), {}, '/sign-in/link');
  expect(entered.location).toBe('/mine/erase?step=sure');
  await age(9);
  expect((await browser.send('/mine/erase?step=sure', { word: 'DELETE' }, '/mine/erase')).location).toBe(
    '/mine/erased',
  );
});

test('signing in again leads to no other site', async () => {
  const browser = await signInByMail('leads@mail.example');
  const fields = { 'form-token': await readFormToken(browser), again: 'https://evil.example/mine' };
  expect((await browser.post('/sign-out', fields)).location).toBe('/sign-out');
});
