import type { Db } from '../../platform/mongo.ts';
import { SHOWN_DAYS } from './policy.rule.ts';
import { type Incident, publishedSince } from './store.ts';

export type { Incident } from './store.ts';

/** Maximum number of incidents published at once. */
const MOST = 50;

/** Returns the incidents that are published now, newest first. */
export const publishedIncidents = (db: Db, now: Date): Promise<Incident[]> =>
  publishedSince(db, new Date(now.getTime() - SHOWN_DAYS * 86_400_000), MOST);
