import type { Browser, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow, newsRow, warningRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { axeFaults } from './viewer.ts';

/** Script, a mark that turns the line, piled marks, and no blank to break at. */
const HOSTILE = `<script>alert(1)</script>\u202e${'Z\u0335\u0321\u0489'.repeat(8)}${'W'.repeat(30)}`;
const HEADERS = { Accept: 'text/html' };

const MANY = Array.from({ length: 53 }, (_, n) => `maltese-${n + 10}`);

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [
    brokerRow('alpha-markets', {
      name: 'Alpha Markets',
      licenses: [licenseRow('alpha-markets Ltd', 'fca'), licenseRow('alpha-markets Ltd', 'cysec')],
    }),
    brokerRow('beta-trade', {
      name: 'Beta Trade',
      country: 'CY',
      foundedYear: 2010,
      warnings: [warningRow()],
      licenses: [licenseRow('beta-trade Ltd', 'fca', { lastVerifiedAt: new Date().toISOString() })],
    }),
    brokerRow('gamma-fx', { name: 'Gamma FX', country: 'CY', licensesCheckedAt: null, foundedYear: 2012 }),
    brokerRow('delta', { name: 'Delta', status: 'suspected_clone' }),
    brokerRow('copied', { name: 'Copied', warnings: [warningRow({ about: 'clone_of_it' })] }),
    brokerRow('hostile', { name: HOSTILE, tradingNames: ['Trap'] }),
    ...MANY.map((slug) => brokerRow(slug, { country: 'MT', licenses: [licenseRow(`${slug} Ltd`, 'mfsa')] })),
  ]);
  await importRows(
    service,
    'news',
    Array.from({ length: 25 }, (_, n) =>
      newsRow(n, {
        ...(n === 3
          ? { category: 'warning', title: 'An old warning', brokerSlugs: ['beta-trade'], regulatorCodes: ['cysec'] }
          : {}),
        ...(n === 24 ? { title: `Newest ${HOSTILE}`, regulatorCodes: ['fca'], language: 'de' } : {}),
      }),
    ),
  );
  await service.settle();
  expect((await service.client().brokers.list({ limit: 1 })).pagination.total).toBe(MANY.length + 6);
});
afterAll(() => service?.remove());

const open = async (path: string, headers: Record<string, string> = HEADERS) => {
  const { status, text } = await send(`${service.origin}${path}`, { headers });
  expect(status, path).toBe(200);
  expect(text, path).not.toMatch(/<script>|<script [^>]*>[^<]|undefined|\[object|NaN/);
  return text;
};
const words = (text: string): string =>
  text
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ');
/** Slugs of the brokers in the table of a page, in order. */
const listed = (text: string): string[] =>
  [...text.matchAll(/<th scope="row"><a href="(?:\/de)?\/brokers\/([^"]+)">/g)].map(([, slug]) => slug as string);
const readCaption = (text: string): string | undefined => /<caption>([^<]*)<\/caption>/.exec(text)?.[1];
/** The row of a table that begins with a text. */
const findRow = (text: string, begin: string): string | undefined =>
  text
    .match(/<tr>.*?<\/tr>/gs)
    ?.map(words)
    .find((row) => row.trim().startsWith(begin))
    ?.trim();

/** Number of brokers that the page with these filters lists. */
const countBrokers = async (filters: Readonly<Record<string, string>>): Promise<number> =>
  Number(/ of (\d+),/.exec(readCaption(await open(`/brokers?${new URLSearchParams(filters)}`)) ?? '')?.[1] ?? 0);

describe('the list of brokers', () => {
  test('the list of brokers is that of the API, and says how many there are', async () => {
    const [text, api] = [await open('/brokers'), await service.client().brokers.list({ limit: 50 })];
    expect(listed(text)).toEqual(api.data.map(({ slug }) => slug));
    expect(readCaption(text)).toBe(`Brokers 1 to 50 of ${MANY.length + 6}, best score first`);
  });

  test('the list continues on further pages, and a page past its end is the last one', async () => {
    const all = (await service.client().brokers.list({ limit: 100 })).data.map(({ slug }) => slug);
    for (const page of [2, 9]) {
      const text = await open(`/brokers?page=${page}`);
      expect(listed(text)).toEqual(all.slice(50));
      expect(readCaption(text)).toBe('Brokers 51 to 59 of 59, best score first');
      expect(text).toContain('<a href="/brokers" rel="prev">');
      expect(text).not.toContain('rel="next"');
    }
  });

  test.each([
    ['country=CY', ['beta-trade', 'gamma-fx'], 2],
    ['country=CY&color=gray', ['gamma-fx'], 1],
    ['regulator=cysec', ['alpha-markets'], 1],
    ['regulator=fca&country=CY', ['beta-trade', 'gamma-fx'], 2],
    ['country=CY&license=none', ['gamma-fx'], 1],
    ['country=CY&license=confirmed', ['beta-trade'], 1],
    ['country=CY&license=1&warnings=standing', ['beta-trade'], 1],
    ['country=CY&warnings=unknown', ['gamma-fx'], 1],
    ['country=CY&license=4', [], undefined],
    ['country=CY&license=5&warnings=some', ['beta-trade', 'gamma-fx'], 2],
    ['color=&country=CY&regulator=', ['beta-trade', 'gamma-fx'], 2],
    ['country=nowhere&color=CY', undefined, 59],
  ])('the list for %s has the brokers to which all of it applies', async (query, slugs, total) => {
    const text = await open(`/brokers?${query}`);
    if (slugs) expect(listed(text).sort()).toEqual(slugs);
    if (total === undefined) expect(readCaption(text)).toBeUndefined();
    else expect(readCaption(text)).toMatch(new RegExp(` of ${total},`));
  });

  test('the list finds a suspected clone by none of its licences', async () => {
    const whole = listed(await open('/brokers?regulator=fca'));
    expect(whole).toContain('delta');
    for (const licence of ['confirmed', 'none', '1', '2', '3', '4'])
      expect(listed(await open(`/brokers?regulator=fca&license=${licence}`))).not.toContain('delta');
  });

  test('keeps its filters from page to page', async () => {
    const text = await open('/brokers?country=MT&regulator=mfsa&warnings=unknown');
    expect(text).toContain('href="/brokers?country=MT&amp;regulator=mfsa&amp;warnings=unknown&amp;page=2" rel="next"');
    expect(await open('/de/brokers?country=MT')).toContain('Broker 1 bis 50 von 53');
  });

  test('says how many brokers each choice lists, while the others stay', async () => {
    const whole = await open('/brokers');
    expect(whole).toContain('<option value="MT">Malta (53)</option>');
    expect(whole).toContain('<option value="CY">Cyprus (2)</option>');
    const narrowed = await open('/brokers?country=CY&warnings=standing');
    expect(narrowed).toContain('<option value="CY" selected>Cyprus (1)</option>');
    expect(narrowed).not.toContain('<option value="MT"');
    expect(narrowed).toContain('<option value="standing" selected>one about the firm stands (1)</option>');
    expect(narrowed).toContain('<option value="unknown">none about the firm is known (1)</option>');
    let filter = '';
    const choices = /<select id="filter-([a-z]+)"|<option value="([^"]+)"(?: selected)?>[^<]*\((\d+)\)</g;
    for (const [, name, value = '', count] of narrowed.matchAll(choices)) {
      if (name !== undefined) filter = name;
      else expect(Number(count)).toBe(await countBrokers({ country: 'CY', warnings: 'standing', [filter]: value }));
    }
  });

  test('begins with the lowest score where that is asked for, and keeps that order from page to page', async () => {
    const text = await open('/brokers?order=lowest&country=MT');
    expect(readCaption(text)).toBe('Brokers 1 to 50 of 53, lowest score first');
    expect(text).toContain('href="/brokers?country=MT&amp;order=lowest&amp;page=2" rel="next"');
    const lowest = listed(await open('/brokers?order=lowest'));
    const { data } = await service.client().brokers.list({ limit: 100 });
    const scoresBySlug = new Map(data.map(({ slug, score }) => [slug, score.value]));
    const scores = lowest.map((slug) => scoresBySlug.get(slug) ?? Number.POSITIVE_INFINITY);
    expect(scores).toEqual(scores.toSorted((one, other) => one - other));
    expect(listed(await open('/brokers?order=lowest&page=2')).at(-1)).toBe('gamma-fx');
  });

  test('the list leads to the same list in the other language', async () => {
    const text = await open('/brokers?country=MT&page=2');
    expect(text).toContain('<a href="/de/brokers?country=MT&amp;page=2" hreflang="de"');
    expect(await open('/de/brokers?country=MT&page=2')).toContain(
      '<a href="/brokers?country=MT&amp;page=2" hreflang="en"',
    );
    expect(await open('/search?q=%22%3Cb%3E')).toContain('<a href="/de/search?q=%22%3Cb%3E" hreflang="de"');
  });

  test('the list says that no broker has all of it, and how to go on', async () => {
    const text = await open('/brokers?country=CY&regulator=mfsa');
    expect(words(text)).toContain('No broker has all of this');
    expect(text).toContain('<a href="/brokers">Show all brokers</a>');
  });

  test('the list says in words what is unusual about a broker', async () => {
    const text = await open('/brokers?regulator=fca');
    expect(findRow(text, 'Beta Trade')).toContain('1 warning');
    expect(findRow(text, 'Gamma FX')).toContain('Not rated');
    expect(findRow(text, 'Delta')).toContain('Suspected clone');
    expect(findRow(text, 'Copied')).toContain('Impersonated by scammers');
    expect(findRow(text, 'Alpha Markets')).toContain('none known');
  });

  test('the list shows a broker whose country has changed', async () => {
    await open('/brokers?country=PT');
    await importRows(service, 'brokers', [brokerRow('copied', { name: 'Copied', country: 'PT' })]);
    await service.settle();
    expect(listed(await open('/brokers?country=PT'))).toContain('copied');
  });
});

describe('a search', () => {
  test('finds what the API finds, and says how many', async () => {
    const text = await open('/search?q=alpha');
    expect(listed(text)).toEqual(['alpha-markets']);
    expect(readCaption(text)).toBe('1 broker matches');
    expect(text).toContain('value="alpha"');
    expect(text).toContain('<meta name="robots" content="noindex">');
  });

  test('says that there may be more than the best 20', async () => {
    const text = await open('/search?q=maltese');
    expect(listed(text)).toHaveLength(20);
    expect(readCaption(text)).toContain('The 20 best matches. There may be more');
  });

  test.each([
    ['nothing', '', 0],
    ['blanks', '?q=%20+', 0],
    ['marks that cannot be seen', '?q=%E2%80%8B', 0],
    ['nobody', '?q=qqqzzz', 0],
    ['hostile text', `?q=${encodeURIComponent(HOSTILE)}`, 1],
    ['too long a text', `?q=${'y'.repeat(400)}`, 0],
  ])('a search for %s is a page with a form', async (_, query, most) => {
    const text = await open(`/search${query}`);
    expect(listed(text).length).toBeLessThanOrEqual(most);
    expect(text).toMatch(/<form class="wide-search" role="search" [^>]*action="\/search"/);
  });

  test('a search that finds nothing says what to do next, and never that a firm is sound', async () => {
    const text = words(await open('/search?q=qqqzzz'));
    expect(text).toContain('No broker in our data matches “qqqzzz”');
    expect(text).toContain('neither that it is sound nor that it is not');
    expect(text).not.toContain('Did you mean');
    expect(await open('/de/search?q=qqqzzz')).toContain('<form method="post" action="/de/check">');
  });

  test('a search that finds nothing names similar brokers, says why, and warns of copies', async () => {
    const text = await open('/search?q=securealphamarkets.com');
    expect(words(text)).toContain('Did you mean');
    expect(text).toMatch(/<li><a href="\/brokers\/alpha-markets"><bdi>Alpha Markets/);
    expect(words(text)).toContain('can be a copy of it: check it before you trust it');
    expect(text).toContain('<input type="hidden" name="text" value="securealphamarkets.com">');
  });
});

describe('brokers side by side', () => {
  test('two brokers are shown side by side, and an unknown value is not shown as 0', async () => {
    const text = await open('/compare?a=beta-trade&b=gamma-fx');
    expect(findRow(text, 'Score, 0 to 100')).toMatch(/not known .*cannot be compared: not known for Gamma FX$/);
    expect(findRow(text, 'Average of reviews')).toMatch(/not known not known cannot be compared/);
    expect(findRow(text, 'Published reviews')).toMatch(/0 0 the same$/);
    expect(findRow(text, 'Warnings that stand')).toMatch(/1 none known Beta Trade has 1 more$/);
    expect(findRow(text, 'Founded')).toMatch(/2010 2012 Gamma FX is 2 years younger$/);
    expect(findRow(text, 'Best tier')).toMatch(/the same$/);
  });

  test('finds two brokers by name, and offers a choice where several may be meant', async () => {
    const text = await open('/compare?a=Gamma&b=maltese');
    expect(text).toContain('value="Gamma FX"');
    expect(words(text)).toContain('Which broker do you mean by “maltese”?');
    expect(text).toContain('<a href="/compare?a=gamma-fx&amp;b=maltese-10">');
  });

  test('up to four brokers are shown side by side, and the best of three is named', async () => {
    const text = await open('/compare?a=beta-trade&b=gamma-fx&c=alpha-markets');
    expect(findRow(text, 'Founded')).toMatch(/cannot be compared: not known for Alpha Markets$/);
    expect(findRow(text, 'Warnings that stand')).toMatch(/1 none known none known the most: Beta Trade$/);
    expect(text).toContain('<table class="compare many">');
    const four = await open('/compare?a=beta-trade&b=gamma-fx&c=alpha-markets&d=copied');
    expect(four).toMatch(/<input id="compare-d" name="d" value="Copied"/);
    expect(findRow(four, 'Published reviews')).toMatch(/0 0 0 0 the same$/);
  });

  test('the address of a comparison has slugs, and its fields have names', async () => {
    const { status, headers } = await send(`${service.origin}/de/compare?a=Gamma+FX&b=beta-trade&c=&residence=DE`, {
      headers: HEADERS,
    });
    expect([status, headers['location']]).toEqual([308, '/de/compare?a=gamma-fx&b=beta-trade&residence=DE']);
    expect(await open('/compare?a=gamma-fx&b=beta-trade')).toContain('value="Gamma FX"');
  });

  test.each([
    ['/compare', 'Name two to four brokers'],
    ['/compare?a=&b=', 'Name two to four brokers'],
    ['/compare?a=alpha-markets', 'Name two to four brokers'],
    ['/compare?a=alpha-markets&b=alpha-markets', 'You named one broker twice'],
    [`/compare?a=${encodeURIComponent(HOSTILE)}&b=qqqzzz`, 'No broker in our data matches “qqqzzz”'],
  ])('asks for two brokers at %s', async (path, said) => {
    const text = await open(path);
    expect(words(text)).toContain(said);
    expect(text).not.toContain('<table');
  });
});

describe('regulators', () => {
  test('all regulators are listed', async () => {
    const [text, { data }] = [await open('/regulators'), await service.client().regulators.list()];
    const codes = [...text.matchAll(/<a href="\/regulators\/([^"]+)">/g)].map(([, code]) => code);
    expect(codes.sort()).toEqual(data.map(({ code }) => code).sort());
    expect(words(text)).toContain(`${data.length} regulators in all.`);
  });

  test('a regulator has a page with reason, protections, brokers and the way to check by hand', async () => {
    const text = await open('/regulators/mfsa');
    const { tierReason, registerUrl } = await service.client().regulators.get('mfsa');
    expect(words(text)).toContain(tierReason);
    expect(text).toContain(`<a href="${registerUrl}" rel="nofollow noopener external">`);
    expect(readCaption(text)).toBe('Brokers 1 to 50 of 53, best score first');
    expect(listed(await open('/regulators/mfsa?page=2'))).toHaveLength(3);
    expect(words(text)).toContain('We have never read it as a whole.');
  });

  test('a regulator that does not exist has no page', async () => {
    const { status, text } = await send(`${service.origin}/regulators/nobody`, { headers: HEADERS });
    expect([status, words(text)]).toEqual([404, expect.stringContaining('We know no regulator by this address')]);
  });
});

describe('news', () => {
  test('the news go on page by page until the end, and say so', async () => {
    const text = await open('/news');
    expect(words(text)).toContain('The 20 newest items. There is more');
    const next = /<a href="([^"]+)" rel="next">/.exec(text)?.[1] as string;
    const last = await open(next.replaceAll('&amp;', '&'));
    expect(words(last)).toContain('5 items, older than those before. This is the end');
    const ids = [text, last].flatMap((page) => [...page.matchAll(/id="(news-[^"]+)"/g)].map(([, id]) => id));
    expect(new Set(ids).size).toBe(25);
  });

  test('a news item names whom it is about, and its language where it is another', async () => {
    const text = await open('/news');
    expect(text).toContain('<a href="/regulators/fca"><bdi>Financial Conduct Authority</bdi></a>');
    expect(words(text)).toContain('· German');
  });
});

describe('the first page', () => {
  test('the first page has search, the newest warnings, and all brokers by rating in words', async () => {
    const text = await open('/');
    expect(text).toMatch(/<form class="wide-search" role="search"/);
    expect(words(text)).toMatch(/Newest warnings Cyprus An old warning 1 Jan 2026 · Example Gazette About: Beta Trade/);
    expect(words(text)).toMatch(/59 brokers .* 1 broker with a warning in force, confirmed or not/);
    expect(text).toMatch(/<a class="rated" data-color="gray" href="\/brokers\?color=gray"><b>\d+<\/b> Not rated<\/a>/);
    expect(words(text)).toContain('licences never checked, or no longer in business');
    expect(readCaption(text)).toBe('The 5 best of 59');
    expect(listed(text)).toHaveLength(5);
    expect(listed(text)).not.toContain('delta'); // a suspected clone
    expect(await open('/de')).toContain('Den Broker kennen');
  });

  test('no broker is an example where none is well proven', async () => {
    expect(await open('/')).not.toContain('class="example"');
  });
});

describe('suggestions', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());

  /** A page in a window of its own, with the questions that its script asks. */
  const visit = async (path: string) => {
    const page = await (await browser.newContext()).newPage();
    const asked: string[] = [];
    const aborted: string[] = [];
    const readQuery = (request: Request) => new URL(request.url()).searchParams.get('q') as string;
    const isQuestion = (request: Request) => request.url().includes('/api/v1/search?');
    page.on('request', (request) => isQuestion(request) && asked.push(readQuery(request)));
    page.on('requestfailed', (request) => isQuestion(request) && aborted.push(readQuery(request)));
    await page.goto(`${service.origin}${path}`);
    return { page, asked, aborted };
  };
  /** Types texts one after the other without a pause, and returns the names that are suggested at that moment. */
  const type = (page: Page, ...texts: string[]) =>
    page.evaluate<string[]>(`(() => {
      const input = document.querySelector('input[data-suggest]');
      input.focus();
      for (const text of ${JSON.stringify(texts)}) {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
      const list = document.getElementById(input.getAttribute('aria-controls'));
      return list.hidden ? [] : [...list.querySelectorAll('[role=option] .name')].map((name) => name.textContent);
    })()`);
  const option = (page: Page, name: string) => page.getByRole('option').filter({ hasText: name }).first();
  const field = (page: Page) => page.locator('input[data-suggest]').first();

  test('suggestions come after a pause, and those of a longer text at once', async () => {
    const { page, asked } = await visit('/');
    expect(await type(page, 'm', 'ma', 'mal')).toEqual([]);
    await option(page, 'maltese').waitFor();
    expect(asked).toEqual(['mal']);
    const names = await type(page, 'malt', 'maltese', 'maltese 10');
    expect(names).toEqual(['maltese 10', 'All results for “maltese 10”']);
    expect(await type(page, 'mal')).toHaveLength(9);
    await page.context().close();
  });

  test('suggestions are chosen by keyboard, and told to screen readers', async () => {
    const { page } = await visit('/brokers');
    await type(page, 'alpha');
    await option(page, 'Alpha Markets').waitFor();
    const state = async () => [
      await field(page).getAttribute('aria-expanded'),
      await page.locator('[role=option][aria-selected=true] .name').allTextContents(),
      await page.evaluate(`document.getElementById(
        document.querySelector('input[data-suggest]').getAttribute('aria-activedescendant'),
      )?.querySelector('.name').textContent ?? null`),
    ];
    expect(await state()).toEqual(['true', [], null]);
    expect(await page.getByRole('status').allTextContents()).toEqual(['Suggestions: 1. Arrow keys choose.']);
    await page.keyboard.press('ArrowDown');
    expect(await state()).toEqual(['true', ['Alpha Markets'], 'Alpha Markets']);
    await page.keyboard.press('ArrowUp');
    expect(await state()).toEqual(['true', [], null]);
    await page.keyboard.press('ArrowUp');
    expect(await state()).toEqual(['true', ['All results for “alpha”'], 'All results for “alpha”']);
    await page.keyboard.press('Escape');
    expect(await state()).toEqual(['false', [], null]);
    expect(await field(page).inputValue()).toBe('alpha');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/brokers/alpha-markets');
    await page.context().close();
  });

  test('open suggestions break no rule of axe, and text of others stays text', async () => {
    const { page } = await visit('/de');
    await type(page, 'trap');
    await option(page, '<script>alert(1)</script>').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });

  test('suggestions call a warning unconfirmed that was matched automatically', async () => {
    const { page } = await visit('/');
    await page.route('**/api/v1/search?*', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { data: { warnings: object[] }[] };
      const warnings = [warningRow({ match: 'unchecked' })];
      await route.fulfill({ response: answer, json: { ...rest, data: data.map((one) => ({ ...one, warnings })) } });
    });
    await type(page, 'alpha');
    await option(page, 'Alpha Markets').waitFor();
    expect(await option(page, 'Alpha Markets').textContent()).toContain('Warning, unconfirmed');
    expect(await page.locator('[role=option] .alarm').count()).toBe(0);
    await page.context().close();
  });

  test('suggestions that nobody waits for any more are aborted', async () => {
    const { page, asked, aborted } = await visit('/');
    const held: Route[] = [];
    await page.route('**/api/v1/search?q=gam', (route) => void held.push(route));
    await type(page, 'gam');
    await until('the first is asked', 5000, async () => held.length === 1);
    await type(page, 'beta');
    await option(page, 'Beta Trade').waitFor();
    expect([asked, aborted]).toEqual([['gam', 'beta'], ['gam']]);
    await page.context().close();
  });

  test.each([
    ['too many requests', 'No suggestions for a minute: too many requests. Enter still searches.'],
    ['no connection', 'No suggestions while you are offline.'],
    ['a fault', 'No suggestions now. Enter still searches.'],
  ])('a line says that suggestions fail because of %s, and the form still searches', async (fault, said) => {
    const { page, asked } = await visit('/');
    const status = fault === 'a fault' ? 500 : 429;
    await page.route('**/api/v1/search?*', (route) => route.fulfill({ status, headers: { 'Retry-After': '60' } }));
    if (fault === 'no connection') {
      await page.unrouteAll();
      await page.context().setOffline(true);
    }
    await type(page, 'alpha');
    await page.locator('.said', { hasText: said }).waitFor();
    if (status === 429 && fault !== 'no connection') {
      await type(page, 'beta');
      await page.locator('.said', { hasText: said }).waitFor();
      expect(asked).toEqual(['alpha']);
    }
    await page.context().setOffline(false);
    await field(page).press('Enter');
    await page.waitForURL('**/search?q=*');
    await page.context().close();
  });

  test('suggestions fill the field where two brokers are compared', async () => {
    const { page } = await visit('/compare');
    const first = page.getByLabel('First broker');
    await first.fill('gamma');
    await option(page, 'Gamma FX').click();
    expect(await first.inputValue()).toBe('Gamma FX');
    await page.getByLabel('Second broker').fill('beta-trade');
    await page.keyboard.press('Enter');
    await page.getByRole('table').waitFor();
    expect(words(await page.content())).toContain('Founded');
    await page.context().close();
  });
});
