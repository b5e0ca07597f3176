import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { newSecret } from '../../platform/webhooks/keys.ts';
import type { NoticeKind } from './kinds.rule.ts';
import * as store from './store.ts';
import { createRandomId } from './tell.ts';

/** Systems of the operator at most: each gets every event. */
const MOST_ENDPOINTS = 5;

/** Returns an address of a webhook. @throws DomainError invalid_input */
const checkedUrl = (text: string): string => {
  const url = URL.parse(text);
  const isGood = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
  if (isGood) return url.href;
  throw new DomainError(
    'invalid_input',
    `"${text}" is no address like https://crm.example/hooks, without a user name.`,
  );
};

/**
 * Adds a system of the operator's. Returns its id, and the secret that it verifies by, which is shown this once.
 * @throws DomainError invalid_input, state_conflict
 */
export const addEndpoint = (
  context: Context,
  url: string,
  kinds: readonly NoticeKind[] | undefined,
): Promise<{ readonly id: string; readonly secret: string }> =>
  inTransaction(context, async (c) => {
    const address = checkedUrl(url);
    const known = await store.listEndpoints(c.db, c.tx);
    if (known.length >= MOST_ENDPOINTS)
      throw new DomainError('state_conflict', `There are ${known.length} endpoints, and no more are possible.`);
    const [id, secret] = [createRandomId('nw'), newSecret(c.now)];
    const chosen = kinds === undefined ? {} : { kinds };
    await store.insertEndpoint({ _id: id, url: address, ...chosen, secrets: [secret], createdAt: c.now }, c.tx);
    const change = { before: null, after: { endpoints: known.length + 1 }, reason: 'operator_command' };
    c.audit('notice.webhook_added', { kind: 'notice', id }, change);
    return { id, secret: secret.secret };
  });

/** Removes a system, and what it was to be told. @throws DomainError not_found */
export const removeEndpoint = (context: Context, id: string): Promise<void> =>
  inTransaction(context, async (c) => {
    if (!(await store.deleteEndpoint(id, c.tx)))
      throw new DomainError('not_found', `No endpoint has the id "${id}". See: mail webhook list`);
    await store.deleteNoticesTo(id, c.tx);
    const change = { before: { removed: false }, after: { removed: true }, reason: 'operator_command' };
    c.audit('notice.webhook_removed', { kind: 'notice', id }, change);
  });

/** Lists the systems, without their secrets. */
export const listNoticeEndpoints = async (db: Db) =>
  (await store.listEndpoints(db)).map(({ _id: id, url, kinds, createdAt }) => ({
    id,
    url,
    kinds: kinds ?? null,
    createdAt,
  }));
