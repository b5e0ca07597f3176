import { randomBytes } from 'node:crypto';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import { ensureAccount } from '../accounts/actions.ts';
import { toLinkSubject } from '../accounts/link-subject.rule.ts';
import { mailAddress } from '../notices/address.rule.ts';
import { mailSignInLink } from '../notices/sign-in-mail.ts';
import { hashCode, toCode } from './code.rule.ts';
import { CODE_TRIES, REQUEST_MS } from './policy.rule.ts';
import { insertSession, requireAccount } from './sessions.ts';
import * as store from './store.ts';

/** A request to sign in by a link. */
export interface LinkRequest {
  readonly address: string;
  /** Path to which the person goes then. */
  readonly to: string | undefined;
  /** Code of a language. */
  readonly language: string;
  /** Key of the network address that asks. */
  readonly asker: string;
  /** Called if so many links went out within an hour that nobody gets one. */
  readonly onFull: () => void;
}

/** Brings a link to the owner of an address. */
export type DeliverLink = (email: string, token: string) => void;

/**
 * Asks for a link. Returns the secret for the cookie of the browser that asks; undefined if the text is no address. It
 * is the same for every address: one that has got enough mails today gets none.
 * @param deliver brings the link in place of a mail
 */
export const requestLink = async (
  context: Context,
  { address, to, language, asker, onFull }: LinkRequest,
  deliver?: DeliverLink,
): Promise<string | undefined> => {
  const email = mailAddress(address);
  if (email === undefined) return undefined;
  const browser = randomBytes(32).toString('base64url');
  const token = randomBytes(20).toString('hex');
  await inTransaction(context, async (c) => {
    const expiresAt = new Date(c.now.getTime() + REQUEST_MS);
    const hashes = { linkHash: hashToHex(token), codeHash: hashCode(toCode(token), browser) };
    const times = { createdAt: c.now, expiresAt };
    const request = { _id: hashToHex(browser), email, ...hashes, wrong: 0, ...times, ...(to ? { to } : {}) };
    await store.insertRequest(request, c.tx);
    if (!deliver) await mailSignInLink(c, { email, language, code: token, endsAt: expiresAt, asker, onFull });
  });
  deliver?.(email, token);
  return browser;
};

/** A link as a browser sees it: in the one that asked for it, or in another one, with the code to type there. */
export type LinkView =
  | { readonly is: 'here'; readonly email: string }
  | { readonly is: 'elsewhere'; readonly code: string };

/** Looks at a link, and changes nothing. Returns undefined if it is unknown, was used, or is too old. */
export const viewLink = async (
  { db, clock }: Context,
  token: string,
  browser: string | undefined,
): Promise<LinkView | undefined> => {
  const request = await store.findRequestByLink(db, hashToHex(token), CODE_TRIES);
  if (!request || request.expiresAt <= clock()) return undefined;
  if (browser !== undefined && request._id === hashToHex(browser)) return { is: 'here', email: request.email };
  return { is: 'elsewhere', code: toCode(token) };
};

/** A sign-in that is done. */
export interface EndedSignIn {
  /** The secret for the cookie of the session. */
  readonly secret: string;
  readonly to: string | undefined;
}

/** Uses a request up, and begins a session. `blocked`: its owner may not sign in. */
const endRequest = async (context: Context, id: string): Promise<EndedSignIn | 'gone' | 'blocked'> => {
  const taken = await inTransaction(context, async (c) => {
    const request = await store.takeRequest(id, c.now, c.tx);
    if (!request) return 'gone';
    const { email, to } = request;
    const { _id: accountId, blocked } = await ensureAccount(c, toLinkSubject(email), 'signed_in');
    if (blocked) return 'blocked';
    const signedIn = { accountId, method: 'link', label: email, verifiedEmail: email, provenAt: c.now } as const;
    return { accountId, to, secret: await insertSession(c, signedIn) };
  });
  if (typeof taken === 'string') return taken;
  const { accountId, secret, to } = taken;
  await requireAccount(context.db, accountId, secret);
  return { secret, to };
};

/** Signs in by a link, in the browser that asked for it and in no other. `gone`: it is unknown, was used, or is old. */
export const useLink = async (context: Context, token: string, browser: string | undefined) => {
  const view = await viewLink(context, token, browser);
  return view?.is === 'here' && browser !== undefined ? endRequest(context, hashToHex(browser)) : 'gone';
};

/** Signs in by the code of a link, in the browser that asked for it. `gone`: the request is old, or no try is left. */
export const useCode = async (context: Context, code: string, browser: string | undefined) => {
  if (browser === undefined) return 'gone';
  const id = hashToHex(browser);
  const request = await store.countTry(context.db, id, CODE_TRIES, context.clock());
  if (!request) return 'gone';
  if (request.codeHash !== hashCode(code, browser)) return request.wrong + 1 < CODE_TRIES ? 'wrong' : 'gone';
  return endRequest(context, id);
};

/** Returns the address that a browser asked a link for; undefined if its request is over. */
export const findAsked = async ({ db, clock }: Context, browser: string | undefined): Promise<string | undefined> => {
  const request = browser === undefined ? null : await store.findRequest(db, hashToHex(browser));
  return request && request.expiresAt > clock() && request.wrong < CODE_TRIES ? request.email : undefined;
};
