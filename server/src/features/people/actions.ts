import { entriesAbout, type StoredEntry } from '../../platform/audit/store.ts';
import { type Context, fixedAt, inTransaction, type TxContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { snapshot, type Tx } from '../../platform/mongo.ts';
import { accountGone } from '../accounts/actions.ts';
import { settleBlocks } from '../accounts/blocks.ts';
import { accountsOfPerson, findAccount, findSubject } from '../accounts/facts.ts';
import type { Person } from '../personal-data.ts';
import { appendToList, readList } from './list.ts';
import type { ErasureReason } from './policy.rule.ts';
import { type Erasure, hashSubject } from './record.rule.ts';
import { PERSONAL_DATA_SOURCES } from './sources.ts';
import * as store from './store.ts';

/** Rows of each kind that are erased in one transaction: nearly everybody's fit into one. */
const BATCH = 500;

/** What was erased of one account, by collection. */
export interface ErasureReport {
  readonly accountId: string;
  readonly erasedAt: Date;
  readonly erased: Readonly<Record<string, number>>;
}

const personOf = ({ accountId, personHash, erasedAt }: Erasure) => ({
  accountIds: [accountId],
  personHashes: personHash === undefined ? [] : [personHash],
  until: erasedAt,
});

type Erasing = 'account.erased' | 'account.erased_again';

/** One transaction's worth. The erasure itself is stored with its first part. */
const eraseBatch = async (c: TxContext, erasure: Erasure, action: Erasing) => {
  await store.keepErasure(erasure, c.tx);
  const erased: Record<string, number> = {};
  for (const source of PERSONAL_DATA_SOURCES) {
    const count = await source.erase(c, personOf(erasure), BATCH);
    if (count > 0) erased[source.collections[0] as string] = count;
  }
  if (Object.keys(erased).length === 0) await store.setFinished(erasure, c.now, c.tx);
  else {
    const change = { before: { erased: false }, after: { erased: true, ...erased }, reason: erasure.reason };
    c.audit(action, { kind: 'account', id: erasure.accountId }, change);
  }
  return erased;
};

/**
 * Erases until a transaction finds nothing. That one comes after the account is gone, so it sees what was written while
 * the first one ran; who writes later finds the account gone, see `takeBackIfErased`.
 */
const erase = async (context: Context, erasure: Erasure, action: Erasing): Promise<ErasureReport> => {
  const total: Record<string, number> = {};
  for (;;) {
    const erased = await inTransaction(context, (c) => eraseBatch(c, erasure, action));
    for (const [name, count] of Object.entries(erased)) total[name] = (total[name] ?? 0) + count;
    if (Object.keys(erased).length === 0)
      return { accountId: erasure.accountId, erasedAt: erasure.erasedAt, erased: total };
  }
};

/**
 * To be called when something that an account sent is committed: its author may have been erased meanwhile.
 * @throws DomainError invalid_token, after it was erased too
 */
export const takeBackIfErased = async (context: Context, accountId: string): Promise<void> => {
  if (await findAccount(accountId)) return;
  const erasure = await store.findErasure(accountId);
  if (erasure) await erase(context, erasure, 'account.erased_again');
  throw accountGone();
};

/** The accounts of a subject's person as erasures; those of an earlier run where it was cut short. */
const erasuresFor = async (
  subject: string,
  reason: ErasureReason,
  at: Date,
): Promise<readonly [Erasure[], boolean]> => {
  const account = await findSubject(subject);
  if (account) {
    const accounts = await accountsOfPerson(account);
    const erasures = accounts.map(({ _id, subject: name, kyc: { personHash } }) => ({
      accountId: _id,
      subjectHash: hashSubject(name),
      reason,
      erasedAt: at,
      ...(personHash === undefined ? {} : { personHash }),
    }));
    return [erasures, true];
  }
  const earlier = await store.erasuresOfSubject(hashSubject(subject));
  if (earlier.length === 0)
    throw new DomainError('not_found', `No account has the subject "${subject}". See: account list`);
  return [earlier, false];
};

/**
 * Erases the person behind a subject from everywhere, all accounts of theirs. It is written to the list first, so that
 * a fault in the middle leaves something to go on from: run it again, or replay the list.
 * @throws DomainError not_found
 */
export const erasePerson = async (
  context: Context,
  subject: string,
  reason: ErasureReason,
  listPath: string,
): Promise<ErasureReport[]> => {
  const [erasures, isNew] = await erasuresFor(subject, reason, context.clock());
  if (isNew) await appendToList(listPath, erasures);
  const ids = erasures.map(({ accountId }) => accountId);
  await inTransaction(context, (c) => settleBlocks(c, ids)); // a block outlives the accounts
  const reports: ErasureReport[] = [];
  for (const erasure of erasures) reports.push(await erase(context, erasure, 'account.erased'));
  return reports;
};

/** What a replay found. */
export interface Replay {
  /** People on the list. */
  readonly listed: number;
  /** Those of whom something was left. */
  readonly again: readonly ErasureReport[];
  /** Numbers of lines that could not be read. */
  readonly unreadable: readonly number[];
}

/**
 * Erases everybody on the list again, as after a restore from a backup that is older than an erasure. List and database
 * are completed from each other. Where nothing is left, nothing happens.
 */
export const replayErasures = async (context: Context, listPath: string): Promise<Replay> => {
  const list = await readList(listPath);
  const stored = await store.allErasures();
  const listed = new Set(list.erasures.map(({ accountId }) => accountId));
  await appendToList(
    listPath,
    stored.filter(({ accountId }) => !listed.has(accountId)),
  );
  const all = new Map([...stored, ...list.erasures].map((erasure) => [erasure.accountId, erasure]));
  const again: ErasureReport[] = [];
  for (const erasure of all.values()) {
    const report = await erase(context, erasure, 'account.erased_again');
    if (Object.keys(report.erased).length > 0) again.push(report);
  }
  return { listed: all.size, again, unreadable: list.unreadable };
};

/** What the audit trail calls what people have. */
const AUDITED = ['account', 'token', 'review', 'report', 'appeal', 'complaint'] as const;

type Held = Readonly<Record<string, readonly object[]>>;

/** By the names that the audit trail has for them: tokens have an `id` beside the hash they are stored under. */
const idsOf = (held: Held): string[] =>
  Object.values(held).flatMap((rows) =>
    rows.flatMap((row) => ('id' in row ? String(row.id) : '_id' in row ? String(row._id) : [])),
  );

/** An entry as the person may read it: that an operator acted, and not which one. */
const withoutOperator = ({ actor, ...entry }: StoredEntry) => ({
  ...entry,
  actor: actor.type === 'operator' ? { type: actor.type } : actor,
});

const collect = async (person: Person, tx: Tx): Promise<Held> => {
  const held: Record<string, readonly object[]> = {};
  for (const source of PERSONAL_DATA_SOURCES) Object.assign(held, await source.held(person, tx));
  const audit = await entriesAbout(person.accountIds, AUDITED, idsOf(held), tx);
  return { ...held, audit: audit.map(withoutOperator) };
};

/**
 * Everything that is held about the person behind a subject, on one snapshot, but for names and notes of those who work
 * on it.
 * @throws DomainError not_found
 */
export const exportPerson = async (context: Context, subject: string) => {
  const account = await findSubject(subject);
  if (!account) throw new DomainError('not_found', `No account has the subject "${subject}". See: account list`);
  const accounts = await accountsOfPerson(account);
  const person = {
    accountIds: accounts.map(({ _id }) => _id),
    personHashes: [...new Set(accounts.flatMap(({ kyc }) => kyc.personHash ?? []))],
    until: context.clock(),
  };
  const held = await snapshot((tx) => collect(person, tx));
  const after = Object.fromEntries(Object.entries(held).map(([name, rows]) => [name, rows.length]));
  await inTransaction(fixedAt(context, person.until), async ({ audit }) =>
    audit('account.exported', { kind: 'account', id: account._id }, { before: null, after, reason: 'subject_access' }),
  );
  return { subject, exportedAt: person.until, ...held };
};

/** Erasures of a subject's earlier accounts. */
export const earlierErasures = (subject: string): Promise<Erasure[]> => store.erasuresOfSubject(hashSubject(subject));
