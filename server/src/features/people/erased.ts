import type { Db } from '../../platform/mongo.ts';
import { hashSubject } from './record.rule.ts';
import * as store from './store.ts';

/**
 * Returns a function that tells when a person was erased last, by the name that the operator's systems use for them;
 * undefined for nobody. Names are hashed slowly, each once, and only if anybody was ever erased.
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
