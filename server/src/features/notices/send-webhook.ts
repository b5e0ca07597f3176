import type { Db } from '../../platform/mongo.ts';
import type { Deliver } from '../../platform/webhooks/deliver.ts';
import { createMessage, type Message } from '../../platform/webhooks/message.rule.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import * as store from './store.ts';

/** The outcome of a webhook, in the words of mail. */
export type SystemDelivery =
  | { readonly outcome: 'sent'; readonly reply: string }
  | { readonly outcome: 'later'; readonly code?: number | undefined; readonly problem: string };

/** Writes an event as it is sent: what it is about, with the current slug of the broker and the account. */
const toMessage = async (db: Db, { _id: id, kind, data, accountId, createdAt }: store.Notice): Promise<Message> => {
  const key = typeof data['broker'] === 'string' ? data['broker'] : undefined;
  const slug = key === undefined ? undefined : ((await resolveSlugs(db, [key]))(key)?.slug ?? key);
  const about = { ...data, ...(slug === undefined ? {} : { broker: slug }) };
  return createMessage(id, kind, createdAt.toISOString(), { ...about, account: accountId ?? null });
};

/** Makes the function that sends a message to a system of the operator's; undefined: that is gone. */
export const createSystemNotifier =
  (db: Db, deliver: Deliver) =>
  async (notice: store.Notice): Promise<SystemDelivery | undefined> => {
    const endpoint = await store.findEndpoint(db, notice.to);
    if (!endpoint) return undefined;
    const { fault, status } = await deliver(endpoint, await toMessage(db, notice));
    if (!fault) return { outcome: 'sent', reply: `answers ${status}` };
    return { outcome: 'later', code: status, problem: fault.problem };
  };
