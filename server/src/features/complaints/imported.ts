import type { TxContext } from '../../ledger/context.ts';
import type { Tx } from '../../platform/mongo.ts';
import { ensureAccount } from '../accounts/actions.ts';
import { type Kyc, wasVerifiedAt } from '../accounts/kyc.rule.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { type BrokerReference, resolveSlugs } from '../brokers/facts.ts';
import { type ComplaintRecord, replayComplaint } from './imported.rule.ts';
import { newReference } from './reference.ts';
import * as store from './store.ts';

/** Reads imported complaints by their references in the earlier system. Erased complaints keep theirs. */
export const readImportedComplaints = async (
  references: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, store.StoredComplaint>> =>
  new Map((await store.findImported(references, tx)).map((complaint) => [complaint.importedAs as string, complaint]));

/** A row of an import, and its stored complaint. */
interface ComplaintImportRow {
  readonly line: number;
  readonly record: ComplaintRecord;
  readonly known: store.StoredComplaint | undefined;
}

/** Fields that an import of the same reference must repeat. The state may have changed since. */
const WRITTEN = ['broker', 'category', 'title', 'content', 'createdAt'] as const;

/** Returns the difference between a row and the complaint imported under its reference. */
const findDifference = (
  { record, known }: ComplaintImportRow,
  broker: BrokerReference | undefined,
): string | undefined => {
  if (!known) return undefined;
  const stored = { ...known, createdAt: known.createdAt.getTime() };
  const given = { ...record, broker: broker?.key, createdAt: Date.parse(record.createdAt) };
  return WRITTEN.find((field) => stored[field] !== undefined && stored[field] !== given[field]);
};

const findRowFaults = (row: ComplaintImportRow, broker: BrokerReference | undefined, now: Date) => {
  const { line, record, known } = row;
  const fault = (column: string, detail: string) => [{ line, column, detail }];
  if (broker?.isMerged) return fault('broker', `"${record.broker}" was merged into "${broker.slug}": name that one.`);
  const other = findDifference(row, broker);
  if (other !== undefined)
    return fault(other, `"${other}" differs from what was imported under this reference: undo that run first.`);
  const replayed = known ? undefined : replayComplaint(record, now);
  return replayed && 'detail' in replayed ? fault(replayed.column, replayed.detail) : [];
};

/**
 * Returns a function that finds faults of rows beyond their form: impossible steps, a merged broker, a reference of
 * another complaint.
 */
export const createComplaintCheck = () => async (rows: readonly ComplaintImportRow[], tx: Tx, now: Date) => {
  const find = await resolveSlugs(tx.db, [...new Set(rows.map(({ record }) => record.broker))], { session: tx });
  return rows.flatMap((row) => findRowFaults(row, find(row.record.broker), now));
};

/** A complaint to be stored. */
interface ResolvedComplaint {
  readonly record: ComplaintRecord;
  /** Key of its broker. */
  readonly broker: string;
  readonly account: { readonly _id: string; readonly kyc: Kyc };
}

const toDocument = ({ record, broker, account }: ResolvedComplaint, now: Date): store.ComplaintDocument => {
  const { reference, category, title, content, consentToForward, complainant, verification } = record;
  const { amountInDispute, occurredAt, desiredResolution, channel } = record;
  const replayed = replayComplaint(record, now);
  if ('detail' in replayed) throw new Error(`Complaint ${reference} was not checked: ${replayed.detail}`);
  const createdAt = new Date(record.createdAt);
  return {
    _id: newReference(),
    broker,
    category,
    title,
    content,
    consentToForward,
    ...(amountInDispute === undefined ? {} : { amountInDispute }),
    ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
    ...(desiredResolution === undefined ? {} : { desiredResolution }),
    ...(channel === undefined ? {} : { channel }),
    ...(complainant.contact === undefined ? {} : { contact: complainant.contact }),
    accountId: account._id,
    kycVerified: verification !== undefined || wasVerifiedAt(account.kyc, createdAt),
    createdAt,
    importedAs: reference,
    ...replayed.set,
  };
};

const toAuditSubject = (id: string) => ({ kind: 'complaint', id }) as const;

/** Stores complaints with their own times and states. Returns their references here. */
export const importComplaintsIn = async (
  c: TxContext,
  records: readonly ComplaintRecord[],
  reason: string,
): Promise<string[]> => {
  const find = await resolveSlugs(c.db, [...new Set(records.map(({ broker }) => broker))], { session: c.tx });
  const complaints: store.ComplaintDocument[] = [];
  for (const record of records) {
    const account = await ensureAccount(c, record.complainant.subject, reason);
    complaints.push(toDocument({ record, broker: find(record.broker)?.key ?? record.broker, account }, c.now));
  }
  if (complaints.length > 0) await store.insertComplaints(complaints, c.tx);
  await markBrokersDirty(c, [...new Set(complaints.map(({ broker }) => broker))]);
  for (const { _id, status, category, kycVerified } of complaints)
    c.audit('complaint.imported', toAuditSubject(_id), {
      before: null,
      after: { status, category, kycVerified },
      reason,
    });
  return complaints.map(({ _id }) => _id);
};

/** Returns the state that an undo compares. It has no texts or contacts, because the run keeps it. */
const toUndoState = (complaint: store.StoredComplaint): object => ({
  status: complaint.status,
  ending: complaint.ending ?? null,
  evidence: complaint.evidence?.length ?? 0,
  times: [complaint.screenedAt, complaint.forwardedAt, complaint.respondedAt, complaint.closedAt].map(
    (time) => time?.toISOString() ?? null,
  ),
});

/**
 * Reads the states of complaints by reference. A complaint whose author was erased has none, so that it stays as it is.
 */
export const readComplaintStates = async (
  references: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, object>> =>
  new Map(
    (await store.findComplaints(references, tx))
      .filter(({ erasedAt }) => erasedAt === undefined)
      .map((complaint) => [complaint._id, toUndoState(complaint)]),
  );

/** Deletes complaints that a run imported, with their counts. */
export const takeBackComplaints = async (
  c: TxContext,
  references: readonly string[],
  reason: string,
): Promise<void> => {
  const complaints = await store.findComplaints(references, c.tx);
  await store.deleteComplaints(references, c.tx);
  await markBrokersDirty(c, [...new Set(complaints.map(({ broker }) => broker))]);
  for (const { _id, status } of complaints)
    c.audit('complaint.taken_back', toAuditSubject(_id), { before: { status }, after: null, reason });
};
