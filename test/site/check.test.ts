import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const LEI = '529900T8BM49AURSDO55';
const licensed = (name: string, number: string, over = {}) =>
  brokerRow(name.toLowerCase().replaceAll(' ', '-'), {
    name,
    licenses: [licenseRow(`${name.toLowerCase().replaceAll(' ', '-')} Ltd`, 'fca', { referenceNumber: number })],
    ...over,
  });
const warning = (title: string, about: string, over = {}) => ({
  source: 'Office',
  url: `https://office.example/${title.length}`,
  title,
  publishedAt: '2026-01-01T00:00:00Z',
  about,
  ...over,
});

/** Addresses of warnings that brokers have as well: about a clone, and by mistake. */
const PAGE = 'https://fca.example/clone';
const MISTAKEN = 'https://fca.example/mistaken';

let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'info' }), createScratch()]);
  await importRows(service, 'brokers', [
    licensed('Zyxwell Markets', '730729', { lei: LEI }),
    licensed('Quantorio Capital', '111222', { warnings: [warning('Not authorised', 'this_firm')] }),
    licensed('Bravura Trading', '333444', { warnings: [warning('Impersonation', 'clone_of_it')] }),
    licensed('Kestrelmoor FX', '555666', { status: 'suspected_clone' }),
    licensed('Unicheck Brokers', '777888'),
    licensed('Thornbury Invest', '121314', { warnings: [warning('A clone', 'clone_of_it', { url: PAGE })] }),
    licensed('Oakhampton Direct', '151617', {
      warnings: [warning('By mistake', 'not_this_firm', { url: MISTAKEN, correctedAt: '2026-11-03T00:00:00Z' })],
    }),
  ]);
  const list = await scratch.ndjson('list.ndjson', [
    { id: '1', names: ['Zyxwell Markets Pro'], domains: ['zyxwell-markets-pro.example'], publishedAt: '2026-11-02' },
    { id: '2', names: ['Somebody Else Invest'], domains: ['somebody-else.example'], url: 'https://fca.example/2' },
    { id: '3', names: ['unicheck-brokers Ltd'], licenseNumbers: ['777888'] },
    { id: '4', names: [`<script>alert(1)</script>\u202e${'Ж\u0335'.repeat(60)}`], domains: ['hostile.example'] },
    { id: '5', names: ['Thornbury Invest'], domains: ['thornbury-login.example'], url: PAGE },
    { id: '6', names: ['Oakhampton Direct'], domains: ['oakhampton-vip.example'], url: MISTAKEN },
  ]);
  const given = ['--source', 'by-hand', '--authority', 'fca', '--list-url', 'https://fca.example/list'];
  succeeded(await service.cli('warning', 'import', list, ...given, '--as-of', '2026-11-20'));
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const check = (text: string, prefix = '') =>
  send(`${service.origin}${prefix}/check`, {
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams({ text }).toString(),
  });
/** Returns the text of a page without its markup. */
const plain = (html: string): string =>
  html
    .slice(html.indexOf('<main'), html.indexOf('</main'))
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');
const findVerdict = (html: string): string | undefined => /class="check-verdict (\w+)"/.exec(html)?.[1];
const listBrokers = (html: string): string[] =>
  [...html.matchAll(/<h3><a href="(?:\/de)?\/brokers\/([^"]+)"/g)].map(([, slug]) => slug as string);

test('the form is a page like others: in each language, and ready for everybody', async () => {
  for (const prefix of ['', '/de']) {
    const page = await send(`${service.origin}${prefix}/check`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'public, max-age=30']);
    expect(page.text).toContain(`<form class="clone-form" method="post" action="${prefix}/check">`);
  }
});

describe('what is typed', () => {
  test.each([
    ['a name with a warning of an authority', 'quantorio capital', 'warned', 'quantorio-capital', /Same name/],
    [
      'its licence number, with words around it',
      'FRN 111 222',
      'warned',
      'quantorio-capital',
      /Same licence number: 111222/,
    ],
    ['a suspected clone', 'kestrelmoor-fx.example', 'warned', 'kestrelmoor-fx', /Suspected clone.*Do not open them/],
    ['the victim of a clone', 'Bravura Trading', 'copied', 'bravura-trading', /pretends to be this firm Impersonation/],
    ['an LEI', LEI, 'known', 'zyxwell-markets', /Same LEI/],
    [
      'a domain with another ending',
      'bravura-trading.test',
      'foreign',
      'bravura-trading',
      /Address that looks like it/,
    ],
    [
      'a domain with a word added',
      'my-bravura-trading.example',
      'foreign',
      'bravura-trading',
      /Address that looks like/,
    ],
    [
      'a letter of another alphabet in a domain',
      'brаvura-trading.example',
      'foreign',
      'bravura-trading',
      /Address that looks like it/,
    ],
    [
      'a domain that begins with the whole one of somebody else',
      'bravura-trading.example.sign-in.test',
      'foreign',
      'bravura-trading',
      /Address that looks like it/,
    ],
    [
      'a brand after a word in a host of somebody else',
      'https://secure-bravura-trading.evil.test/login',
      'foreign',
      'bravura-trading',
      /Address that looks like it/,
    ],
    [
      'a brand beside letters that are compared with the same ones only',
      'Bravura Trading ブラヴーラ',
      'alike',
      'bravura-trading',
      /compared with the same letters only: Katakana/,
    ],
    ['a name with a foreign domain', 'Bravura Trading other.example', 'foreign', 'bravura-trading', /Same name/],
    ['a letter of another alphabet', 'Brаvura Trading', 'alike', 'bravura-trading', /Name that looks like it/],
    ['a digit for a letter', 'K3strelmoor FX', 'alike', 'kestrelmoor-fx', /Name that looks like it/],
    ['a typing error', 'bravurra trading', 'alike', 'bravura-trading', /Name that looks like it/],
  ])('recognizes %s, with the reason', async (_, text, verdict, slug, reason) => {
    const { status, text: html } = await check(text);
    expect([status, findVerdict(html), listBrokers(html)[0]]).toEqual([200, verdict, slug]);
    expect(plain(html)).toMatch(reason);
  });

  test('searches the lists of authorities too, and shows what they say with its page and day', async () => {
    const { text: html } = await check('zyxwell-markets-pro.example');
    expect(findVerdict(html)).toBe('warned');
    expect(plain(html)).toMatch(
      /Zyxwell Markets Pro Published on 2 Nov 2026\. .*Same address: zyxwell-markets-pro\.example/,
    );
    expect(plain(html)).toContain('nobody has checked');
    const other = await check('Somebody Else Invest');
    expect([findVerdict(other.text), listBrokers(other.text)]).toEqual(['warned', []]);
    expect(other.text).toContain('<a href="https://fca.example/2" rel="noopener nofollow">');
    expect(plain(other.text)).toContain('by-hand, as of 20 Nov 2026');
  });

  test.each([
    ['the domain of a clone whose victim has the warning, too', 'thornbury-login.example', /An authority warns of/],
    ['a name in a warning that stood with its namesake by mistake', 'Oakhampton Direct', /On the lists of authorities/],
  ])('warns of %s', async (_, text, words) => {
    const { text: html } = await check(text);
    expect(findVerdict(html)).toBe('warned');
    expect(plain(html)).toMatch(words);
  });

  test('a match with a warning that no person has checked is shown as unconfirmed', async () => {
    await service.settle();
    const { text: html } = await check('777888');
    expect(plain(html)).toMatch(/An authority warns of this firm.*Unconfirmed: matched automatically/);
    expect(html.match(/by-hand-/g)?.length ?? 0).toBeLessThan(2); // named once
  });

  test('searches for the first of several addresses, and says that the others were not searched', async () => {
    const { text: html } = await check('zyxwell-markets.example zyxwell-markets-pro.example a.example');
    expect(plain(html)).toMatch(/not searched: \W*zyxwell-markets-pro\.example\W* and \W*a\.example/);
    expect(plain((await check('zyxwell-markets.example')).text)).not.toContain('not searched');
  });

  test('text that is found nowhere never reads as safe', async () => {
    for (const [prefix, words] of [
      ['', /No warning found\. That does not mean that it is safe\..*What to do now.*7 brokers.*1 list of warnings/],
      ['/de', /Keine Warnung gefunden\. Das heißt nicht, dass die Firma sicher ist\..*7 Broker.*1 Warnliste/],
    ] as const) {
      const { text: html } = await check('Nobody At All', prefix);
      expect([findVerdict(html), listBrokers(html)]).toEqual(['nothing', []]);
      expect(plain(html)).toMatch(words);
    }
  });

  test('nobody keeps what is typed: no cache, no address, no log', async () => {
    const secret = 'Qwertzuiopasdf Capital';
    const { headers, text: html } = await check(secret);
    expect(headers['cache-control']).toBe('no-store');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('rel="canonical"');
    expect(headers['ratelimit-policy']).toMatch(/^"pages"/);
    expect(service.output()).toContain('"path":"/check"');
    expect(service.output()).not.toMatch(/Qwertz/i);
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \t\u3000'],
    ['signs', '!!! \u202e ???'],
  ])('asks again if what is typed is %s', async (_, text) => {
    const { status, text: html } = await check(text);
    expect([status, findVerdict(html)]).toEqual([422, undefined]);
    expect(html).toContain('role="alert"');
  });
});

describe('hostile text', () => {
  test.each([
    ['a script', '"><script>alert(1)</script>'],
    ['text that turns', '\u202eevil\u2066'],
    ['piled marks', `Z${'\u0335\u0321'.repeat(90)}`],
    ['200 letters without a blank', 'W'.repeat(200)],
    ['words that match everything', 'a e i o u fx ltd markets capital trading '.repeat(5)],
    ['a domain of 190 letters', `${'a-'.repeat(90)}b.example`],
    ['digits', '1'.repeat(200)],
    ['an address with a strange port', 'http://[::1]:99999/%00'],
    ['bytes that are no text', '\ud800\udfff\ud800'],
  ])('hostile text does nothing: %s', async (_, text) => {
    const { status, text: html } = await check(text);
    expect([200, 422]).toContain(status);
    expect(html).not.toContain('<script>alert');
    expect(html.length).toBeLessThan(40_000);
  });

  test('hostile text of an authority is shown as text', async () => {
    const { text: html } = await check('hostile.example');
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
  });

  test.each([
    ['JSON', { 'Content-Type': 'application/json', Accept: 'text/html' }, '{"text":"a"}', 415],
    ['a body of 5 kB', FORM, `text=${'a'.repeat(5000)}`, 413],
    ['a compressed body', { ...FORM, 'Content-Encoding': 'gzip' }, 'text=a', 415],
  ])('%s is refused by a page', async (_, headers, body, status) => {
    const { status: got, text: html } = await send(`${service.origin}/check`, { method: 'POST', headers, body });
    expect([got, /<h1>/.test(html)]).toEqual([status, true]);
  });

  test('refuses text that is sent twice in one form', async () => {
    const { status } = await send(`${service.origin}/check`, { method: 'POST', headers: FORM, body: 'text=a&text=b' });
    expect(status).toBe(422);
  });
});

test('a check finds a broker that was just imported', async () => {
  await importRows(service, 'brokers', [licensed('Latecomer Direct', '999111')]);
  await service.settle();
  expect(listBrokers((await check('latecomer direct')).text)).toHaveLength(1);
});
