import type { DeliveryFault } from '../../platform/webhooks/message.rule.ts';
import { type FailureState, recordFault } from './failure.rule.ts';
import { ENDPOINT_RETRIES, REFUSALS_IN_A_ROW } from './policy.rule.ts';

/** A failure of the endpoint as a whole. */
export interface EndpointOutage extends FailureState {
  readonly nextTryAt: Date;
}

/**
 * Keeps whether an endpoint fails as a whole.
 * @param random returns numbers from 0 to 1
 */
export const createOutage = (stored: EndpointOutage | null, random: () => number) => {
  let outage = stored;
  let refusedInARow = 0;

  /** Begins or continues it. Returns whether its tries have ended. */
  const record = (fault: DeliveryFault, now: Date): boolean => {
    const { nextTryAt, ...failing } = recordFault(outage, ENDPOINT_RETRIES, fault, now, random());
    outage = { ...failing, nextTryAt: nextTryAt ?? now };
    return nextTryAt === null;
  };

  return {
    /** null: the endpoint does not fail as a whole. */
    current: (): EndpointOutage | null => outage,
    record,
    /** An event of a subject was refused: several in a row are a failure of the endpoint. */
    countRefusal: (fault: DeliveryFault, now: Date): void => {
      if (++refusedInARow >= REFUSALS_IN_A_ROW) record(fault, now);
    },
    /** An event was taken. Returns whether that ended an outage. */
    end: (): boolean => {
      const isOver = outage !== null;
      [outage, refusedInARow] = [null, 0];
      return isOver;
    },
    announced: (): void => {
      if (outage) outage = { ...outage, isAnnounced: true };
    },
  };
};
export type Outage = ReturnType<typeof createOutage>;
