/** People take part in a real browser with the keyboard alone and without script, from the sign-in to the proof. */
import { readFile } from 'node:fs/promises';
import { verifyReview } from '@broker-transparency/client/verify';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import type { Page, Browser as RealBrowser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

const CONTENT = 'I withdrew twice this year, and both times the money came within two days.';
const NOTE = 'The text tells of another company and its address.';
const APPEAL = 'The text is about this broker alone: it names no other company anywhere.';
/** The most presses of Tab that lead to an element of a page. */
const MOST_TABS = 120;

let scratch: Scratch;
let inbox: MailServer;
let provider: OidcProvider;
let key: TestKey;
let service: LocalService;
let browser: RealBrowser;
let admin: string;

const cli = async (...args: string[]): Promise<string> =>
  succeeded(await service.cliWith({ BROKER_RATING_TOKEN: admin }, ...args)).trim();

beforeAll(async () => {
  scratch = await createScratch();
  [inbox, provider, key] = await Promise.all([startMailServer(), startOidcProvider(), newLogKey(scratch, 'log.key')]);
  const port = await freePort();
  service = await startService({
    ...provider.settings,
    LOG_KEY: key.file,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    JOBS: 'on',
  });
  provider.serve(service.origin);
  await importRows(service, 'brokers', [brokerRow('alpha', { name: 'Alpha Markets' })]);
  admin = succeeded(await service.cli('operator', 'add', 'ada', '--role', 'admin', '--quiet')).trim();
  await cli('operator', 'add', 'mo', '--role', 'moderator');
  for (const name of ['anna', 'mo']) await cli('account', 'kyc', `${provider.issuer}#${name}`, 'verified');
  await cli('operator', 'sign-in', 'mo', `${provider.issuer}#mo`);
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.remove();
  await Promise.all([provider?.close(), inbox?.close(), scratch?.remove()]);
});

/** Opens a browser of somebody who has no mouse and no script. */
const sitDown = async (): Promise<Page> =>
  (await browser.newContext({ javaScriptEnabled: false, acceptDownloads: true })).newPage();

/** Returns the role and the name by which a screen reader tells the element that has the focus. */
const nameFocus = async (page: Page): Promise<string> => {
  const focused = page.locator(':focus');
  if ((await focused.count()) === 0) return '';
  const [first = ''] = (await focused.ariaSnapshot()).split('\n');
  return first.replace(/^- '?/, '');
};

/** Moves the focus to the next element that is told like this, such as `link "Docs"`. */
const tabTo = async (page: Page, told: string): Promise<void> => {
  const passed: string[] = [];
  for (let nth = 0; nth < MOST_TABS; nth++) {
    await page.keyboard.press('Tab');
    const found = await nameFocus(page);
    if (found.startsWith(told)) return;
    passed.push(found);
  }
  throw new Error(`no Tab at ${page.url()} leads to ${told}, but to: ${passed.join(' | ')}\n${await read(page)}`);
};

/** Moves to a link or a button, presses Enter, and waits for the page that it leads to. */
const follow = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name);
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
};

/** Moves to a field, and types. */
const type = async (page: Page, name: string, text: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.type(text);
};

const tick = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Space');
};

const read = async (page: Page): Promise<string> => (await page.locator('body').textContent()) ?? '';

/** Signs in at the provider's own pages. */
const signIn = async (page: Page, name: string): Promise<void> => {
  await follow(page, 'link "Go to the sign-in"');
  await type(page, 'textbox "Enter any login', name);
  await type(page, 'textbox "and password', 'any');
  await follow(page, 'button "Sign-in"');
  await follow(page, 'button "Continue"');
};

const mailAbout = (address: string, subject: string): Promise<string> =>
  until(`a mail to ${address}: ${subject}`, 30_000, async () => {
    await service.settle();
    return inbox.to(address).find((mail) => mail.subject.includes(subject))?.text;
  });

/** Returns the first address of the service in a mail. */
const findLink = (text: string): string => {
  const link = text.split(/\s/).find((word) => word.startsWith(`${service.origin}/`));
  if (link === undefined) throw new Error(`no link in ${text}`);
  return link;
};

/** Writes the decisions of the desk that can still be taken back, as if a minute had gone by. */
const writeHeld = async (): Promise<void> => {
  await inDatabase(service, (db) =>
    db.collection('heldDecisions').updateMany({}, { $set: { heldAt: new Date(Date.now() - 61_000) } }),
  );
  await cli('admin', 'job', 'run', 'held-decisions');
};

/** Chooses in a list or among radio buttons by its arrows. */
const choose = async (page: Page, told: string, downs: number): Promise<void> => {
  await tabTo(page, told);
  for (let nth = 0; nth < downs; nth++) await page.keyboard.press('ArrowDown');
};

/** Opens the next case at the desk, where the operator is signed in already, and decides it. */
const decideNext = async (page: Page, fill: () => Promise<void>, button: string): Promise<void> => {
  await page.goto(`${service.origin}/desk`);
  await follow(page, 'button "Work on the next');
  expect(page.url()).toContain('/desk/case/');
  await fill();
  await follow(page, `button "${button}`);
  expect(await read(page)).not.toContain('Not decided');
  await writeHeld();
};

/** Signs in, and writes a review. Returns the browser of its author. */
const writeReview = async (): Promise<Page> => {
  const anna = await sitDown();
  await anna.goto(`${service.origin}/brokers/alpha`);
  await follow(anna, 'link "Write a review"');
  await follow(anna, 'link "Sign in to write"');
  await signIn(anna, 'anna');
  expect(new URL(anna.url()).pathname).toBe('/write/review');
  await choose(anna, 'radio "5 stars', 1);
  await type(anna, 'textbox "In a few words', 'Quick to pay out');
  await type(anna, 'textbox "What happened', CONTENT);
  await follow(anna, 'button "Look at it before sending');
  expect(await read(anna)).toContain('4 of 5 stars');
  await tick(anna, 'checkbox "I have experienced this myself');
  await follow(anna, 'button "Send the review');
  expect(await read(anna)).toContain('We have received your review');
  await follow(anna, 'link "My page"');
  expect(await read(anna)).toMatch(/Alpha Markets[\s\S]*waiting/);
  return anna;
};

/** Publishes the next review. Returns the browser of the operator. */
const publishNext = async (): Promise<Page> => {
  const mo = await sitDown();
  await mo.goto(`${service.origin}/desk`);
  await signIn(mo, 'mo');
  expect(new URL(mo.url()).pathname).toBe('/desk');
  await decideNext(mo, async () => undefined, 'Publish');
  return mo;
};

/** Saves the file of a published review, and verifies its words. */
const verifyOwnWords = async (anna: Page): Promise<void> => {
  await anna.goto(findLink(await mailAbout('anna@mail.example', 'is published')));
  expect(await read(anna)).toContain('Published');
  await tabTo(anna, 'link "Save the proof');
  const [download] = await Promise.all([anna.waitForEvent('download'), anna.keyboard.press('Enter')]);
  const { texts } = await verifyReview(await readFile(await download.path(), 'utf8'), { policy: createPolicy(key) });
  expect(texts).toMatchObject({ title: 'Quick to pay out', content: CONTENT });
};

/** Reports the review without an account, has it taken down, and reads the decision. */
const report = async (mo: Page): Promise<void> => {
  const rita = await sitDown();
  await rita.goto(`${service.origin}/brokers/alpha/reviews`);
  await follow(rita, 'link "Report this review');
  await choose(rita, 'radio "It is no review', 4);
  await type(rita, 'textbox "Why do you think so?', NOTE);
  await type(rita, 'textbox "Your name', 'Rita Example');
  await type(rita, 'textbox "Your email address', 'rita@mail.example');
  await tick(rita, 'checkbox "I believe in good faith');
  await follow(rita, 'button "Send the report');
  expect(await read(rita)).toContain('We have your report.');
  expect(await mailAbout('rita@mail.example', 'We have your report')).toContain('Alpha Markets');
  const decide = async (): Promise<void> => {
    await choose(mo, 'radio "none', 5);
    await type(mo, 'textbox "Note', NOTE);
  };
  await decideNext(mo, decide, 'Remove');
  await rita.goto(findLink(await mailAbout('rita@mail.example', 'decided')));
  expect(await read(rita)).toContain('The review was taken down.');
};

/** Appeals at the link of the mail, without signing in. */
const appeal = async (): Promise<void> => {
  const elsewhere = await sitDown();
  const mail = await mailAbout('anna@mail.example', 'taken down');
  const link = mail.split(/\s/).find((word) => word.includes('/case/'));
  await elsewhere.goto(String(link));
  expect(await read(elsewhere)).toContain('Statement of reasons');
  await type(elsewhere, 'textbox "Why is the decision wrong?', APPEAL);
  await follow(elsewhere, 'button "Send the appeal');
  expect(await read(elsewhere)).toContain('It waits for a decision.');
  await mailAbout('anna@mail.example', 'We have your appeal');
};

test('a review goes from the sign-in over the desk to its proof, is reported without an account, and its author appeals', async () => {
  const anna = await writeReview();
  const mo = await publishNext();
  await untilAllSigned(service);
  await verifyOwnWords(anna);
  await report(mo);
  await appeal();
});

test('a complaint shows its author whose turn it is, and until when', async () => {
  const carl = await sitDown();
  await carl.goto(`${service.origin}/brokers/alpha`);
  await follow(carl, 'link "Complain about this broker"');
  await follow(carl, 'link "Sign in to write"');
  await signIn(carl, 'carl');
  await choose(carl, 'combobox "What is it about?', 1);
  await type(carl, 'textbox "In a few words', 'No answer for weeks');
  await type(
    carl,
    'textbox "What happened',
    'I asked for my balance four weeks ago, and nobody has answered me since.',
  );
  await choose(carl, 'radio "Yes, the broker may', 0);
  await carl.keyboard.press('Space');
  await follow(carl, 'button "Look at it before sending');
  await tick(carl, 'checkbox "This is true');
  await follow(carl, 'button "Send the complaint');
  expect(await read(carl)).toContain('We have received your complaint');
  const receipt = carl.url().split('?', 1)[0] as string;
  const reference = receipt.split('/').at(-1) as string;
  for (const step of ['screen', 'forward']) await cli('complaint', step, reference);
  await carl.goto(receipt);
  expect(await read(carl)).toMatch(/It is the broker’s turn to answer\.[\s\S]*An answer is in time until/);
});
