import type { Event } from './lane.rule.ts';

/** A message as it is signed and sent. */
export interface Message {
  /** The same each time it is sent, so that receivers can leave out what they have. */
  readonly id: string;
  readonly body: string;
}

const message = (id: string, type: string, timestamp: string, data: object): Message => ({
  id,
  body: JSON.stringify({ type, timestamp, data }),
});

/** What is sent about an entry: where it is, and nothing of what it says. */
export const entryMessage = (endpoint: string, { number, kind, key, time }: Event): Message =>
  message(`${endpoint}_${number}`, 'entry.published', time, { number, kind, key });

/** What is sent before tries end, for the endpoint or for one subject. */
export const pausingMessage = (
  endpoint: string,
  { since, pausesAt, subject }: { readonly since: Date; readonly pausesAt: Date; readonly subject: string | null },
): Message => {
  const of = subject === null ? '' : `_${subject.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  return message(`${endpoint}_pausing_${since.getTime()}${of}`, 'endpoint.pausing', since.toISOString(), {
    endpoint,
    subject,
    pausesAt: pausesAt.toISOString(),
  });
};

/** What is sent to try an endpoint. */
export const testMessage = (endpoint: string, now: Date, nonce: string): Message =>
  message(`${endpoint}_test_${nonce}`, 'test', now.toISOString(), { endpoint });
