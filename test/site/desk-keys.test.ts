import type { BrowserContextOptions, Page, Browser as RealBrowser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, submit, succeeded } from '../support/filled-service.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

/** Number of reviews that two people decide: `pnpm desk:reviews` takes 200. */
const REVIEWS = Number(process.env['DESK_REVIEWS'] ?? 20);
/** Keys for each review, at most. */
const KEYS = 3;
/** Time in milliseconds for all of them, on a machine that does much else. */
const PATIENCE_MS = 300_000 + REVIEWS * 5_000;
const PEOPLE = ['mo', 'ben'] as const;

let service: LocalService;
let browser: RealBrowser;
let admin: string;

const cli = async (...args: string[]): Promise<string> =>
  succeeded(await service.cliWith({ BROKER_RATING_TOKEN: admin }, ...args)).trim();

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  for (let at = 0; at < REVIEWS; at++) {
    const token = await createToken(service, `person-${at}`);
    await submit(service, '/reviews', token, reviewBody('alpha', { title: `Review number ${at}` }));
  }
  for (const name of PEOPLE) await createToken(service, `subject-${name}`);
  admin = succeeded(await service.cli('operator', 'add', 'ada', '--role', 'admin', '--quiet')).trim();
  for (const name of PEOPLE) {
    await cli('operator', 'add', name, '--role', 'moderator');
    await cli('operator', 'sign-in', name, `subject-${name}`);
  }
  browser = await openChromium();
}, PATIENCE_MS);
afterAll(async () => {
  await browser?.close();
  await service?.remove();
});

/** A person at a keyboard, whose keys are counted. */
interface Person {
  readonly page: Page;
  readonly press: (key: string) => Promise<void>;
  readonly keys: () => number;
}

const sitDown = async (name: string, how: BrowserContextOptions = {}): Promise<Person> => {
  const { cookies } = await signIn(service, `subject-${name}`);
  const context = await browser.newContext(how);
  await context.addCookies([{ name: 'session', value: cookies.get('session') ?? '', url: service.origin }]);
  const page = await context.newPage();
  await page.goto(`${service.origin}/desk?kind=review`);
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys++;
    await page.keyboard.press(key);
  };
  return { page, press, keys: () => keys };
};

/** Presses a key that leads to another page, and waits for it. */
const leave = async ({ page, press }: Person, key: string): Promise<void> => {
  const before = page.url();
  await Promise.all([page.waitForURL((url) => url.href !== before), press(key)]);
};

/** Decides one review after the other by keys, until the inbox comes back. Every third one is rejected. */
const workThrough = async (person: Person): Promise<void> => {
  await leave(person, 'n');
  for (let at = 0; person.page.url().includes('/desk/case/'); at++) {
    if (at % 3 === 2) await person.press('4');
    await leave(person, at % 3 === 2 ? 'r' : 'p');
  }
};

test(
  `${REVIEWS} reviews are decided by two people at once, with at most ${KEYS} keys each, and none of them twice`,
  async () => {
    const people = await Promise.all(PEOPLE.map((name) => sitDown(name)));
    await Promise.all(people.map(workThrough));
    const keys = people.reduce((sum, person) => sum + person.keys(), 0);
    expect(keys).toBeLessThanOrEqual(KEYS * REVIEWS);
    await inDatabase(service, (db) =>
      db.collection('heldDecisions').updateMany({}, { $set: { heldAt: new Date(Date.now() - 61_000) } }),
    );
    await cli('admin', 'job', 'run', 'held-decisions');
    const decisions = await inDatabase(service, (db) =>
      db.collection<{ reviewId: string; decidedBy: string }>('moderationDecisions').find().toArray(),
    );
    expect(decisions).toHaveLength(REVIEWS);
    expect(new Set(decisions.map(({ reviewId }) => reviewId)).size).toBe(REVIEWS);
    expect(new Set(decisions.map(({ decidedBy }) => decidedBy))).toEqual(new Set(['operator:mo', 'operator:ben']));
    console.log(`${REVIEWS} reviews, ${keys} keys`);
  },
  PATIENCE_MS,
);

test('a page that is left gives its case back', async () => {
  const author = await cli(
    'token',
    'create',
    '--subject',
    'latecomer',
    '--kyc',
    'verified',
    '--scope',
    'reviews:write',
    '--quiet',
  );
  await submit(service, '/reviews', author, reviewBody('alpha'));
  const [first, second] = await Promise.all(PEOPLE.map((name) => sitDown(name)));
  if (!first || !second) throw new Error('nobody sits there');
  await leave(first, 'n');
  await second.page.reload();
  expect(await second.page.locator('.desk-who').last().textContent()).toContain('mo has it until');
  await first.page.goto(`${service.origin}/desk`);
  await until('the case is free', 30_000, async () => {
    await second.page.reload();
    return (await second.page.locator('.desk-who').last().textContent()) === 'nobody has it';
  });
});

test('Tab and Enter alone are enough to decide without script', async () => {
  const person = await sitDown('ben', { javaScriptEnabled: false });
  const { page, press } = person;
  const focus = async (label: string): Promise<void> => {
    for (let at = 0; at < 60; at++) {
      await press('Tab');
      if ((await page.locator(':focus').textContent())?.includes(label)) return;
    }
    throw new Error(`no Tab leads to "${label}"`);
  };
  await focus('Work on the next');
  await leave(person, 'Enter');
  expect(page.url()).toContain('/desk/case/review/');
  await focus('Publish');
  await leave(person, 'Enter');
  expect(page.url()).toContain('/desk?kind=review');
  expect(await page.locator('.desk-held').textContent()).toContain('Your last decision, publish');
});
