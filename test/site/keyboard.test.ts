import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { signIn } from '../support/sign-in.ts';
import { createPolicy, type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';

const CONTENT = 'I withdrew twice this year, and both times the money came within two days.';
/** More than any page has elements that the keyboard reaches. */
const MOST_TABS = 120;

let log: LogService;
let browser: Browser;

beforeAll(async () => {
  [log, browser] = await Promise.all([startLogService(), openChromium()]);
  await importRows(log.service, 'brokers', [brokerRow('alpha-markets', { name: 'Alpha Markets' })]);
  await createToken(log.service, 'alice');
  await log.service.settle();
});
afterAll(async () => {
  await browser?.close();
  await log?.remove();
});

/** Goes to an element by the keyboard. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let tabs = 0; tabs < MOST_TABS; tabs++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) === 1) return;
  }
  throw new Error(`the keyboard does not reach ${selector} on ${page.url()}`);
};

/** Goes to an element and presses a key, which leads to another page. */
const press = async (page: Page, selector: string, key = 'Enter'): Promise<void> => {
  await tabTo(page, selector);
  await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press(key)]);
};

test('a review is written, followed and proven by the keyboard alone, without script', async () => {
  const { service, key } = log;
  const secret = (await signIn(service, 'alice')).cookies.get('session') as string;
  const context = await browser.newContext({ javaScriptEnabled: false, acceptDownloads: true });
  await context.addCookies([{ name: 'session', value: secret, url: service.origin }]);
  const page = await context.newPage();

  await page.goto(`${service.origin}/brokers/alpha-markets/reviews`);
  await press(page, 'a[href="/write/review?broker=alpha-markets"]');
  await tabTo(page, 'input[name=rating]');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, 'input[name=title]');
  await page.keyboard.type('Quick to pay out');
  await tabTo(page, 'textarea[name=content]');
  await page.keyboard.type(CONTENT);
  await press(page, 'button[value=preview]');
  await tabTo(page, 'input[name=agree]');
  await page.keyboard.press('Space');
  await press(page, 'main form[action^="/write/"] button');
  expect(await page.locator('.notice-box').textContent()).toContain('We have received your review');
  const id = /reviews\/(\w+)/.exec(page.url())?.[1] as string;
  expect(await page.locator('p.lead').textContent()).toContain('Waiting');

  succeeded(await service.cli('review', 'publish', id));
  await untilAllSigned(service);
  await page.reload();
  expect(await page.locator('p.lead').textContent()).toBe('Published');
  expect(await page.locator('.record-by strong').textContent()).toBe('4 of 5 stars');
  await tabTo(page, 'a[download]');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const file = await download.path();

  const scripted = await browser.newContext();
  const checking = await scripted.newPage();
  await checking.goto(`${service.origin}/verify`);
  await checking.fill('#keys', createPolicy(key));
  await checking.setInputFiles('#file', file);
  await checking.locator('#result.good').waitFor();
  expect(await checking.locator('#result').textContent()).toContain(CONTENT);
  await Promise.all([context.close(), scripted.close()]);
});

test('a text is counted while it is typed, where scripts run', async () => {
  const { service } = log;
  const secret = (await signIn(service, 'alice')).cookies.get('session') as string;
  const context = await browser.newContext();
  await context.addCookies([{ name: 'session', value: secret, url: service.origin }]);
  const page = await context.newPage();
  await page.goto(`${service.origin}/write/complaint?broker=alpha-markets`);
  const count = page.locator('#field-title-count');
  for (const [typed, said] of [
    ['ab', '1 to go.'],
    ['abc', '117 left.'],
    ['😀'.repeat(121), '1 too many.'],
  ] as const) {
    await page.fill('input[name=title]', typed);
    expect(await count.textContent()).toBe(said);
  }
  await context.close();
});
