import type { Document } from 'mongodb';
import { inDatabase } from './database.ts';
import type { Service } from './service.ts';

/** An audit entry as one reads it: ids are replaced by the names that a story has for them. */
interface TrailEntry {
  /** `operator:maria`, `account:ana`, `system:kyc-webhook` */
  readonly by: string;
  readonly did: string;
  /** `review of-ana` */
  readonly to: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What is expected of one: who, what, of what, and what of its states is looked at. */
export const entry = (by: string, did: string, to: unknown, before?: object, after?: object) => ({
  by,
  did,
  to,
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});

export interface Trail {
  /** From now on this id is called so. */
  readonly name: (id: string, name: string) => void;
  /** The entries that were added since it was asked last, in the order in which they were stored. */
  readonly next: (service: Service) => Promise<TrailEntry[]>;
}

export const readTrail = (): Trail => {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  const nameOf = (id: string): string => names.get(id) ?? id;
  const shown = ({ actor, action, subject, before, after }: Document): TrailEntry => ({
    by: `${actor.type}:${nameOf(actor.name ?? actor.accountId)}`,
    did: action,
    to: `${subject.kind} ${nameOf(subject.id)}`,
    before,
    after,
  });
  return {
    name: (id, name) => void names.set(id, name),
    next: async (service) => {
      const all = await inDatabase(service, (db) => db.collection('audit').find().sort({ $natural: 1 }).toArray());
      const fresh = all.filter(({ _id }) => !seen.has(String(_id)));
      for (const { _id } of fresh) seen.add(String(_id));
      return fresh.map(shown);
    },
  };
};
