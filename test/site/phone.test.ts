import type { BrokerDetail } from '@broker-transparency/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { startDemoService } from '../support/demo-service.ts';
import type { LocalService } from '../support/service.ts';

const PHONE = { width: 360, height: 640 };
const MOST_SCREENS = 6;
/** Brokers of each kind that are looked at: those with the most to say. */
const LOOKED_AT = 3;

const isOperating = ({ status }: BrokerDetail): boolean => status === 'operating';
const isWarned = ({ warnings }: BrokerDetail): boolean => warnings.length > 0;

const KINDS: Readonly<Record<string, (broker: BrokerDetail) => boolean>> = {
  good: (broker) => isOperating(broker) && broker.score.color === 'green',
  warned: (broker) => isOperating(broker) && isWarned(broker),
  clone: ({ status }) => status === 'suspected_clone',
  unconfirmed: (broker) => isOperating(broker) && broker.licenseCounts.confirmed === 0,
  unrated: ({ score }) => score.value === null,
};

let service: LocalService;
let browser: Browser;
let page: Page;
let brokers: BrokerDetail[];

beforeAll(async () => {
  [service, browser] = await Promise.all([startDemoService({ LOG_LEVEL: 'error' }), openChromium()]);
  const client = service.client();
  brokers = [];
  for await (const { slug } of client.brokers.list({ limit: 50 })) brokers.push(await client.brokers.get(slug));
  page = await browser.newPage({ viewport: PHONE });
});
afterAll(async () => {
  await browser?.close();
  await service?.remove();
});

const countFacts = ({ licenses, warnings, entities }: BrokerDetail): number =>
  licenses.length + 2 * warnings.length + entities.length;

/** Returns the brokers of a kind that have the most to say before their reviews. */
const choose = (kind: string): BrokerDetail[] =>
  brokers
    .filter((broker) => KINDS[kind]?.(broker))
    .toSorted((a, b) => countFacts(b) - countFacts(a))
    .slice(0, LOOKED_AT);

test.each(Object.keys(KINDS))(
  'the reviews of a broker that is %s begin within six screens of a phone',
  async (kind) => {
    const found = choose(kind);
    expect(found).toHaveLength(LOOKED_AT);
    for (const { slug } of found)
      for (const prefix of ['', '/de']) {
        await page.goto(`${service.origin}${prefix}/brokers/${slug}`);
        const top = await page.evaluate<number>(
          'document.querySelector("#reviews h2").getBoundingClientRect().bottom + scrollY',
        );
        expect(top, `${prefix}/brokers/${slug}`).toBeLessThanOrEqual(MOST_SCREENS * PHONE.height);
      }
  },
);

test('no table of a broker is cut on a phone, and a disclosure has the width of the page', async () => {
  for (const { slug } of Object.keys(KINDS).flatMap(choose)) {
    await page.goto(`${service.origin}/brokers/${slug}`);
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main table, main .table')].filter((each) =>
        each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.textContent.trim().slice(0, 60))`,
    );
    expect(cut, slug).toEqual([]);
    const narrow = await page.evaluate<number>(
      `Math.min(...[...document.querySelectorAll('.disclosed tbody th')].map((each) => each.getBoundingClientRect().width))`,
    );
    expect(narrow, slug).toBeGreaterThan(300);
  }
});

test.each(['', '?color=red&warnings=standing', '?country=MT&color=red'])(
  'the list of brokers%s has its filters folded on a phone, and open on a desk, without script',
  async (query) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const list = await context.newPage();
    await list.setViewportSize(PHONE);
    await list.goto(`${service.origin}/brokers${query}`);
    const isEmpty = (await list.locator('.nothing').count()) === 1;
    expect(await list.getByLabel('Country of the firm').isVisible()).toBe(isEmpty);
    const top = (await list.locator('.brokers caption, .nothing').boundingBox())?.y ?? 0;
    if (!isEmpty) expect(top).toBeLessThan(PHONE.height);
    const named = await list.locator('summary li').allTextContents();
    expect(named).toEqual(query.includes('standing') ? ['Rating: Poor', 'Warnings: one about the firm stands'] : named);
    expect(named).toHaveLength([...new URLSearchParams(query)].length);
    await list.setViewportSize({ width: 1280, height: 800 });
    expect(await list.getByLabel('Country of the firm').isVisible()).toBe(true);
    expect(await list.locator('main summary').isVisible()).toBe(false);
    await context.close();
  },
);

test('the score of a part of the time is shown by the keyboard, and leads to that day', async () => {
  await page.goto(`${service.origin}/brokers/alpha-markets/history`);
  const slots = page.locator('.chart-slots a');
  expect(await slots.count()).toBe(8);
  const tip = slots.nth(3).locator('.chart-tip');
  const readOpacity = () =>
    page.evaluate<string>('getComputedStyle(document.querySelectorAll(".chart-tip")[3]).opacity');
  expect(await readOpacity()).toBe('0');
  await slots.nth(2).focus();
  await page.keyboard.press('Tab');
  expect(await readOpacity()).toBe('1');
  expect(await tip.textContent()).toMatch(/\d{4} to .*\d{4}: \d+\.\d/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/history\?on=\d{4}-\d{2}-\d{2}#on$/);
  expect(await page.locator('.lead').textContent()).toMatch(/\d+\.\d (Good|Mixed|Poor)/);
});
