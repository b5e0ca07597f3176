import { randomBytes } from 'node:crypto';
import type { AuditAction } from '../../ledger/audit/actions.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { findOutagesAround } from './measured.ts';
import { BOUNDS } from './policy.rule.ts';
import * as store from './store.ts';
import { parseText, parseTitle } from './text.rule.ts';
import { findContradiction, findImpossibility, type IncidentTimes, overlaps } from './times.rule.ts';

export type { Incident } from './store.ts';
export const { listIncidents } = store;

const toAuditFacts = ({ from, to, updates, retractedAt }: store.Incident) => ({
  from: from.toISOString(),
  to: to?.toISOString() ?? null,
  updates: updates.length,
  retracted: retractedAt !== undefined,
});

/** Stores a change with its audit entry. */
const saveWithAudit = async (
  c: TxContext,
  action: AuditAction,
  incident: store.Incident,
  before: store.Incident | null,
): Promise<store.Incident> => {
  await store.saveIncident(incident, c.tx);
  const change = { before: before && toAuditFacts(before), after: toAuditFacts(incident), reason: 'operator_command' };
  c.audit(action, { kind: 'incident', id: incident._id }, change);
  return incident;
};

/** @throws DomainError not_found */
export const showIncident = async (db: Db, id: string, c?: TxContext): Promise<store.Incident> => {
  const found = await store.findIncident(db, id, c?.tx);
  if (found) return found;
  throw new DomainError('not_found', `There is no incident "${id}". See: incident list`);
};

/** @throws DomainError not_found, state_conflict */
const requirePublished = async (id: string, c: TxContext): Promise<store.Incident> => {
  const found = await showIncident(c.db, id, c);
  if (found.retractedAt === undefined) return found;
  throw new DomainError('state_conflict', `The incident "${id}" was retracted.`);
};

/**
 * Requires that times are possible and that no measurement contradicts them. Returns true if a measurement confirms
 * them.
 * @throws DomainError invalid_input, state_conflict
 */
const requireTimes = async (db: Db, stated: IncidentTimes, now: Date): Promise<boolean> => {
  const impossible = findImpossibility(stated, now);
  if (impossible !== undefined) throw new DomainError('invalid_input', impossible);
  const outages = await findOutagesAround(db, stated, now);
  const contradiction = findContradiction(stated, outages);
  if (contradiction !== undefined)
    throw new DomainError('state_conflict', `${contradiction} State at least that time.`);
  return outages.some((outage) => overlaps(stated, outage));
};

const addUpdate = (incident: store.Incident, given: string | undefined, at: Date): store.Incident['updates'] => {
  if (given === undefined) return incident.updates;
  if (incident.updates.length < BOUNDS.updates) return [...incident.updates, { at, text: parseText(given) }];
  throw new DomainError('state_conflict', `An incident can have at most ${BOUNDS.updates} texts.`);
};

/** A stored incident, and its measurement. */
export interface SavedIncident {
  readonly incident: store.Incident;
  /** True if the probers measured an outage in its time. */
  readonly isSeen: boolean;
}

/** The title, beginning and text of a new incident. */
export interface IncidentDraft {
  readonly title: string;
  readonly from: Date;
  readonly text?: string | undefined;
}

/** Publishes an ongoing incident. @throws DomainError as `requireTimes` does */
export const openIncident = async (context: Context, { title, from, text }: IncidentDraft): Promise<SavedIncident> => {
  const now = context.clock();
  const draft: store.Incident = {
    _id: `in_${randomBytes(4).toString('hex')}`,
    title: parseTitle(title),
    from,
    to: null,
    updates: text === undefined ? [] : [{ at: now, text: parseText(text) }],
    openedAt: now,
  };
  const isSeen = await requireTimes(context.db, draft, now);
  return { incident: await inTransaction(context, (c) => saveWithAudit(c, 'incident.opened', draft, null)), isSeen };
};

/** Adds a text to an incident, and corrects its beginning if a new one is given. */
export const updateIncident = async (
  context: Context,
  id: string,
  { text, from }: { readonly text: string; readonly from?: Date | undefined },
): Promise<store.Incident> => {
  const { to, from: stated } = await showIncident(context.db, id);
  if (from) await requireTimes(context.db, { from, to }, context.clock());
  return inTransaction(context, async (c) => {
    const before = await requirePublished(id, c);
    requireSame(before, { from: stated, to });
    const updates = addUpdate(before, text, c.now);
    return saveWithAudit(c, 'incident.updated', { ...before, from: from ?? before.from, updates }, before);
  });
};

/** Requires that the times compared with the measurements are still stored. @throws DomainError state_conflict */
const requireSame = ({ from, to }: IncidentTimes, read: IncidentTimes): void => {
  if (from.getTime() === read.from.getTime() && to?.getTime() === read.to?.getTime()) return;
  throw new DomainError('state_conflict', 'Somebody else has changed this incident. Look at it, then try again.');
};

/** Sets the end of an incident, or corrects it. @throws DomainError as `requireTimes` does */
export const resolveIncident = async (
  context: Context,
  id: string,
  { to, text }: { readonly to: Date; readonly text?: string | undefined },
): Promise<SavedIncident> => {
  const read = await showIncident(context.db, id);
  const isSeen = await requireTimes(context.db, { from: read.from, to }, context.clock());
  const incident = await inTransaction(context, async (c) => {
    const before = await requirePublished(id, c);
    requireSame(before, read);
    return saveWithAudit(c, 'incident.resolved', { ...before, to, updates: addUpdate(before, text, c.now) }, before);
  });
  return { incident, isSeen };
};

/** Removes an incident from the page. It stays stored. */
export const retractIncident = (context: Context, id: string): Promise<store.Incident> =>
  inTransaction(context, async (c) => {
    const before = await requirePublished(id, c);
    return saveWithAudit(c, 'incident.retracted', { ...before, retractedAt: c.now }, before);
  });
