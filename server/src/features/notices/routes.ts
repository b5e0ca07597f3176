import { accountContract } from '@broker-transparency/contract';
import { type RequestHandler, Router } from 'express';
import { requirePrincipal } from '../../http/auth/access.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { addressKey, enforceLimit, type Limit } from '../../http/rate-limit/limit.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { send } from '../../http/response/reply.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { ALONE } from '../../platform/page-alone.ts';
import { confirmMail, findOwnAddress, requestMail, stopMail, stopMailByLink } from './own-mail.ts';
import { ownMailView } from './view.ts';

/** @throws DomainError state_conflict if the service sends no mail */
const requireMail = (sendsMail: boolean): void => {
  if (!sendsMail) throw new DomainError('state_conflict', 'This service sends no mail.');
};

/** Routes for where people are told. */
export const mailRoutes = ({ db, once, clock, keepsAddresses }: RouteParts) => ({
  account: {
    mail: initServer().router(accountContract.mail, {
      show: async ({ req }) => ({
        status: 200,
        body: ownMailView(await findOwnAddress(db, requirePrincipal(req).accountId)),
      }),
      request: ({ req, body }) => {
        requireMail(keepsAddresses);
        return once({ req, body }, async (c, author) => {
          await requestMail(c, author, body);
          return ownMailView(await findOwnAddress(c.db, author.accountId, c.tx));
        });
      },
      // without an idempotency key: a wrong code has to count even where it is refused
      confirm: async ({ req, body }) => {
        const { accountId } = requirePrincipal(req);
        await confirmMail({ actor: { type: 'account', accountId }, clock, db }, accountId, body.code);
        return { status: 201, body: ownMailView(await findOwnAddress(db, accountId)) };
      },
      stop: ({ req }) =>
        once({ req, body: {} }, async (c, { accountId }) => {
          await stopMail(c, accountId);
          return ownMailView(await findOwnAddress(c.db, accountId, c.tx));
        }),
    }),
  },
});

/** Where the link in a mail leads. The token is a secret: whoever has it ends mail for somebody. */
export const STOP_ROUTE = '/mail/stop/:token';

const page = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<meta name="robots" content="noindex"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>\n`;

const ASK = page('No more mail?', '<form method="post"><button>Send me no more mail</button></form>');
const DONE = page('You get no more mail', '<p>Your address was removed.</p>');

const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  ...ALONE,
};

/** Ends mail about brokers that somebody follows. Returns false if the link is of nobody who does. */
type EndFollowing = (context: Context, token: string) => Promise<boolean>;

/**
 * The page that a link in a mail leads to. Only a POST stops mail, as mail programs send it by themselves (RFC 8058):
 * programs that look at links change nothing. It answers the same for every link.
 */
export const stopMailRoute = (db: Db, clock: Clock, limit: Limit, endFollowing: EndFollowing): RequestHandler => {
  const router = Router({ caseSensitive: true, strict: true });
  const count: RequestHandler = async (req, _res, next) => {
    await enforceLimit(limit, addressKey(req), req);
    next();
  };
  router.get(STOP_ROUTE, count, (_req, res) => send(res, { status: 200, headers: HTML, body: ASK }));
  router.post(STOP_ROUTE, count, async (req, res) => {
    const context: Context = { actor: { type: 'system', name: 'mail' }, clock, db };
    const token = String(req.params['token']);
    if (!(await endFollowing(context, token))) await stopMailByLink(context, token);
    send(res, { status: 200, headers: HTML, body: DONE });
  });
  router.options(STOP_ROUTE, (_req, res) => send(res, { status: 204, headers: { Allow: 'GET, HEAD, POST, OPTIONS' } }));
  return withDeadline(router);
};
