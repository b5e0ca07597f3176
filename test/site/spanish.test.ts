import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messages as english } from '../../packages/portal/src/generated/en.ts';
import { PAGES } from '../../packages/portal/src/pages.ts';
import { PRIVATE_PAGES } from '../../packages/portal/src/private/pages.ts';
import { openChromium } from '../support/chromium.ts';
import { startDemoService } from '../support/demo-service.ts';
import { createToken } from '../support/filled-service.ts';
import type { LocalService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { ADDRESSES } from './addresses.ts';

let service: LocalService;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Ratings <mail@ratings.example>' };
  const settings = { ...mail, PUBLIC_URL: 'http://ratings.example', JOBS: 'off', LOG_LEVEL: 'error' };
  [service, browser] = await Promise.all([startDemoService(settings), openChromium()]);
  page = await browser.newPage();
});
afterAll(async () => {
  await browser?.close();
  await service?.remove();
});

/** Returns the fixed parts of the English messages that are sentences, without what an argument puts in. */
const listSentences = (node: unknown): string[] => {
  if (typeof node === 'string') return node.split('\0').filter((part) => part.trim().split(/\s+/).length > 3);
  if (typeof node !== 'function') return Object.values(node as object).flatMap(listSentences);
  return [0, 1, 2].flatMap((count) => {
    const said = new Proxy({}, { get: (_, name) => (/^(count|months)$/.test(String(name)) ? count : '\0') });
    return listSentences((node as (said: object) => string)(said));
  });
};
const SENTENCES = new Set(listSentences(english).map((sentence) => sentence.replaceAll('\u00ad', '').trim()));

/** The words and links that a reader of a page meets, without code and elements in another language. */
interface SeenPage {
  readonly lang: string;
  readonly text: string;
  readonly links: readonly string[];
}

/** Returns what is seen of the page that is open now. */
const see = (): Promise<SeenPage> =>
  page.evaluate<SeenPage>(`(() => {
    for (const each of document.body.querySelectorAll('[lang]:not([lang="es"]), pre')) each.remove();
    const labels = [...document.querySelectorAll('[aria-label], [title], [alt], [placeholder]')].flatMap((each) =>
      ['aria-label', 'title', 'alt', 'placeholder'].map((name) => each.getAttribute(name) ?? ''));
    return {
      lang: document.documentElement.lang,
      text: [document.title, document.body.textContent, ...labels].join(' ').replaceAll('\\u00ad', ''),
      links: [...document.querySelectorAll('a[href^="/"], form[action^="/"]')].map((each) =>
        each.getAttribute('href') ?? each.getAttribute('action')),
    };
  })()`);

const translated = [...PAGES.filter(({ isTranslated }) => isTranslated), ...PRIVATE_PAGES].map(({ path }) => path);
const isTranslated = (address: string): boolean => {
  const [path = ''] = address.split(/[?#]/);
  return translated.some((template) => new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
};

const visits = Object.entries(ADDRESSES)
  .filter(([template]) => translated.includes(template))
  .map(([, [first = '']]) => (first === '/' ? '/es' : `/es${first}`));

const expectSpanish = async (path: string): Promise<void> => {
  const { lang, text, links } = await see();
  expect(lang, path).toBe('es');
  expect(
    [...SENTENCES].filter((sentence) => text.includes(sentence)),
    path,
  ).toEqual([]);
  expect(links.filter(isTranslated), path).toEqual([]);
};

describe('a page in Spanish', () => {
  test.each(visits)('%s says so, has no English sentence, and leads to pages in Spanish', async (path) => {
    await page.goto(service.origin + path);
    await expectSpanish(path);
  });

  test('pages for one person say so, have no English sentence, and lead to pages in Spanish', async () => {
    await createToken(service, 'ana');
    const ana = await signIn(service, 'ana');
    const own = PRIVATE_PAGES.filter(({ path, needs }) => needs === 'person' && !path.includes(':'));
    const writing = ['review', 'complaint'].map((kind) => `/write/${kind}?broker=alpha-markets`);
    for (const path of [...own.map((each) => each.path), ...writing]) {
      const { status, headers, html } = await ana.get(`/es${path}`);
      expect(status, path).toBe(200);
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      await page.setContent(html);
      await expectSpanish(path);
    }
  });
});

test('a feed and the manifest are in Spanish', async () => {
  const open = async (path: string): Promise<string> => (await fetch(service.origin + path)).text();
  expect(await open('/es/feeds/news.atom')).toContain('xml:lang="es"');
  expect(JSON.parse(await open('/es/site.webmanifest'))).toMatchObject({ lang: 'es' });
});
