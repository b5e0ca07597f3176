import { findEntriesAbout, type StoredAuditEntry } from '../../ledger/audit/store.ts';
import { type Context, fixedAt, inTransaction, performDryRun, type TxContext } from '../../ledger/context.ts';
import type { DataSubject } from '../../ledger/define-module.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { accountGone } from '../accounts/actions.ts';
import { findAccount, findSamePersonAccounts, findSubject } from '../accounts/facts.ts';
import { toLinkSubject } from '../accounts/link-subject.rule.ts';
import * as store from '../erasures/facts.ts';
import type { ErasureReason } from '../erasures/policy.rule.ts';
import { type Erasure, hashSubject } from '../erasures/record.rule.ts';
import { appendToList, readList } from './list.ts';
import { loadSources, SUBJECTS_OF_PEOPLE } from './sources.ts';

/** Rows of each kind that one transaction erases. Nearly everybody's data fits into one. */
const BATCH = 500;

/** The erased data of one account: number of documents by collection. */
export interface ErasureReport {
  readonly accountId: string;
  readonly erasedAt: Date;
  readonly erased: Readonly<Record<string, number>>;
}

const listAddresses = async (accountIds: readonly string[], tx: Tx): Promise<string[]> => {
  const found = new Set<string>();
  for (const { findAddresses } of await loadSources())
    for (const address of (await findAddresses?.(accountIds, tx)) ?? []) found.add(address.toLowerCase());
  return [...found];
};

const toDataSubject = ({ accountId, personHash, erasedAt }: Erasure, addresses: readonly string[]): DataSubject => ({
  accountIds: [accountId],
  addresses,
  personHashes: personHash === undefined ? [] : [personHash],
  until: erasedAt,
});

type ErasureAction = 'account.erased' | 'account.erased_again';

/** Erases one batch in a transaction. The erasure record is stored with the first batch. */
const eraseBatch = async (c: TxContext, erasure: Erasure, action: ErasureAction) => {
  await store.saveErasure(erasure, c.tx);
  const erased: Record<string, number> = {};
  const person = toDataSubject(erasure, await listAddresses([erasure.accountId], c.tx));
  for (const source of await loadSources()) {
    const count = await source.erase(c, person, BATCH);
    if (count > 0) erased[source.name] = count;
  }
  if (Object.keys(erased).length === 0) await store.setFinished(erasure, c.now, c.tx);
  else {
    const change = { before: { erased: false }, after: { erased: true, ...erased }, reason: erasure.reason };
    c.audit(action, { kind: 'account', id: erasure.accountId }, change);
  }
  return erased;
};

/**
 * Erases until a transaction finds nothing. That last transaction runs after the account is gone, so it sees documents
 * written while the first one ran. Later writers find the account gone; see `takeBackIfErased`.
 */
const eraseAccount = async (context: Context, erasure: Erasure, action: ErasureAction): Promise<ErasureReport> => {
  const total: Record<string, number> = {};
  for (;;) {
    const erased = await inTransaction(context, (c) => eraseBatch(c, erasure, action));
    for (const [name, count] of Object.entries(erased)) total[name] = (total[name] ?? 0) + count;
    if (Object.keys(erased).length === 0)
      return { accountId: erasure.accountId, erasedAt: erasure.erasedAt, erased: total };
  }
};

/**
 * Erases an account's commit again if its author was erased meanwhile. Called after each commit of an account's data.
 * @throws DomainError invalid_token if the account is gone, after erasing what was just written
 */
export const takeBackIfErased = async (context: Context, accountId: string): Promise<void> => {
  if (await findAccount(context.db, accountId)) return;
  const erasure = await store.findErasure(context.db, accountId);
  if (erasure) await eraseAccount(context, erasure, 'account.erased_again');
  throw accountGone();
};

/** Returns the ids that stand for somebody without an account who has this address of mail. */
const findByAddress = (db: Db, address: string): Promise<string[]> =>
  snapshot(db, async (tx) => {
    const sources = await loadSources();
    const found: string[] = [];
    for (const source of sources) found.push(...((await source.findByAddress?.(address, tx)) ?? []));
    return found;
  });

/** Returns the account of a subject, or that of the person who signs in by the same address of mail. */
const findNamedAccount = async (db: Db, subject: string) =>
  (await findSubject(db, subject)) ?? (await findSubject(db, toLinkSubject(subject)));

const notFound = (subject: string): DomainError =>
  new DomainError(
    'not_found',
    `No account has the subject "${subject}", and no address of mail that follows brokers is the same. See: account list`,
  );

/**
 * Returns an erasure for each account of the subject's person, or those of an interrupted run, and true if they are
 * new.
 */
const findErasures = async (
  db: Db,
  subject: string,
  reason: ErasureReason,
  at: Date,
): Promise<readonly [Erasure[], boolean]> => {
  const account = await findNamedAccount(db, subject);
  if (account) {
    const accounts = await findSamePersonAccounts(db, account);
    const erasures = accounts.map(({ _id, subject: name, kyc: { personHash } }) => ({
      accountId: _id,
      subjectHash: hashSubject(name),
      reason,
      erasedAt: at,
      ...(personHash === undefined ? {} : { personHash }),
    }));
    return [erasures, true];
  }
  const subjectHash = hashSubject(subject);
  const ids = await findByAddress(db, subject);
  if (ids.length > 0) return [ids.map((accountId) => ({ accountId, subjectHash, reason, erasedAt: at })), true];
  const earlier = await store.findSubjectErasures(db, subjectHash);
  if (earlier.length === 0) throw notFound(subject);
  return [earlier, false];
};

/**
 * Writes to the list that a person and all their accounts are erased, or somebody without an account by an address of
 * mail. `followErasures` carries it out if nobody else does.
 * @throws DomainError not_found
 */
const beginErasure = async (
  context: Context,
  subject: string,
  reason: ErasureReason,
  listPath: string,
): Promise<Erasure[]> => {
  const [erasures, isNew] = await findErasures(context.db, subject, reason, context.clock());
  if (isNew) await appendToList(listPath, erasures);
  return erasures;
};

/** Erases from every collection who is on the list. */
export const carryOutErasures = async (context: Context, erasures: readonly Erasure[]): Promise<ErasureReport[]> => {
  const reports: ErasureReport[] = [];
  for (const erasure of erasures) reports.push(await eraseAccount(context, erasure, 'account.erased'));
  return reports;
};

/**
 * Erases a person from every collection. The list is written first, so that an interrupted erasure can be repeated or
 * replayed.
 * @throws DomainError not_found
 */
export const erasePerson = async (
  context: Context,
  subject: string,
  reason: ErasureReason,
  listPath: string,
): Promise<ErasureReport[]> => carryOutErasures(context, await beginErasure(context, subject, reason, listPath));

/**
 * Writes to the list that one account is erased, as its owner asks on a page, and no other account of the same person:
 * a wrong verification may have joined the accounts of two people.
 * @throws DomainError not_found
 */
export const beginOwnErasure = async (
  context: Context,
  subject: string,
  reason: ErasureReason,
  listPath: string,
): Promise<Erasure[]> => {
  const account = await findSubject(context.db, subject);
  if (!account) throw notFound(subject);
  const erasures = [{ accountId: account._id, subjectHash: hashSubject(subject), reason, erasedAt: context.clock() }];
  await appendToList(listPath, erasures);
  return erasures;
};

/**
 * Counts the documents that `erasePerson` would erase, up to 500 for each collection. Writes nothing.
 * @throws DomainError not_found
 */
export const dryRunErasure = async (
  context: Context,
  subject: string,
  reason: ErasureReason,
): Promise<ErasureReport[]> => {
  const [erasures] = await findErasures(context.db, subject, reason, context.clock());
  const reports: ErasureReport[] = [];
  for (const erasure of erasures) {
    const erased = await performDryRun(context, (c) => eraseBatch(c, erasure, 'account.erased'));
    reports.push({ accountId: erasure.accountId, erasedAt: erasure.erasedAt, erased });
  }
  return reports;
};

/** The result of replaying the list of erasures. */
export interface ErasureReplay {
  /** Number of erasures on the list. */
  readonly listed: number;
  /** Erasures that found data again. */
  readonly again: readonly ErasureReport[];
  /** Numbers of the lines that could not be read. */
  readonly unreadable: readonly number[];
}

/**
 * Appends to a list the erasures that it lacks of other lists and of the database. Returns all erasures, by account.
 */
const mergeLists = async (db: Db, path: string, others: readonly string[]) => {
  const list = await readList(path);
  const listed = new Set(list.erasures.map(({ accountId }) => accountId));
  const stored = await store.listErasures(db);
  const all = new Map([...list.erasures, ...stored].map((erasure) => [erasure.accountId, erasure]));
  const unreadable = [...list.unreadable];
  for (const other of others) {
    const read = await readList(other);
    unreadable.push(...read.unreadable);
    for (const erasure of read.erasures) if (!all.has(erasure.accountId)) all.set(erasure.accountId, erasure);
  }
  const known = new Set(stored.map(({ accountId }) => accountId));
  await appendToList(
    path,
    [...all.values()].filter(({ accountId }) => !listed.has(accountId)),
  );
  return { list, all, unreadable, unknown: [...all.values()].filter(({ accountId }) => !known.has(accountId)) };
};

const eraseAgain = async (context: Context, erasures: Iterable<Erasure>): Promise<ErasureReport[]> => {
  const again: ErasureReport[] = [];
  for (const erasure of erasures) {
    const report = await eraseAccount(context, erasure, 'account.erased_again');
    if (Object.keys(report.erased).length > 0) again.push(report);
  }
  return again;
};

/**
 * Erases everybody on the list again, after a restore from an older backup. List and database are completed from each
 * other and from other lists first. Erasing again has no effect if no data is left.
 */
export const replayErasures = async (
  context: Context,
  listPath: string,
  others: readonly string[] = [],
): Promise<ErasureReplay> => {
  const { all, unreadable } = await mergeLists(context.db, listPath, others);
  return { listed: all.size, again: await eraseAgain(context, all.values()), unreadable };
};

/** Time in milliseconds after which an erasure that has not finished is taken for interrupted. */
const INTERRUPTED_MS = 60_000;

/** Milliseconds between the statements of a list that it is complete. */
const COMPLETE_MS = 3_600_000;

/**
 * Completes list and database from each other. Every running process does so continuously. An erasure that the database
 * lacks was undone by a restore: its person is erased again. One that was interrupted is finished.
 */
export const followErasures = async (context: Context, listPath: string): Promise<ErasureReplay> => {
  const { list, all, unreadable, unknown } = await mergeLists(context.db, listPath, []);
  const again = await eraseAgain(context, unknown);
  const now = context.clock();
  await carryOutErasures(context, await store.listUnfinished(context.db, new Date(now.getTime() - INTERRUPTED_MS)));
  if (list.completeAt === undefined || now.getTime() - list.completeAt.getTime() >= COMPLETE_MS)
    await appendToList(listPath, [{ completeAt: now }]);
  return { listed: all.size, again, unreadable };
};

/** Appends to a list the erasures that only the database has. */
export const completeErasureList = async (db: Db, listPath: string): Promise<void> => {
  await mergeLists(db, listPath, []);
};

/** Returns the latest time up to which one of several lists is complete; undefined if none states a time. */
export const findCompleteUntil = async (paths: readonly string[]): Promise<Date | undefined> => {
  const lists = await Promise.all(paths.map(readList));
  return lists.flatMap(({ completeAt }) => completeAt ?? []).sort((a, b) => b.getTime() - a.getTime())[0];
};

type HeldData = Readonly<Record<string, readonly object[]>>;

/** Returns the ids that the audit trail uses. Tokens have an `id` beside the hash that is their key. */
const listIds = (held: HeldData): string[] =>
  Object.values(held).flatMap((rows) =>
    rows.flatMap((row) => ('id' in row ? String(row.id) : '_id' in row ? String(row._id) : [])),
  );

/** Returns an entry as a person may read it: it says that an operator or another account acted, but not which one. */
const withoutOthers = ({ actor, ...entry }: StoredAuditEntry, accountIds: readonly string[]) => {
  const isShown = actor.type === 'account' ? accountIds.includes(actor.accountId) : actor.type === 'system';
  return { ...entry, actor: isShown ? actor : { type: actor.type } };
};

const collectHeld = async (person: DataSubject, tx: Tx): Promise<HeldData> => {
  const held: Record<string, readonly object[]> = {};
  for (const source of await loadSources()) Object.assign(held, await source.held(person, tx));
  const audit = await findEntriesAbout(person.accountIds, SUBJECTS_OF_PEOPLE, listIds(held), tx);
  return { ...held, audit: audit.map((entry) => withoutOthers(entry, person.accountIds)) };
};

/** Returns what is held about a person, and records that it was exported. */
const exportHeld = async (
  context: Context,
  subject: string,
  id: string,
  of: Pick<DataSubject, 'accountIds' | 'personHashes'>,
) => {
  const until = context.clock();
  const held = await snapshot(context.db, async (tx) =>
    collectHeld({ ...of, addresses: await listAddresses(of.accountIds, tx), until }, tx),
  );
  const after = Object.fromEntries(Object.entries(held).map(([name, rows]) => [name, rows.length]));
  await inTransaction(fixedAt(context, until), async ({ audit }) =>
    audit('account.exported', { kind: 'account', id }, { before: null, after, reason: 'subject_access' }),
  );
  return { subject, exportedAt: until, ...held };
};

/**
 * Returns all stored data about the person with a subject, or with an address of mail and no account, on one snapshot,
 * except names and notes of staff.
 * @throws DomainError not_found
 */
export const exportPerson = async (context: Context, subject: string) => {
  const account = await findNamedAccount(context.db, subject);
  const accounts = account ? await findSamePersonAccounts(context.db, account) : [];
  const accountIds = account ? accounts.map(({ _id }) => _id) : await findByAddress(context.db, subject);
  const [id] = account ? [account._id] : accountIds;
  if (id === undefined) throw notFound(subject);
  const personHashes = [...new Set(accounts.flatMap(({ kyc }) => kyc.personHash ?? []))];
  return exportHeld(context, subject, id, { accountIds, personHashes });
};

/**
 * Returns what is stored about one account, as its owner asks on a page, and the number of other accounts that count as
 * the same person, without their content: a wrong verification may have joined the accounts of two people.
 * @throws DomainError not_found
 */
export const exportOwnAccount = async (context: Context, subject: string) => {
  const account = await findSubject(context.db, subject);
  if (!account) throw notFound(subject);
  const otherAccounts = (await findSamePersonAccounts(context.db, account)).length - 1;
  const held = await exportHeld(context, subject, account._id, { accountIds: [account._id], personHashes: [] });
  return { ...held, otherAccounts };
};

/** Returns the erasures of a subject's earlier accounts. */
export const findEarlierErasures = (db: Db, subject: string): Promise<Erasure[]> =>
  store.findSubjectErasures(db, hashSubject(subject));
