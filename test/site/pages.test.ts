import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../packages/portal/src/pages.ts';
import { PRIVATE_PAGES } from '../../packages/portal/src/private/pages.ts';
import { openChromium } from '../support/chromium.ts';
import { startDemoService } from '../support/demo-service.ts';
import { importRows } from '../support/filled-service.ts';
import type { LocalService } from '../support/service.ts';
import { ADDRESSES, ALONE, ERRORS, FILES, LEADING, MAIL, MOVED, UNKNOWN } from './addresses.ts';
import { getBudget } from './budgets.ts';
import { HOSTILE, HOSTILE_BROKERS, HOSTILE_NEWS, HOSTILE_REVIEWS } from './hostile.ts';
import { startSlowProxy } from './slow-proxy.ts';
import { axeFaults, createViewer } from './viewer.ts';

let service: LocalService;
let browser: Browser;
let proxy: Awaited<ReturnType<typeof startSlowProxy>>;
let viewers: Record<'phone' | 'phoneForTools' | 'desk' | 'slowDesk', Awaited<ReturnType<typeof createViewer>>>;

beforeAll(async () => {
  [service, browser] = await Promise.all([startDemoService({ LOG_LEVEL: 'error', ...MAIL }), openChromium()]);
  await importRows(service, 'brokers', HOSTILE_BROKERS);
  await importRows(service, 'reviews', HOSTILE_REVIEWS);
  await importRows(service, 'news', HOSTILE_NEWS);
  await service.settle();
  proxy = await startSlowProxy(service.origin);
  const phone = { width: 360, scheme: 'light' } as const;
  viewers = {
    phone: await createViewer(browser, service.origin, { ...phone, script: 'off' }),
    phoneForTools: await createViewer(browser, service.origin, { ...phone, script: 'empty' }),
    desk: await createViewer(browser, service.origin, { width: 1280, scheme: 'dark', script: 'on' }),
    slowDesk: await createViewer(browser, proxy.origin, { width: 1280, scheme: 'light', script: 'on' }),
  };
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await service?.remove();
});

test('every page of the site is looked at, and what is no page is a file of a known kind', async () => {
  const known = [ADDRESSES, FILES, MOVED, LEADING, UNKNOWN].flatMap(Object.keys);
  const open = [...PAGES, ...PRIVATE_PAGES.filter(({ needs }) => needs === 'nobody')];
  expect(known.toSorted()).toEqual(open.map(({ path }) => path).toSorted());
  for (const [path, type] of Object.values(FILES)) {
    const { status, headers } = await fetch(service.origin + path);
    expect([path, status, headers.get('content-type')?.split(';')[0]]).toEqual([path, 200, type]);
  }
  for (const [path, to] of Object.entries(MOVED)) {
    const { status, headers } = await fetch(service.origin + path, { redirect: 'manual' });
    expect([path, status, headers.get('location')]).toEqual([path, 308, to]);
  }
});

test('a private page leads to the sign-in while nobody is signed in, and is never kept', async () => {
  const closed = PRIVATE_PAGES.filter(({ needs }) => needs !== 'nobody').map(({ path }) => {
    const address = path.replaceAll(/:\w+/g, 'alpha-markets');
    return [address, `/sign-in?${new URLSearchParams({ to: address })}`] as const;
  });
  for (const [path, to] of [...closed, ...Object.entries(LEADING)]) {
    const { status, headers } = await fetch(service.origin + path, { redirect: 'manual' });
    const kept = headers.get('cache-control');
    if (status !== 404) expect([path, status, headers.get('location'), kept]).toEqual([path, 303, to, 'no-store']);
  }
});

/** The first address of each page, and what somebody hostile wrote. `pnpm site:browser` looks at all. */
const isInGate = (path: string, at: number): boolean => at === 0 || path.includes(HOSTILE);

const VISITS = [
  ...Object.entries(ADDRESSES).flatMap(([template, paths]) =>
    paths.filter(isInGate).map((path) => ({ path, status: 200, budget: getBudget(template) })),
  ),
  ...[...Object.entries(ERRORS), ...Object.values(UNKNOWN)].map(([path, status]) => ({
    path,
    status,
    budget: getBudget(''),
  })),
  ...ALONE.map((path) => ({ path, status: 200, budget: getBudget(''), isAlone: true })),
];

describe.concurrent('in Chromium', () => {
  test.each(VISITS)(
    '$path is whole on a phone without script, on a desk in the dark, and on a slow line',
    async (visit) => {
      const faults = [
        ...(await viewers.phone.visit(visit)),
        ...(await viewers.phoneForTools.visit(visit, axeFaults)),
        ...(await viewers.desk.visit(visit, axeFaults)),
        ...(await viewers.slowDesk.visit(visit)),
      ];
      expect([...new Set(faults)]).toEqual([]);
    },
  );
});

test.each(['/methodology/2026-1', '/docs/guides/api', '/brokers/alpha-markets'])(
  '%s is whole on paper',
  async (path) => {
    const page = await viewers.desk.context.newPage();
    await page.setViewportSize({ width: 700, height: 900 }); // A4 with the margins of a browser
    await page.emulateMedia({ media: 'print' });
    await page.goto(service.origin + path);
    const wide = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main pre, main table')].filter((each) => each.scrollWidth > each.clientWidth
      || each.getBoundingClientRect().right > 700).map((each) => each.textContent.slice(0, 80))`,
    );
    expect(wide).toEqual([]);
    await page.close();
  },
);

test('the menu underlines only the current page in forced colors', async () => {
  const page = await viewers.desk.context.newPage();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${service.origin}/brokers`);
  const underlined = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.site-header nav a')].filter((each) =>
      getComputedStyle(each).borderBottomColor !== getComputedStyle(document.body).backgroundColor)
    .map((each) => each.getAttribute('href'))`,
  );
  expect([...new Set(underlined)]).toEqual(['/brokers']); // the menu is there twice, for wide and for narrow screens
  await page.close();
});

test('formulas run from left to right on a page that runs from right to left', async () => {
  const page = await viewers.desk.context.newPage();
  await page.goto(`${service.origin}/methodology/2026-1`);
  const directions = await page.evaluate<string[]>(
    `(document.documentElement.dir = 'rtl',
      [...document.querySelectorAll('.formula code, .formula-line')].map((each) => getComputedStyle(each).direction))`,
  );
  expect(directions.length).toBeGreaterThan(5);
  expect(new Set(directions)).toEqual(new Set(['ltr']));
  await page.close();
});

test.each(['', '/de'])('a frame of the size that %s/badges offers has room for its text', async (prefix) => {
  const page = await viewers.desk.context.newPage();
  await page.goto(`${service.origin}${prefix}/badges/alpha-markets`);
  const code = (await page.locator('.sample').allTextContents()).join();
  const [, width, height] = /<iframe .* width="(\d+)" height="(\d+)"/.exec(code) ?? [];
  await page.setViewportSize({ width: Number(width), height: Number(height) });
  await page.goto(`${service.origin}${prefix}/embed/brokers/alpha-markets`);
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(Number(height));
  await page.close();
});

const IN_FORCE = ['active', 'restricted'];
const SAID = {
  '': /<p>(?:(\d+) licences? confirmed by|No licence is confirmed)/,
  '/de': /<p>(?:(\d+) Lizenz(?:en)? vo\w+ Register\w* bestätigt|Keine Lizenz ist bestätigt)/,
} as const;

test('no frame of the demo says that more licences are confirmed than its broker has in force', async () => {
  const wrong: string[] = [];
  let read = 0;
  for await (const { slug, status } of service.client().brokers.list({ limit: 50 })) {
    if (status !== 'operating') continue;
    const { licenses, entities } = await service.client().brokers.get(slug);
    const own = licenses.filter(({ entity }) => entities.some(({ legalName }) => legalName === entity.legalName));
    const inForce = own.filter((one) => one.type === 'authorisation' && IN_FORCE.includes(one.status)).length;
    for (const [prefix, pattern] of Object.entries(SAID)) {
      const text = await (await fetch(`${service.origin}${prefix}/embed/brokers/${slug}`)).text();
      const said = pattern.exec(text);
      if (said === null || Number(said[1] ?? 0) !== inForce)
        wrong.push(`${prefix}/${slug}: ${said?.[0]}, not ${inForce}`);
      read++;
    }
  }
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(450);
});

test('the pages of the brokers with the most licences or reviews are within their budget in each language', async () => {
  const most = getBudget('/brokers/:slug').html;
  const brokers = await service.client().brokers.list({ limit: 50 }).toArray();
  const listFirst = (count: (broker: (typeof brokers)[number]) => number) =>
    brokers.toSorted((a, b) => count(b) - count(a)).slice(0, 5);
  const richest = [...listFirst((one) => one.licenseCount), ...listFirst((one) => one.ratingSummary.count)];
  for (const { slug } of richest)
    for (const [prefix, residence] of [
      ['', 'GB'],
      ['/de', 'DE'],
      ['/es', 'ES'],
    ]) {
      const path = `${prefix}/brokers/${slug}?residence=${residence}`;
      const text = await (await fetch(service.origin + path)).text();
      expect(gzipSync(text).length, path).toBeLessThanOrEqual(most);
    }
});

/** Goes on from control to control until one is reached, which has to be seen to have the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press('Tab');
    const [isThere, outline] = await page.evaluate<[boolean, string]>(
      `[document.activeElement.matches(${JSON.stringify(selector)}), getComputedStyle(document.activeElement).outlineStyle]`,
    );
    if (isThere) {
      expect(outline, 'how the focus is shown').not.toBe('none');
      return;
    }
  }
  throw new Error(`no ${selector} is reached by the keyboard on ${page.url()}`);
};

test.each(['on', 'off'] as const)(
  'a keyboard is enough to get from the search to a review, with script %s',
  async (script) => {
    const walker = await createViewer(browser, service.origin, { width: 360, scheme: 'light', script });
    const page = await walker.context.newPage();
    await page.goto(service.origin);
    await tabTo(page, 'input[type="search"]');
    await page.keyboard.type('alpha markets');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=alpha/);
    await tabTo(page, 'main a[href="/brokers/alpha-markets"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/brokers\/alpha-markets$/);
    await tabTo(page, 'a[href="/brokers/alpha-markets/reviews"]');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/reviews$/);
    expect(await page.locator('main article').count()).toBeGreaterThan(5);
    await walker.close();
  },
);
