import { type Claim, findHolder } from '../../features/claims/claim.rule.ts';
import { HELD_MS, type HeldDecision, listHeldDecisions, listRefusedDecisions } from '../../features/moderation/held.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { describeField } from './fields.rule.ts';
import type { CaseFacts, DeskAction, DeskFormRules, DeskKind, DeskRow } from './kind.ts';
import { DESK_KINDS } from './kinds.ts';
import { begin, type CaseAddress, may, type Seat, toSight } from './seat.ts';

/** Most cases of one kind that the inbox reads. */
const MOST_READ = 500;
/** Most cases that it shows. */
const MOST_SHOWN = 100;

/** The filter of the inbox. */
export interface InboxFilter {
  readonly kind?: string | undefined;
  /** Slug of a broker. */
  readonly broker?: string | undefined;
  /** Those that the operator works on, or that nobody does. */
  readonly who?: 'me' | 'nobody' | undefined;
}

export const findKind = (name: string): DeskKind | undefined => DESK_KINDS.find(({ kind }) => kind === name);

/** Returns who works on a case now. */
export const toShownClaim = ({ clock, operator }: Seat, claim: Claim | undefined) => {
  const by = findHolder(claim, clock());
  return claim && by !== undefined ? { by, isYou: by === operator.name, until: claim.until } : undefined;
};

/** Lists the decisions of the operator that are not written yet, the last one at the end. */
export const listOwnHeld = async ({ db, operator }: Seat): Promise<HeldDecision[]> =>
  (await listHeldDecisions(db)).filter(({ by }) => by === operator.name);

/** Returns the last decision of the operator that can be taken back. */
const findHeld = async (seat: Seat) => {
  const last = (await listOwnHeld(seat)).at(-1);
  if (!last) return undefined;
  const { _id: id, kind: verdict, reasonCode, heldAt } = last;
  const what = `${verdict}${reasonCode === undefined ? '' : `, ${reasonCode}`}`;
  return { kind: 'review', id, what, until: new Date(heldAt.getTime() + HELD_MS) };
};

const byDue = (a: DeskRow, b: DeskRow): number =>
  a.dueAt.getTime() - b.dueAt.getTime() || a.since.getTime() - b.since.getTime() || (a.id < b.id ? -1 : 1);

/** Lists the cases that wait, by what is due, without those that are decided but not written. */
export const listWaiting = async (seat: Seat, { kind, broker, who }: InboxFilter): Promise<DeskRow[]> => {
  const kinds = DESK_KINDS.filter((one) => may(seat, one.lists) && (kind === undefined || one.kind === kind));
  const held = new Set((await listHeldDecisions(seat.db)).map(({ _id }) => _id));
  const lists = await Promise.all(kinds.map((one) => one.list(seat.db, seat.clock(), MOST_READ)));
  const wanted = who === 'me' ? seat.operator.name : undefined;
  return lists
    .flat()
    .filter((row) => !held.has(row.id) && (broker === undefined || row.broker === broker))
    .filter(({ claim }) => who === undefined || toShownClaim(seat, claim)?.by === wanted)
    .sort(byDue);
};

/** Reads the inbox: the kinds that the role of the operator may list. */
export const readInbox = async (seat: Seat, filter: InboxFilter) => {
  const kinds = DESK_KINDS.filter((one) => may(seat, one.lists));
  for (const { lists } of kinds) await begin(seat, lists);
  const all = await listWaiting(seat, { ...filter, kind: undefined });
  const rows = all.filter((row) => filter.kind === undefined || row.kind === filter.kind);
  return {
    kinds: kinds.map(({ kind, plural }) => ({ kind, plural, count: all.filter((row) => row.kind === kind).length })),
    rows: rows.slice(0, MOST_SHOWN).map(({ claim, ...row }) => ({ ...row, claim: toShownClaim(seat, claim) })),
    total: rows.length,
    held: await findHeld(seat),
    notWritten: await listRefusedDecisions(seat.db, seat.operator.name),
  };
};

/** Returns the fields of a form that one of these actions takes. */
const toFields = ({ fields }: DeskFormRules, actions: readonly DeskAction[]) =>
  fields
    .filter((name) => actions.some(({ takes }) => takes.includes(name)))
    .map((name) => ({
      ...describeField(name),
      isNeeded: actions.every(({ needs = [] }) => needs.includes(name)),
    }));

/** Returns the forms of a case that the operator may send in its state. */
const toForms = (seat: Seat, kind: DeskKind, { state, idle = [] }: CaseFacts) =>
  kind.forms
    .map((form) => ({
      form,
      actions: form.actions.filter(
        ({ action, states, command }) => states.includes(state) && !idle.includes(action) && may(seat, command),
      ),
    }))
    .filter(({ actions }) => actions.length > 0)
    .map(({ form, actions }) => ({
      fields: toFields(form, actions),
      buttons: actions.map(({ action, label, key, command, verdict }) => ({
        action,
        label,
        ...(key === undefined ? {} : { key }),
        command,
        hasStatement: verdict !== undefined,
      })),
    }));

/** Returns a case with the decisions that the operator can make; undefined if there is none. */
export const openCase = async (seat: Seat, { kind: name, id }: CaseAddress) => {
  const kind = findKind(name);
  if (!kind) return undefined;
  await begin(seat, kind.shows);
  const facts = await kind.open(seat.db, id, toSight(seat), seat.clock()).catch((error: unknown) => {
    if (error instanceof DomainError) return undefined;
    throw error;
  });
  if (!facts) return undefined;
  const isHeld = (await listHeldDecisions(seat.db)).some(({ _id }) => name === 'review' && _id === id);
  const claim = toShownClaim(seat, facts.claim);
  const isFree = !isHeld && (claim === undefined || claim.isYou);
  const forms = isFree ? toForms(seat, kind, facts) : [];
  const canClaim = forms.length > 0 && may(seat, kind.claims);
  const { idle: _, ...shown } = facts;
  return { ...shown, kind: name, id, claim, held: await findHeld(seat), isDecided: isHeld, forms, canClaim };
};
