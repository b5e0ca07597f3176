/**
 * Does what a new visitor wants to do, from the first page of a demo on: `pnpm site:tasks`. It prints the clicks, the
 * typed letters and the seconds until the answer shows, and ends with 1 if a task cannot be done. Seconds are those in
 * which a person would wait: nobody thinks or reads in them.
 */
import { freePort } from '@broker-transparency/embedded-mongo/port';
import type { Browser, Locator, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { succeeded } from '../support/filled-service.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 60_000;
const CONTENT = 'I withdrew twice this year, and both times the money came within two days.';

/** A visitor who counts what they do. */
interface Visitor {
  readonly page: Page;
  readonly click: (where: Locator) => Promise<void>;
  readonly type: (where: Locator, text: string) => Promise<void>;
  readonly choose: (where: Locator, value: string) => Promise<void>;
  readonly link: (name: string | RegExp) => Locator;
  readonly button: (name: string | RegExp) => Locator;
  readonly field: (label: string | RegExp) => Locator;
  /** Waits until a text shows. */
  readonly see: (text: string | RegExp) => Promise<void>;
  /** Opens the newest link of a mail, which costs a click. */
  readonly openMail: (address: string, link: RegExp) => Promise<void>;
  readonly count: { clicks: number; letters: number };
}

const visit = async (browser: Browser, origin: string, inbox: MailServer): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  await page.goto(origin);
  const count = { clicks: 0, letters: 0 };
  const main = page.locator('body');
  return {
    page,
    count,
    click: async (where) => {
      count.clicks++;
      await where.first().click();
    },
    type: async (where, text) => {
      count.letters += text.length;
      await where.first().pressSequentially(text);
    },
    choose: async (where, value) => {
      count.clicks++;
      await where.first().selectOption({ value });
    },
    link: (name) => main.getByRole('link', { name, exact: typeof name === 'string' }),
    button: (name) => main.getByRole('button', { name, exact: typeof name === 'string' }),
    field: (label) => main.getByLabel(label),
    see: async (text) => {
      await main.getByText(text).first().waitFor();
    },
    openMail: async (address, link) => {
      const path = await until(`a mail to ${address}`, PATIENCE_MS, async () =>
        inbox
          .to(address)
          .flatMap(({ text }) => link.exec(text)?.[1] ?? [])
          .at(-1),
      );
      count.clicks++;
      await page.goto(origin + path);
    },
  };
};

/** Finds a broker by the search of the first page. */
const findBroker = async ({ page, type, click }: Visitor, text: string, name: string): Promise<void> => {
  const field = page.locator('main input[type="search"]');
  await type(field, text);
  await click(page.getByRole('option').filter({ hasText: name }));
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

const ADDRESS = 'nina@mail.example';
const REVIEWER = 'otto@mail.example';

/** Does what the provider of identities does, and costs the visitor no click here. */
const verifyIdentity = async (service: ServiceProcess, address: string): Promise<void> => {
  succeeded(await service.cli('account', 'kyc', `mail:${address}`, 'verified', '--actor', 'maria'));
};

const signIn = async (visitor: Visitor, address: string): Promise<void> => {
  await visitor.type(visitor.page.locator('input[type="email"]'), address);
  await visitor.click(visitor.page.locator('form:has(input[type="email"]) button'));
  await visitor.openMail(address, /(\/sign-in\/link\/\S+)/);
  await visitor.click(visitor.page.locator('main form button').last());
};

/** Each task as people say it, and how it is done. Returns the answer that the visitor found. */
const TASKS: readonly (readonly [task: string, run: (visitor: Visitor, service: ServiceProcess) => Promise<string>])[] =
  [
    [
      'a broker by a misspelt name',
      async (visitor) => {
        await findBroker(visitor, 'alhpamarkets', 'Alpha Markets');
        return 'the page of Alpha Markets';
      },
    ],
    [
      'with which company I sign, living in Germany',
      async ({ page, click, choose, link, button, field, see }) => {
        await click(link('Brokers'));
        await choose(field('Confirmed for clients who live in'), 'DE');
        await click(button(/^Show/));
        await click(page.locator('main table th a'));
        await see(/Clients in Germany sign with/);
        return String(
          await page
            .getByText(/Clients in Germany sign with/)
            .first()
            .textContent(),
        ).trim();
      },
    ],
    [
      'what happened at a firm in the last year',
      async (visitor) => {
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await visitor.click(visitor.link('Every change with its cause'));
        return `${await visitor.page.locator('main ol li, main article').count()} events, each with its cause`;
      },
    ],
    [
      'two brokers side by side',
      async (visitor) => {
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await visitor.click(visitor.link('Compare with another broker'));
        await visitor.type(visitor.field('Second broker'), 'gorsetarn trad');
        await visitor.click(visitor.page.getByRole('option').filter({ hasText: 'Gorsetarn Trading' }));
        await visitor.click(visitor.button('Compare'));
        await visitor.see('too close to call');
        return 'too close to call';
      },
    ],
    [
      'a suspicious address',
      async ({ page, click, type, link, see }) => {
        await click(link('Clone check'));
        await type(page.locator('main form input'), 'alpha-rnarkets.example');
        await click(page.locator('main form button'));
        await see(/It may be a clone/);
        return String(
          await page
            .getByText(/It may be a clone/)
            .first()
            .textContent(),
        ).trim();
      },
    ],
    [
      'a complaint about a broker',
      async (visitor) => {
        const { page, click, type, choose, link, button, field, see } = visitor;
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await click(link('Complain about this broker'));
        await click(link('Sign in to write'));
        await signIn(visitor, ADDRESS);
        await type(field('In a few words'), 'My payout waits');
        await type(field('What happened'), CONTENT);
        await choose(field('What is it about?'), 'withdrawal');
        await click(page.getByRole('radio', { name: 'No', exact: true }));
        await click(button('Look at it before sending'));
        await click(page.locator('main input[type="checkbox"]'));
        await click(button(/^Send/));
        await see('We have received your complaint');
        return 'received';
      },
    ],
    [
      'a review of a broker, once the identity is verified',
      async (visitor, service) => {
        const { page, click, type, link, button, field, see } = visitor;
        await click(link('My page'));
        await signIn(visitor, REVIEWER);
        await page.waitForURL(/\/mine$/);
        await verifyIdentity(service, REVIEWER);
        await page.goto(service.origin);
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await click(link('Write a review'));
        await click(field('4 stars: good'));
        await type(field('In a few words'), 'Paid out at once');
        await type(field('What happened'), CONTENT);
        await click(button('Look at it before sending'));
        await click(page.locator('main input[type="checkbox"]'));
        await click(button(/^Send/));
        await see('We have received your review');
        return 'received';
      },
    ],
    [
      'who runs the site, and how to reach them',
      async ({ page, click, link }) => {
        await click(link('Contact'));
        return String(await page.locator('main a[href^="mailto:"]').first().textContent());
      },
    ],
    [
      'a badge for my site',
      async (visitor) => {
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await visitor.click(visitor.link(/^Show this on another site/));
        return String(await visitor.page.locator('.sample').first().textContent()).slice(0, 60);
      },
    ],
    [
      'a first call of the API',
      async ({ page, click, link }) => {
        await click(link('Docs'));
        const [, address = ''] = /curl "([^"]+)"/.exec((await page.locator('main').textContent()) ?? '') ?? [];
        return `${(await fetch(address)).status} from ${address}`;
      },
    ],
    [
      'mail when something happens at a broker',
      async (visitor) => {
        await findBroker(visitor, 'alpha markets', 'Alpha Markets');
        await visitor.click(visitor.link('Follow by mail'));
        await visitor.type(visitor.page.locator('main input[type="email"]'), ADDRESS);
        await visitor.click(visitor.page.locator('main form:has(input[type="email"]) button'));
        await visitor.openMail(ADDRESS, /(\/follow\/\S+)/);
        await visitor.click(visitor.page.locator('main form button'));
        return String(await visitor.page.locator('main h1').textContent());
      },
    ],
  ];

const cut = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 90);

const port = await freePort();
const inbox = await startMailServer();
const service = await startProcess(
  {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    JOBS: 'on',
    LOG_LEVEL: 'error',
  },
  ['--demo'],
);
const browser = await openChromium();
let isWhole = true;
try {
  await until('the demo is whole', 900_000, async () => service.output().includes('Try:'));
  console.log('| task | clicks | letters | seconds | answer |\n|---|---|---|---|---|');
  for (const [task, run] of TASKS) {
    const visitor = await visit(browser, service.origin, inbox);
    const begun = performance.now();
    const answer = await run(visitor, service).catch((error: unknown) => {
      isWhole = false;
      return `IMPOSSIBLE at ${visitor.page.url()}: ${String(error)}`;
    });
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const { clicks, letters } = visitor.count;
    console.log(`| ${task} | ${clicks} | ${letters} | ${seconds} | ${cut(answer)} |`);
    await visitor.page.context().close();
  }
} finally {
  await browser.close();
  await service.remove();
  await inbox.close();
}
process.exitCode = isWhole ? 0 : 1;
