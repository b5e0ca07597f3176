/**
 * Opens every page of the site in Chromium, with letters of Arabic and Japanese: `pnpm site:browser`. Three widths,
 * light and dark, with and without script; 200 % zoom, text of twice the size, paper; a person who browses on a server
 * with its default budget, and one who has used it up; and the database away. Ends with 1 if a page has a fault.
 * `SITE_SHOTS=DIR` keeps pictures, `--only=PATH` looks at one page.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { importRows } from '../support/filled-service.ts';
import { type LockedMongo, startLockedMongo } from '../support/locked-mongo.ts';
import { type ServiceProcess, type Settings, startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { ADDRESSES, ERRORS, MAIL } from './addresses.ts';
import { getBudget } from './budgets.ts';
import { HOSTILE_BROKERS, HOSTILE_NEWS, HOSTILE_REVIEWS } from './hostile.ts';
import { siteTools } from './tools.ts';
import { axeFaults, createViewer, type View } from './viewer.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const SHOTS = process.env['SITE_SHOTS'];
const WIDTHS = [360, 768, 1280];
const VISITS = [
  ...Object.entries(ADDRESSES).flatMap(([template, paths]) =>
    paths.map((path) => ({ path, status: 200, budget: getBudget(template) })),
  ),
  ...Object.entries(ERRORS).map(([path, status]) => ({ path, status, budget: getBudget('') })),
].filter(({ path }) => values.only === undefined || path === values.only);

/** Starts a demo that has the pages of followers. */
const startDemo = async (settings: Settings): Promise<ServiceProcess> => {
  const port = String(await freePort());
  const address = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
  return startProcess({ ...MAIL, ...address, LOG_LEVEL: 'error', ...settings }, ['--demo']);
};

const faults = new Set<string>();
let looks = 0;

/** Chromium draws no larger pictures in the memory that it has here. */
const MOST_HEIGHT = 8000;

const shot = async (page: Page, path: string, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  const file = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home';
  const [width = 0, height = 0] = await page.evaluate<number[]>(
    '[document.documentElement.clientWidth, document.documentElement.scrollHeight]',
  );
  const clip = { x: 0, y: 0, width, height: Math.min(height, MOST_HEIGHT) };
  await page.screenshot({ path: join(SHOTS, `${file}-${name}.png`), fullPage: true, clip });
};

/** Looks at all pages in one view. */
const lookIn = async (browser: Browser, origin: string, view: View, name: string, more?: typeof axeFaults) => {
  const viewer = await createViewer(browser, origin, view);
  for (const visit of VISITS) {
    const found = await viewer.visit(visit, async (page) => {
      await shot(page, visit.path, name);
      return more ? more(page) : [];
    });
    looks++;
    for (const fault of found) faults.add(`${name}: ${fault}`);
  }
  await viewer.close();
};

/** Text of twice the size, by a reader's settings: queries of the style in rem follow them. */
const checkLargeText = async (page: Page): Promise<string[]> => {
  const settings = await page.context().newCDPSession(page);
  await settings.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  await shot(page, new URL(page.url()).pathname, 'large-text');
  return width > 1280 ? [`${width} px wide with text of twice the size`] : [];
};

/** Paper has everything that can be unfolded, in black on white. */
const paper = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await shot(page, new URL(page.url()).pathname, 'print');
  return page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('main details')].filter((each) => each.checkVisibility() && each.lastElementChild.offsetHeight === 0)
      .map((each) => 'folded on paper: ' + each.textContent.trim().slice(0, 40)),
    ...(getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' ? [] : ['paper is not white']),
  ]`);
};

const inGray = async (page: Page): Promise<string[]> => {
  await page.evaluate("document.documentElement.style.filter = 'grayscale(1)'");
  await shot(page, new URL(page.url()).pathname, 'gray');
  return [];
};

const lookAtAll = async (browser: Browser, origin: string): Promise<void> => {
  for (const width of WIDTHS)
    for (const scheme of ['light', 'dark'] as const)
      for (const script of ['on', 'off'] as const) {
        const name = `${width}-${scheme}${script === 'off' ? '-no-script' : ''}`;
        await lookIn(browser, origin, { width, scheme, script }, name, script === 'on' ? axeFaults : undefined);
      }
  await lookIn(browser, origin, { width: 640, scheme: 'light', script: 'on' }, 'zoom-200');
  await lookIn(browser, origin, { width: 1280, scheme: 'light', script: 'on' }, 'large-text', checkLargeText);
  await lookIn(browser, origin, { width: 1280, scheme: 'light', script: 'on' }, 'gray', inGray);
  await lookIn(browser, origin, { width: 800, scheme: 'light', script: 'on' }, 'print', paper);
};

const BROWSED = 20;
/** More than the budget of a minute. */
const TOO_MANY = 3000;

/** A person reads pages with their files within a minute, then a program reads on until it is refused. */
const lookAtBudget = async (browser: Browser): Promise<void> => {
  const service = await startDemo({ PUBLIC_RATE_LIMIT: undefined });
  try {
    const viewer = await createViewer(browser, service.origin, { width: 360, scheme: 'light', script: 'on' });
    const pages = VISITS.filter(({ path, status }) => status === 200 && !/hostile/.test(path));
    for (let at = 0; at < BROWSED; at++) {
      const visit = pages[at % pages.length] as (typeof pages)[number];
      for (const fault of await viewer.visit(visit)) faults.add(`page ${at + 1} of a person: ${fault}`);
    }
    let [status, more] = [200, 0];
    while (status === 200 && more++ < TOO_MANY)
      ({ status } = await fetch(service.origin, { headers: { Accept: 'text/html' } }));
    console.log(`a person reads ${BROWSED} pages with their files; after ${more} more: ${status}`);
    const refused = { path: '/?again', status: 429, budget: getBudget('') }; // Chromium keeps `/` for half a minute
    const found = await viewer.visit(refused, async (page) => {
      await shot(page, '/', '429');
      return axeFaults(page);
    });
    for (const fault of found) faults.add(`429: ${fault}`);
    await viewer.close();
  } finally {
    await service.remove();
  }
};

/** Pages that are ready go on and say how old they are; another one says that it cannot be read. */
const lookWithoutDatabase = async (browser: Browser, service: ServiceProcess, mongo: LockedMongo): Promise<void> => {
  const ready = VISITS.filter(({ status }) => status === 200);
  await mongo.stop();
  const viewer = await createViewer(browser, service.origin, { width: 360, scheme: 'light', script: 'off' });
  const unread = { path: '/brokers/never-read-before', status: 503, budget: getBudget('') };
  await until('the service notices', 60_000, async () => (await fetch(service.origin + unread.path)).status === 503);
  for (const visit of ready) {
    const found = await viewer.visit(visit, async (page) => {
      await shot(page, visit.path, 'database-away');
      const said = await page.locator('.old, .site-footer p').allTextContents();
      return visit.path.startsWith('/embed') || /\d{4}, \d/.test(said.join(' ')) ? [] : ['hides its age'];
    });
    for (const fault of found) faults.add(`database away: ${fault}`);
  }
  const found = await viewer.visit(unread, async (page) => {
    await shot(page, '/', '503');
    return [];
  });
  for (const fault of found) faults.add(`503: ${fault}`);
  await viewer.close();
};

if (SHOTS !== undefined) await mkdir(SHOTS, { recursive: true });
const { environment } = await siteTools();
const mongo = await startLockedMongo([]);
const service = await startDemo({ MONGODB_URL: mongo.url() });
const browser = await openChromium(environment);
try {
  await importRows(service, 'brokers', HOSTILE_BROKERS);
  await importRows(service, 'reviews', HOSTILE_REVIEWS);
  await importRows(service, 'news', HOSTILE_NEWS);
  await lookAtAll(browser, service.origin);
  if (values.only === undefined) {
    await lookAtBudget(browser);
    await lookWithoutDatabase(browser, service, mongo);
  }
  console.log(`Chromium ${browser.version()}, ${VISITS.length} addresses, ${looks} views`);
  for (const fault of faults) console.log(fault);
  if (faults.size > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await service.remove();
  await mongo.stop();
}
