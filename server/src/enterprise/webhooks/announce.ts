import type { Deliver } from '../../platform/webhooks/deliver.ts';
import { pausingMessage } from './message.rule.ts';
import { computePauseTime } from './policy.rule.ts';
import type { Endpoint } from './store.ts';

/** The target that is about to be paused: the endpoint, or one subject of it. */
export interface PauseNotice {
  readonly since: Date;
  readonly subject: string | null;
}

/**
 * Tells a customer a day before that an endpoint, or one subject of it, is about to be paused. Returns whether that
 * arrived. Once the service sends mail, it goes out here, too.
 */
export const notifyPause = async (
  deliver: Deliver,
  { _id, url, secrets }: Pick<Endpoint, '_id' | 'url' | 'secrets'>,
  { since, subject }: PauseNotice,
  signal: AbortSignal,
): Promise<boolean> => {
  const pausesAt = computePauseTime(since);
  const { fault } = await deliver({ url, secrets }, pausingMessage(_id, { since, pausesAt, subject }), { signal });
  return fault === undefined;
};
