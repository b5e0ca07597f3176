import type { Db } from '../../platform/mongo.ts';
import * as store from './store.ts';

/** Returns those of these sessions that have ended, or never were. */
export const listEndedSessions = async (db: Db, ids: readonly string[], now: Date): Promise<string[]> => {
  const ended: string[] = [];
  for (const id of ids) {
    const session = await store.findSession(db, id);
    if (!session || session.expiresAt <= now) ended.push(id);
  }
  return ended;
};
