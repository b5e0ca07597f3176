import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import type { Service } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { type LogService, newLogKey, startLogService, type TestKey, untilAllSigned } from '../support/signed-log.ts';

const SLUG = 'alpha-markets';
const PATH = `/brokers/${SLUG}/proof`;

let log: LogService;
let service: Service;
let key: TestKey;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  [log, browser] = await Promise.all([startLogService(), openChromium()]);
  ({ service, key } = log);
  await importRows(service, 'brokers', [brokerRow(SLUG), brokerRow('former-name')]);
  succeeded(await service.cliWith({ CLOCK: '+1d' }, 'admin', 'job', 'run', 'record-day'));
  succeeded(await service.cli('broker', 'rename', 'former-name', 'latter-name'));
  await untilAllSigned(service);
  page = await browser.newPage({ viewport: { width: 360, height: 640 } });
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
});
afterAll(async () => {
  await browser?.close();
  await log?.remove();
});

/** Keeps a picture where somebody asks for some. */
const shot = async (name: string): Promise<void> => {
  const folder = process.env['SITE_SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

const open = (path: string) => page.goto(`${service.origin}${path}`);
const locatePart = (script: string) => page.locator(`.check-part:has(form[data-script*="${script}"])`);

/** Presses the button of a form, and returns what is said of it. */
const ask = async (script: string): Promise<{ readonly verdict: string; readonly details: string }> => {
  const part = locatePart(script);
  await part.getByRole('button').click();
  await part.locator('[data-part="verdict"] .outcome').first().waitFor();
  const text = async (name: string): Promise<string> =>
    (await part.locator(`[data-part="${name}"]`).textContent()) ?? '';
  return { verdict: await text('verdict'), details: await text('details') };
};

describe('the proof page of a broker', () => {
  test('the proof page of a broker says how to check without a script, and shows nothing that does not work', async () => {
    const { text } = await send(`${service.origin}${PATH}`, { headers: { Accept: 'text/html' } });
    expect(text.match(/<form hidden data-script/g)).toHaveLength(2);
    expect(text).toContain(`npx @broker-transparency/client check ${SLUG} --base-url http`);
    expect(text).toContain('<noscript><p>Your browser runs no scripts');
    expect(text).toContain('href="/verify"');
    expect(text).toContain(`/methodology/2026-1?broker=${SLUG}`);
  });

  test('the page of the broker leads to it in one line, and the page of a former name to the current one', async () => {
    const { text } = await send(`${service.origin}/brokers/${SLUG}`, { headers: { Accept: 'text/html' } });
    expect(text).toContain(`<a href="${PATH}">Recompute it and verify its proof</a>`);
    expect(text).not.toContain('<form hidden data-script');
    const moved = await send(`${service.origin}/de/brokers/former-name/proof`, { headers: { Accept: 'text/html' } });
    expect([moved.status, moved.headers['location']]).toEqual([308, '/de/brokers/latter-name/proof']);
  });

  test('recomputes its rating in the browser, and finds it equal', async () => {
    await open(PATH);
    const { verdict, details } = await ask('check-rating');
    expect(verdict).toMatch(/^Equal: .*\.\d+ numbers compared, and all agree\./);
    const { score } = await service.client().brokers.get(SLUG);
    expect(details).toContain(`${score.value?.toFixed(1)} of 100`);
    await shot('check-equal-360');
  });

  test('says unmistakably that an answer that somebody changed is not equal', async () => {
    const address = `**/api/v1/brokers/${SLUG}`;
    await page.route(address, async (route) => {
      const answer = await route.fetch();
      const broker = (await answer.json()) as { score: { value: number } };
      broker.score.value = 99.9;
      await route.fulfill({ response: answer, json: broker });
    });
    const { verdict, details } = await ask('check-rating');
    expect(verdict).toContain('THIS PAGE SAYS');
    expect(verdict).toContain('NOT EQUAL');
    expect(details).toMatch(/value99\.9\d/);
    await shot('check-different-360');
    await page.unroute(address);
  });

  test('verifies the proof by the key of the service, and says what that does not show', async () => {
    const { verdict, details } = await ask('prove');
    expect(verdict).toMatch(/^Whole, by the key that this service names itself/);
    expect(details).toContain(key.verifierKey);
    expect(details).toContain('Whoever could forge one could forge the other');
    await shot('prove-whole-360');
  });

  test('verifies it by the reader’s key, and refuses it by another one', async () => {
    const field = page.getByLabel(/^Key of the log/);
    await field.fill(key.verifierKey);
    const { verdict, details } = await ask('prove');
    expect(verdict).toMatch(/^Proven, by the key that you gave/);
    expect(details).not.toContain('Whoever could forge');
    const other = await newLogKey(log.scratch, 'other.key');
    await field.fill(other.verifierKey);
    expect((await ask('prove')).verdict).toMatch(/^NOT PROVEN/);
    await field.fill('no key');
    expect((await ask('prove')).verdict).toMatch(/^The key cannot be read/);
    await field.fill('');
  });

  test('says which score a proof is about where the page has another one', async () => {
    const { value } = (await service.client().brokers.get(SLUG)).score;
    await page.evaluate('document.querySelector("form[data-script*=prove]").dataset.value = "99.9"');
    const { verdict } = await ask('prove');
    expect(verdict).toContain(`: ${value?.toFixed(1)}, `);
    expect(verdict).toContain('This page has another score');
    await open(PATH);
    expect((await ask('prove')).verdict).not.toContain('This page has another score');
  });

  test('the check of a broker that is not published any more names the 404, and finds no difference', async () => {
    const address = `**/api/v1/brokers/${SLUG}`;
    await page.route(address, (route) => route.fulfill({ status: 404, json: { code: 'broker_not_found' } }));
    const { verdict } = await ask('check-rating');
    expect(verdict).toMatch(/answers 404/);
    expect(verdict).not.toContain('NOT EQUAL');
    await page.unroute(address);
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('404')));
  });

  test('the page of a renamed broker verifies the proof of its former name, and says so', async () => {
    await open('/brokers/latter-name/proof');
    const { verdict } = await ask('prove');
    expect(verdict).toMatch(/^Whole, by the key/);
    expect(verdict).toContain('“former-name”, a former name');
    await open(PATH);
  });

  test('refuses a proof that somebody changed', async () => {
    const address = `**/brokers/${SLUG}/proof`;
    await page.route(address, async (route) => {
      const answer = await route.fetch();
      const { proof, ...rest } = (await answer.json()) as { proof: string };
      const forged = proof.replace(/^index \d+/m, 'index 1');
      await route.fulfill({ response: answer, json: { ...rest, proof: forged } });
    });
    expect((await ask('prove')).verdict).toMatch(/^NOT PROVEN/);
    await page.unroute(address);
  });
});

describe('the methodology', () => {
  test('computes its example on the server, and the same in the browser as inputs move', async () => {
    const moved = { closed: '50', warning: 'unchecked', count: '500' };
    await open('/methodology/2026-1');
    await page.locator('form[data-ready]').waitFor();
    expect(await page.locator('[data-part="value"]').textContent()).toBe('82.0 Good');
    await page.getByLabel('Closed or overdue').fill(moved.closed);
    await page.getByLabel('Number of reviews').fill(moved.count);
    await page.getByLabel('Warning of an authority').selectOption(moved.warning);
    const [value, steps] = [page.locator('[data-part="value"]'), page.locator('[data-part="steps"]')];
    expect(await value.textContent()).toBe('19.0 Poor');
    expect(new URL(page.url()).search).toBe(`?count=500&closed=50&warning=unchecked`);
    await shot('methodology-360');
    const [here, html] = [await steps.innerHTML(), (await send(page.url())).text];
    const there = await page.evaluate<string>(
      `new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').querySelector('[data-part="steps"]').innerHTML`,
    );
    expect(here).toBe(there);
  });

  test('starts from a broker’s published facts', async () => {
    const { score, name } = await service.client().brokers.get(SLUG);
    const { text } = await send(`${service.origin}/methodology/2026-1?broker=${SLUG}`);
    const value = score.value?.toFixed(1);
    expect(text).toContain(`published facts of \u2068${name}\u2069.`);
    expect(text).not.toContain('This is not the rating of the broker');
    const moved = await send(`${service.origin}/methodology/2026-1?broker=${SLUG}&count=50000&stars=5`);
    expect(moved.text).toMatch(/data-part="value">.*This is not the rating of the broker/);
    expect((await send(`${service.origin}/methodology/2026-1?stars=5`)).text).not.toContain('not the rating of the');
    expect(text).toMatch(new RegExp(`<strong class="live-value rated-${score.color}">${value}</strong>`));
  });

  test.each(['/methodology', '/methodology/2026-1', '/de/methodology/2026-1?met=x&years=999'])(
    'the methodology answers %s',
    async (path) => {
      const { status, text } = await send(`${service.origin}${path}`);
      expect(status).toBe(200);
      expect(text.match(/<h1/g)).toHaveLength(1);
      expect(text).not.toMatch(/undefined|NaN|\[object/);
    },
  );

  test('the methodology answers 404 for a version never published, and for an unknown broker', async () => {
    expect((await send(`${service.origin}/methodology/2125-1`)).status).toBe(404);
    expect((await send(`${service.origin}/methodology/2026-1?broker=nobody`)).status).toBe(404);
  });
});

test('nothing was refused by the policy of the pages, and nothing failed', () => {
  expect(faults).toEqual([]);
});
