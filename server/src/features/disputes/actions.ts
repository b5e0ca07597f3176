import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type DisputeField, WebUrl } from '@broker-transparency/contract';
import type { Principal } from '../../http/auth/access.ts';
import { actorKey } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { listStatements, type StoredStatement } from '../../ledger/statements/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { markBrokersDirty } from '../brokers/changed.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { readKnownBrokers } from '../brokers/known.ts';
import { requireUnclaimedCase } from '../claims/actions.ts';
import { notifyPerson, saveVerifiedAddress } from '../notices/tell.ts';
import { findSpeakingRight, requireRepresentation } from '../representatives/facts.ts';
import { requireNotOwn } from '../representatives/own-cases.ts';
import { mayDispute } from '../representatives/rights.rule.ts';
import { toDisputeEntry } from './entries.rule.ts';
import { MOST_LINKS, MOST_NEW, MOST_OPEN, TEXT_LENGTH } from './policy.rule.ts';
import { type ChangingStatement, type DisputeVerdict, findChangeFault, requireDisputeMove } from './status.rule.ts';
import * as store from './store.ts';

export type { DisputeVerdict } from './status.rule.ts';

/** Letters and digits that are not confused with each other when spoken. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';

const newReference = (): string =>
  `D-${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

const DAY_MS = 86_400_000;

const toAuditSubject = (reference: string) => ({ kind: 'dispute', id: reference }) as const;

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** Stores and publishes the new state of a dispute. */
const publish = async (c: TxContext, dispute: store.DisputeDocument): Promise<void> => {
  c.publish({ ...toDisputeEntry(dispute), cause: 'fact' });
  await markBrokersDirty(c, [dispute.broker]);
};

/** A new dispute. */
export interface NewDispute {
  readonly field: DisputeField;
  readonly text: string;
  /** Links to evidence. */
  readonly evidence: readonly string[];
}

/** @throws DomainError invalid_input */
const requireUsable = ({ text, evidence }: NewDispute): void => {
  const { length } = text.trim();
  if (length < TEXT_LENGTH.min || length > TEXT_LENGTH.max)
    throw new DomainError('invalid_input', `The text has ${TEXT_LENGTH.min} to ${TEXT_LENGTH.max} characters.`);
  if (evidence.length > MOST_LINKS)
    throw new DomainError('invalid_input', `A dispute can have at most ${MOST_LINKS} links to evidence.`);
  const fault = evidence.find((link) => !WebUrl.safeParse(link).success);
  if (fault !== undefined)
    throw new DomainError('invalid_input', `"${fault.slice(0, 100)}" is not a link to a web page.`);
};

/**
 * Opens a dispute of a fact about a broker, for which the person has to answer. Their verified address is told the
 * outcome.
 * @throws DomainError not_found, invalid_input, state_conflict
 */
export const openDispute = (
  context: Context,
  person: Principal,
  slug: string,
  given: NewDispute,
): Promise<store.DisputeDocument> => {
  requireUsable(given);
  return inTransaction(context, async (c) => {
    const { accountId } = person;
    const { representative, broker } = await requireRepresentation(c, accountId, slug);
    if (!mayDispute(broker)) throw conflict(`${broker.name} cannot dispute facts.`);
    if ((await store.countOpen(broker.keys, c.tx)) >= MOST_OPEN)
      throw conflict(`${MOST_OPEN} disputes of this firm are open already: wait for a decision, or withdraw one.`);
    const since = new Date(c.now.getTime() - MOST_NEW.days * DAY_MS);
    if ((await store.countOpened(broker.keys, since, c.tx)) >= MOST_NEW.count)
      throw conflict(
        `This firm opened ${MOST_NEW.count} disputes within ${MOST_NEW.days} days: open the next one later.`,
      );
    const { field, text, evidence } = given;
    const dispute: store.DisputeDocument = {
      _id: newReference(),
      broker: broker.key,
      field,
      status: 'open',
      text: text.trim(),
      evidence,
      textState: 'waiting',
      representative,
      accountId,
      createdAt: c.now,
    };
    await store.insertDispute(dispute, c.tx).catch((error: unknown) => {
      throw isDuplicateKey(error) ? conflict('A dispute of this fact is open already.') : error;
    });
    await saveVerifiedAddress(c, person);
    await publish(c, dispute);
    const after = { status: 'open', field, broker: broker.key };
    c.audit('dispute.opened', toAuditSubject(dispute._id), { before: null, after, reason: 'submitted' });
    return dispute;
  });
};

/** @throws DomainError not_found */
const requireDispute = async (c: TxContext, reference: string): Promise<store.DisputeDocument> => {
  const dispute = await store.findDispute(c.db, reference, c.tx);
  if (dispute) return dispute;
  throw new DomainError('not_found', `No dispute has the reference "${reference}". See: dispute list`);
};

/** Takes a dispute back. Whoever answers for the broker can do so. @throws DomainError not_found, state_conflict */
export const withdrawDispute = (
  context: Context,
  accountId: string,
  slug: string,
  reference: string,
): Promise<store.DisputeDocument> =>
  inTransaction(context, async (c) => {
    const { broker } = await requireRepresentation(c, accountId, slug);
    const dispute = await requireDispute(c, reference);
    if (!broker.keys.includes(dispute.broker))
      throw new DomainError('not_found', `The firm "${slug}" has no dispute "${reference}".`);
    requireDisputeMove(dispute, 'withdrawn');
    const textState = dispute.textState === 'erased' ? 'erased' : 'hidden';
    const set = { status: 'withdrawn', decidedAt: c.now, textState } as const;
    await store.changeDispute(reference, set, c.tx);
    await publish(c, { ...dispute, ...set });
    const [before, after] = [{ status: dispute.status }, { status: 'withdrawn' }];
    c.audit('dispute.withdrawn', toAuditSubject(reference), { before, after, reason: 'author_request' });
    return { ...dispute, ...set };
  });

/** Returns which properties a statement states otherwise than the newest earlier one that states them. */
const listChanged = (statements: readonly StoredStatement[], { version, said }: StoredStatement): string[] =>
  said
    .filter(({ property, value }) => {
      const before = statements
        .filter((one) => one.version < version && one.said.some((claim) => claim.property === property))
        .reduce<StoredStatement | undefined>(
          (last, one) => (last && last.version > one.version ? last : one),
          undefined,
        );
      return !before?.said.some((claim) => claim.property === property && isDeepStrictEqual(claim.value, value));
    })
    .map(({ property }) => property);

/**
 * Finds the statements of a number about a broker: about the one that it has become by mergers, then about itself.
 */
const findStatements = async (
  c: TxContext,
  broker: string,
  version: number | undefined,
): Promise<ChangingStatement[]> => {
  if (version === undefined) return [];
  const current = (await resolveSlugs(c.db, [broker], { session: c.tx }))(broker);
  const keys = [...new Set([...(current ? [current.key, ...current.keys] : []), broker])];
  const known = await readKnownBrokers(keys, c.tx);
  const subjects = new Set([...known.values()].map(({ subject }) => subject._id));
  const found: ChangingStatement[] = [];
  for (const id of subjects) {
    const statements = await listStatements(c.db, id);
    const one = statements.find((statement) => statement.version === version);
    if (one) {
      const properties = one.said.map(({ property }) => property);
      found.push({ recordedAt: one.recordedAt, properties, changed: listChanged(statements, one) });
    }
  }
  return found;
};

/** @throws DomainError invalid_input if none of the statements of this number changed the fact */
const requireChange = async (c: TxContext, dispute: store.DisputeDocument, statement: number | undefined) => {
  const [first, ...others] = await findStatements(c, dispute.broker, statement);
  const faults = [first, ...others].map((found) => findChangeFault(dispute, statement, found));
  if (faults[0] !== undefined && !faults.includes(undefined)) throw new DomainError('invalid_input', faults[0]);
};

/** Returns whose case a dispute is. */
const toSides = ({ _id, accountId, broker }: store.DisputeDocument) => ({
  what: `dispute ${_id}`,
  accounts: [accountId],
  brokers: [broker],
});

/**
 * Decides a dispute. To uphold it, the fact has to be changed first, and the statement that did so is named.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError not_found, invalid_input, state_conflict
 */
export const decideDispute = (
  context: Context,
  reference: string,
  verdict: DisputeVerdict,
): Promise<store.DisputeDocument> =>
  inTransaction(context, async (c) => {
    const dispute = await requireDispute(c, reference);
    await requireUnclaimedCase(c, 'dispute', reference);
    const status = verdict.kind === 'uphold' ? 'upheld' : 'rejected';
    requireDisputeMove(dispute, status);
    await requireNotOwn(c, toSides(dispute));
    const { change, statement } = verdict.kind === 'uphold' ? verdict : { change: undefined, statement: undefined };
    if (verdict.kind === 'uphold') await requireChange(c, dispute, statement);
    const note = verdict.note?.trim();
    const set = {
      status,
      decidedAt: c.now,
      decidedBy: actorKey(c.actor),
      ...(change === undefined ? {} : { change }),
      ...(statement === undefined ? {} : { statement }),
      ...(note === undefined ? {} : { note }),
    } as const;
    await store.changeDispute(reference, set, c.tx);
    await publish(c, { ...dispute, ...set });
    const after = { status, change: change ?? null, statement: statement ?? null };
    const reason = status === 'upheld' ? 'fact_changed' : 'fact_stays';
    c.audit('dispute.decided', toAuditSubject(reference), { before: { status: dispute.status }, after, reason });
    const facts = note === undefined ? {} : { facts: note };
    const told = { reference, broker: dispute.broker, outcome: status, ...facts };
    await notifyPerson(c, dispute.accountId, 'dispute.decided', told);
    return { ...dispute, ...set };
  });

/**
 * Decides whether the text of a dispute is public. It can be decided again, unless the firm took the
 * dispute back: then it stays hidden.
 * @throws NeedsAnother for whoever takes part in it
 * @throws DomainError not_found, state_conflict
 */
export const decideDisputeText = (
  context: Context,
  reference: string,
  textState: 'shown' | 'hidden',
): Promise<store.DisputeDocument> =>
  inTransaction(context, async (c) => {
    const dispute = await requireDispute(c, reference);
    await requireUnclaimedCase(c, 'dispute', reference);
    await requireNotOwn(c, toSides(dispute));
    if (dispute.status === 'withdrawn' && textState === 'shown')
      throw conflict(`The firm took dispute ${reference} back: its text stays hidden.`);
    if (dispute.textState === 'erased' || dispute.textState === textState)
      throw conflict(`The text of dispute ${reference} is ${dispute.textState}.`);
    if (textState === 'shown' && !(await findSpeakingRight(c.db, dispute.representative, c.tx)).holds)
      throw conflict(`The person who wrote dispute ${reference} no longer answers for the firm: hide its text.`);
    await store.changeDispute(reference, { textState }, c.tx);
    await markBrokersDirty(c, [dispute.broker]);
    const change = { before: { text: dispute.textState }, after: { text: textState }, reason: 'operator_command' };
    c.audit('dispute.text_decided', toAuditSubject(reference), change);
    return { ...dispute, textState };
  });
