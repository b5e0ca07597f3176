import type { Document } from 'mongodb';
import { inDatabase } from './database.ts';
import type { Service } from './process.ts';

/** A readable audit entry: the names of a story replace the ids. */
interface TrailEntry {
  /** `operator:maria`, `account:ana`, `system:kyc-webhook` */
  readonly by: string;
  readonly did: string;
  /** `review of-ana` */
  readonly to: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The expected part of an audit entry: who did what to which subject, and the states to compare. */
export const expectEntry = (by: string, did: string, to: unknown, before?: object, after?: object) => ({
  by,
  did,
  to,
  ...(before ? { before } : {}),
  ...(after ? { after } : {}),
});

export interface Trail {
  /** Sets the name that replaces an id from now on. */
  readonly name: (id: string, name: string) => void;
  /** The entries added since the last call, in the order in which they were stored. */
  readonly next: (service: Service) => Promise<TrailEntry[]>;
}

export const readTrail = (): Trail => {
  const names = new Map<string, string>();
  const seen = new Set<string>();
  const findName = (id: string): string => names.get(id) ?? id;
  const toTrailEntry = ({ actor, action, subject, before, after }: Document): TrailEntry => ({
    by: `${actor.type}:${findName(actor.name ?? actor.accountId)}`,
    did: action,
    to: `${subject.kind} ${findName(subject.id)}`,
    before,
    after,
  });
  return {
    name: (id, name) => void names.set(id, name),
    next: async (service) => {
      const all = await inDatabase(service, (db) => db.collection('audit').find().sort({ $natural: 1 }).toArray());
      const fresh = all.filter(({ _id }) => !seen.has(String(_id)));
      for (const { _id } of fresh) seen.add(String(_id));
      return fresh.map(toTrailEntry);
    },
  };
};

/** Audit entries about a subject, oldest first. */
export const readAudit = (service: Service, id: string): Promise<Document[]> =>
  inDatabase(service, (db) => db.collection('audit').find({ 'subject.id': id }).sort({ at: 1, _id: 1 }).toArray());
