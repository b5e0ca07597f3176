import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { IdempotentRunner } from '../request/idempotency.ts';

/** The parts of the service that the handlers of features use. */
export interface RouteParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Answers a POST once per idempotency key. */
  readonly once: IdempotentRunner;
  /** Maximum number of complaints that one account may send in a day. */
  readonly complaintsPerDay: number;
  /** True if the service sends mail, and so keeps the addresses that the identity provider has verified. */
  readonly keepsAddresses: boolean;
}
