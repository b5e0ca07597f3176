import { takeBackDecision, writeDecisions } from '../../features/moderation/held.ts';
import { buildStatement, computeAppealEnd, findAppellant } from '../../features/moderation/statement.rule.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readFields } from './fields.rule.ts';
import { findKind, type InboxFilter, listOwnHeld, listWaiting, toShownClaim } from './inbox.ts';
import type { DeskKind } from './kind.ts';
import { begin, type CaseAddress, type DeskProblem, may, type Seat, toProblem, toSight } from './seat.ts';

const DAY = 86_400_000;

type SentFields = Readonly<Record<string, string | undefined>>;

/** Returns true if the operator may make at least one of the decisions about cases of a kind. */
const mayWork = (seat: Seat, { claims, forms }: DeskKind): boolean =>
  may(seat, claims) && forms.some(({ actions }) => actions.some(({ command }) => may(seat, command)));

/** Judges and notes a claim. Nobody may reserve a case that they cannot decide. @throws DomainError invalid_token */
const beginClaim = (seat: Seat, kind: DeskKind): Promise<Context> => {
  const [command = kind.claims] = kind.forms.flatMap(({ actions }) => actions.map((one) => one.command));
  return begin(seat, mayWork(seat, kind) ? kind.claims : command);
};

/** Claims the next case that waits after another one. Returns undefined if there is none. */
export const claimNextCase = async (
  seat: Seat,
  { after, ...filter }: InboxFilter & { readonly after?: string | undefined },
): Promise<CaseAddress | undefined> => {
  const rows = await listWaiting(seat, filter);
  const at = rows.findIndex(({ id }) => id === after);
  for (const { kind: name, id, claim } of rows.slice(at + 1)) {
    const kind = findKind(name);
    const holder = toShownClaim(seat, claim);
    if (!kind || !mayWork(seat, kind) || (holder && !holder.isYou)) continue;
    const context = await beginClaim(seat, kind);
    const isClaimed = await kind.claim(context, id).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DomainError) return false; // somebody was faster
        throw error;
      },
    );
    if (isClaimed) return { kind: name, id };
  }
  return undefined;
};

/** Finds an action of a kind of case, and reads its fields. */
const readAction = ({ kind: name }: CaseAddress, wanted: string, fields: SentFields) => {
  const kind = findKind(name);
  if (!kind) return undefined;
  for (const form of kind.forms) {
    const action = form.actions.find((one) => one.action === wanted);
    if (action) return { kind, action, read: readFields(action, form.fields, fields) };
  }
  return undefined;
};

/**
 * Makes a decision; undefined if there is no such action. `notWritten`: reviews that the operator decided before, and
 * that cannot be decided any more. `stays`: the case is not decided by it.
 */
export const decideCase = async (
  seat: Seat,
  address: CaseAddress,
  name: string,
  fields: SentFields,
): Promise<DeskProblem | { readonly notWritten: readonly string[]; readonly stays: boolean } | undefined> => {
  const asked = readAction(address, name, fields);
  if (!asked) return undefined;
  const { action, read } = asked;
  const context = await begin(seat, action.command);
  if ('fault' in read) return { problem: read.fault.text, field: read.fault.field };
  try {
    await action.run(context, address.id, read.given);
  } catch (error) {
    return toProblem(context, action.command, error);
  }
  const { stays = false } = action;
  if (!action.isHeld) return { notWritten: [], stays };
  const isEarlier = ({ by, _id }: { by: string; _id: string }) => by === seat.operator.name && _id !== address.id;
  return { notWritten: (await writeDecisions(context, isEarlier)).refused, stays };
};

/**
 * Returns the statement of reasons of a decision that is not made yet, as its reader gets it; undefined if it has none.
 */
export const previewStatement = async (seat: Seat, address: CaseAddress, name: string, fields: SentFields) => {
  const asked = readAction(address, name, fields);
  if (!asked?.action.verdict) return undefined;
  const { action, read } = asked;
  const context = await begin(seat, action.command);
  if ('fault' in read) return { problem: read.fault.text, field: read.fault.field };
  try {
    const verdict = asked.action.verdict(read.given);
    const { isReported = false } = await asked.kind.open(seat.db, address.id, toSight(seat), seat.clock());
    const now = seat.clock();
    const { days } = read.given;
    const until = days === undefined ? undefined : new Date(now.getTime() + days * DAY);
    const statement = buildStatement(verdict, { isReported, until });
    const reader = findAppellant(verdict.kind) ?? 'author';
    const times = { decidedAt: now.toISOString(), appealUntil: computeAppealEnd(now).toISOString() };
    return { reader, decision: { decision: verdict.kind, statement, ...times, opening: null } };
  } catch (error) {
    return toProblem(context, action.command, error);
  }
};

/** Reserves a case for the operator. */
export const claimForSeat = async (seat: Seat, { kind: name, id }: CaseAddress): Promise<DeskProblem | undefined> => {
  const kind = findKind(name);
  if (!kind) return { problem: 'There is no such case.' };
  const context = await beginClaim(seat, kind);
  return kind.claim(context, id).then(
    () => undefined,
    (error: unknown) => toProblem(context, kind.claims, error),
  );
};

/** Gives a case back, if the operator holds it. */
export const releaseFromSeat = async (seat: Seat, { kind: name, id }: CaseAddress): Promise<undefined> => {
  const kind = findKind(name);
  if (!kind) return undefined;
  const context = await begin(seat, kind.claims);
  await kind.release(context, id).catch((error: unknown) => toProblem(context, kind.claims, error));
  return undefined;
};

/** Takes the last decision back that is not written. Returns its case; undefined if there is none any more. */
export const undoLast = async (seat: Seat): Promise<CaseAddress | undefined> => {
  const last = (await listOwnHeld(seat)).at(-1);
  if (!last) return undefined;
  const context = await begin(seat, `review ${last.kind}`);
  return (await takeBackDecision(context, last._id)) ? { kind: 'review', id: last._id } : undefined;
};
