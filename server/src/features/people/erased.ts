import type { Db } from '../../platform/mongo.ts';
import * as store from '../erasures/facts.ts';
import { hashSubject } from '../erasures/record.rule.ts';

/**
 * Returns a function that gives the time of a person's last erasure, or undefined. The person is named by the
 * operator's name for them. Names are hashed slowly, each once, and only if anybody was ever erased.
 */
export const erasureLookup = (db: Db) => {
  const found = new Map<string, Date | undefined>();
  return async (subject: string): Promise<Date | undefined> => {
    if (!found.has(subject)) {
      const isAny = await store.hasErasures(db);
      const [last] = isAny ? await store.findSubjectErasures(db, hashSubject(subject)) : [];
      found.set(subject, last?.erasedAt);
    }
    return found.get(subject);
  };
};
