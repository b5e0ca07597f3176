import { createMessage, type Message } from '../../platform/webhooks/message.rule.ts';
import type { DeliveryEvent } from './lane.rule.ts';

/** The message about an entry: its address, without its content. */
export const entryMessage = (endpoint: string, { number, kind, key, time }: DeliveryEvent): Message =>
  createMessage(`${endpoint}_${number}`, 'entry.published', time, { number, kind, key });

/** The message before tries end, for the endpoint or for one subject. */
export const pausingMessage = (
  endpoint: string,
  { since, pausesAt, subject }: { readonly since: Date; readonly pausesAt: Date; readonly subject: string | null },
): Message => {
  const of = subject === null ? '' : `_${subject.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  return createMessage(`${endpoint}_pausing_${since.getTime()}${of}`, 'endpoint.pausing', since.toISOString(), {
    endpoint,
    subject,
    pausesAt: pausesAt.toISOString(),
  });
};

/** The message that tries an endpoint. */
export const testMessage = (endpoint: string, now: Date, nonce: string): Message =>
  createMessage(`${endpoint}_test_${nonce}`, 'test', now.toISOString(), { endpoint });
