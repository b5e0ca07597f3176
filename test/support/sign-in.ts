/** Browsers of people, as far as their requests go: they keep cookies, and send forms as a page does. */
import { createHash, randomBytes } from 'node:crypto';
import { inDatabase } from './database.ts';
import type { Service } from './process.ts';

/** A page as a browser gets it. */
interface LoadedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Address that the answer leads to. */
  readonly location: string | null;
}

/** A browser without scripts. It follows no redirect by itself. */
export interface Browser {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<LoadedPage>;
  /**
   * Loads a page, and sends its form with these fields beside the hidden ones. `action`: a part of the form's address.
   */
  readonly send: (path: string, fields?: Record<string, string>, action?: string) => Promise<LoadedPage>;
  /** Sends fields as they are. */
  readonly post: (
    path: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ) => Promise<LoadedPage>;
  readonly cookies: Map<string, string>;
}

const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** A form of a page, with its hidden fields. */
interface FoundForm {
  readonly action: string;
  readonly hidden: Record<string, string>;
}

/** Returns the forms of a page that are sent by POST. */
export const listForms = (html: string): FoundForm[] =>
  [...html.matchAll(/<form[^>]*method="post" action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => ({
      action: decode(action),
      hidden: Object.fromEntries(
        [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
          decode(name),
          decode(value),
        ]),
      ),
    }),
  );

/**
 * Opens a browser that has no cookies yet.
 * @param publicUrl address of the service for browsers, if a proxy is before it
 * @param from network address of the browser, as the proxy tells it
 */
export const openBrowser = ({ origin }: Pick<Service, 'origin'>, publicUrl = origin, from?: string): Browser => {
  const cookies = new Map<string, string>();
  const forwarded = from === undefined ? {} : { 'X-Forwarded-For': from };
  const keep = (lines: readonly string[]): void => {
    for (const line of lines) {
      const [pair = '', ...rules] = line.split('; ');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (rules.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const load = async (path: string, init: RequestInit): Promise<LoadedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      Accept: 'text/html',
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...forwarded,
      ...init.headers,
    };
    const answer = await fetch(new URL(path, origin), { redirect: 'manual', ...init, headers });
    keep(answer.headers.getSetCookie());
    const { status, headers: got } = answer;
    return { status, headers: got, html: await answer.text(), location: got.get('Location') };
  };
  const post: Browser['post'] = (path, fields, headers = {}) =>
    load(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: publicUrl,
        'Sec-Fetch-Site': 'same-origin',
        ...headers,
      },
    });
  const get: Browser['get'] = (path, headers = {}) => load(path, { headers });
  return {
    cookies,
    get,
    post,
    send: async (path, fields = {}, action = path.split('?', 1)[0] ?? path) => {
      const { html, status } = await get(path);
      const form = listForms(html).find((one) => one.action.includes(action));
      if (!form) throw new Error(`the page ${path} (${status}) has no form to ${action}`);
      return post(form.action, { ...form.hidden, ...fields });
    },
  };
};

/** The way in which a person is signed in. */
interface SignedIn {
  readonly method?: 'provider' | 'link';
  readonly label?: string;
  /** Milliseconds since the sign-in. */
  readonly ageMs?: number;
}

/**
 * Opens a browser in which a person is signed in. Their account must exist: `token create` or `account verify` makes
 * one. It skips the sign-in itself, which has tests of its own.
 */
export const signIn = async (service: Service, subject: string, how: SignedIn = {}): Promise<Browser> => {
  const { method = 'provider', label = subject, ageMs = 0 } = how;
  const secret = randomBytes(32).toString('base64url');
  const at = (ms: number): Date => new Date(Date.now() - ageMs + ms);
  await inDatabase(service, async (db) => {
    const account = await db.collection<{ _id: string; subject: string }>('accounts').findOne({ subject });
    if (!account) throw new Error(`no account has the subject ${subject}`);
    const _id = createHash('sha256').update(secret).digest('hex');
    const times = {
      createdAt: at(0),
      provenAt: at(0),
      usedAt: at(0),
      expiresAt: at(7_200_000),
      endsAt: at(86_400_000),
    };
    const session = { _id, accountId: account._id, method, label, ...times };
    await db.collection<typeof session>('sessions').insertOne(session);
  });
  const browser = openBrowser(service);
  browser.cookies.set('session', secret);
  return browser;
};
