import { isSame } from '../../ledger/statements/statement.rule.ts';
import type { MatchCandidate, WarningDoubt, WarningEvidence } from './match.rule.ts';
import { formatTitle, type WarningState } from './warning.rule.ts';

/** The ways in which a warning can concern a broker. */
export const ABOUT = {
  this_firm: 'it warns of this broker, whose score is at most 19 while it stands',
  clone_of_it: 'it warns of somebody who pretends to be this broker, whose score stays as it is',
} as const;
export type About = keyof typeof ABOUT;

/** States of a match. */
export const MATCH_STATES = {
  waiting: 'a person has to decide',
  unchecked: 'it is published, since LEI or licence number fit; no person has checked it',
  confirmed: 'a person says that it is right',
  rejected: 'a person says that it is wrong; it was never published',
  undone: 'it was published, and a person says that it was wrong',
  ended: 'the warning or the broker says nothing any more by which they would fit',
} as const;
export type MatchState = keyof typeof MATCH_STATES;

/** A match of a warning with a broker. */
export interface WarningMatch {
  readonly _id: string;
  readonly warning: string;
  /** Key of the authority, so that decisions on one warning hold for the next one. */
  readonly authority: string;
  /** Key of the broker. */
  readonly broker: string;
  /** Key of the merged broker for which it was decided; the decision holds only while the two are one. */
  readonly from?: string;
  readonly state: MatchState;
  /** null until decided. */
  readonly about: About | null;
  readonly evidence: readonly WarningEvidence[];
  /** The choice that a person is shown first. */
  readonly suggests: About;
  readonly grounds: readonly string[];
  readonly doubts: readonly WarningDoubt[];
  readonly foundAt: Date;
  /** Time of a person's decision. */
  readonly decidedAt: Date | null;
  /** Time when its publication was withdrawn. */
  readonly correctedAt: Date | null;
  /** Id of the news item that last announced the warning, so that a correction marks it. */
  readonly announced?: string;
  /** The published warning about the broker; null if none is published. */
  readonly published: PublishedWarning | null;
}

/** A published warning about a broker. */
export interface PublishedWarning {
  readonly source: string;
  readonly url: string;
  readonly title: string;
  readonly publishedAt: string;
  /** Present if the authority gives no day: it was published on or before `publishedAt`. */
  readonly dating?: 'on_or_before';
  readonly withdrawnAt?: string;
  readonly about: About | 'not_this_firm';
  readonly match: 'unchecked' | 'confirmed';
  readonly correctedAt?: string;
}

/** Returns the key of the authority: the code of the regulator, or else the name. */
export const toAuthorityKey = ({ authority: { code, name } }: Pick<WarningState, 'authority'>): string => code ?? name;

export const toMatchId = (warning: string, broker: string): string => `${warning}~${broker}`;

/** Returns the published part of a match. A wrong publication stays visible as withdrawn. */
const toPublished = (match: Omit<WarningMatch, 'published'>, warning: WarningState): PublishedWarning | null => {
  const { state, about, correctedAt } = match;
  const isShown = state === 'unchecked' || state === 'confirmed';
  if (!isShown && correctedAt === null) return null;
  return {
    source: warning.authority.name,
    url: warning.url,
    title: formatTitle(warning),
    publishedAt: warning.publishedAt ?? warning.publishedBy ?? warning.seenAt,
    ...(warning.publishedAt === null ? { dating: 'on_or_before' as const } : {}),
    ...(warning.withdrawnAt === null ? {} : { withdrawnAt: warning.withdrawnAt }),
    about: isShown ? (about ?? 'this_firm') : 'not_this_firm',
    match: state === 'unchecked' ? 'unchecked' : 'confirmed',
    ...(isShown || correctedAt === null ? {} : { correctedAt: correctedAt.toISOString() }),
  };
};

/** States that a person decided. No reading of a list changes them. */
const DECIDED: ReadonlySet<MatchState> = new Set(['confirmed', 'rejected', 'undone']);

/** Returns a match after a split of its broker: the decision for the merged broker is removed. */
export const withoutMerger = ({ from: _, ...match }: WarningMatch): WarningMatch => {
  const isShown = match.published !== null && match.published.about !== 'not_this_firm';
  return { ...match, state: isShown ? 'unchecked' : 'waiting', about: null, decidedAt: null };
};

/** The facts by which a match is evaluated again. */
export interface MatchInput {
  readonly warning: WarningState;
  /** The current candidate; undefined if nothing matches. */
  readonly found: MatchCandidate | undefined;
  readonly before: WarningMatch | undefined;
  /** True if a person withdrew a match of this authority with this broker on the same grounds. */
  readonly isUndoneBefore: boolean;
  /** True if the warning itself is new or has changed. */
  readonly isChanged?: boolean;
  readonly now: Date;
}

/**
 * Doubts that withdraw an automatic publication. Other doubts are only shown, so that a firm cannot remove a warning by
 * changing its name or opening another site.
 */
const TAKING_BACK: ReadonlySet<WarningDoubt> = new Set([
  'mentions_clone',
  'no_identifier',
  'contradicting_identifier',
  'several_match',
  'undone_before',
  'named_as_victim',
]);

/** Returns true if a person withdrew the match, or decided that it means a clone. */
export const isTakenBack = ({ state, about }: WarningMatch): boolean =>
  state === 'rejected' || state === 'undone' || about === 'clone_of_it';

const decideState = (
  { warning, found, before, isChanged }: MatchInput,
  doubts: readonly WarningDoubt[],
): MatchState | undefined => {
  if (before && DECIDED.has(before.state)) return before.state;
  // its run was undone, and the list was read again
  if (before?.state === 'ended' && before.about !== null && before.decidedAt !== null) return 'confirmed';
  const isPublished = before?.state === 'unchecked';
  if (warning.withdrawnAt !== null) return isPublished ? 'unchecked' : before && 'ended';
  if (!found) return before && 'ended';
  const counts = isPublished && !isChanged ? !doubts.some((doubt) => TAKING_BACK.has(doubt)) : found.counts;
  return counts && !doubts.includes('undone_before') ? 'unchecked' : 'waiting';
};

const toSuggestion = (found: MatchCandidate | undefined): About =>
  found?.suggests === 'clone_of' ? 'clone_of_it' : 'this_firm';

/** Evaluates a match again. Returns undefined if there is none, and `before` itself if nothing is new. */
export const evaluateMatch = (known: MatchInput): WarningMatch | undefined => {
  const { warning, found, before, isUndoneBefore, now } = known;
  const added: WarningDoubt[] = isUndoneBefore && (found?.grounds.length ?? 0) > 0 ? ['undone_before'] : [];
  const doubts = [...(found?.doubts ?? []), ...added];
  const state = decideState(known, doubts);
  if (state === undefined) return before;
  const broker = before?.broker ?? (found as MatchCandidate).broker.key;
  const isOpen = !DECIDED.has(state);
  const wasPublished = before?.state === 'unchecked';
  const match: Omit<WarningMatch, 'published'> = {
    _id: toMatchId(warning._id, broker),
    warning: warning._id,
    authority: toAuthorityKey(warning),
    broker,
    ...(before?.from === undefined ? {} : { from: before.from }),
    ...(before?.announced === undefined ? {} : { announced: before.announced }),
    state,
    about: isOpen ? (state === 'unchecked' ? 'this_firm' : null) : (before?.about ?? null),
    evidence: (isOpen ? found?.evidence : before?.evidence) ?? [],
    suggests: isOpen ? toSuggestion(found) : (before?.suggests ?? 'this_firm'),
    grounds: (isOpen ? found?.grounds : before?.grounds) ?? [],
    doubts: isOpen ? doubts : (before?.doubts ?? []),
    foundAt: before?.foundAt ?? now,
    decidedAt: before?.decidedAt ?? null,
    correctedAt:
      wasPublished && state !== 'unchecked' && isOpen
        ? now
        : state === 'unchecked' || state === 'confirmed'
          ? null
          : (before?.correctedAt ?? null),
  };
  const next = { ...match, published: toPublished(match, warning) };
  return before && isSame(toPlain(before), toPlain(next)) ? before : next;
};

/** Returns a match with its times as text, for comparison. */
const toPlain = (match: WarningMatch): object => ({
  ...match,
  foundAt: match.foundAt.toISOString(),
  decidedAt: match.decidedAt?.toISOString() ?? null,
  correctedAt: match.correctedAt?.toISOString() ?? null,
});

/** Returns the ended match of a warning that is no longer kept. Its publication is withdrawn. */
export const endMatch = (match: WarningMatch, warning: WarningState, now: Date): WarningMatch => {
  const { published, ...before } = match;
  const isPublished = published !== null && published.about !== 'not_this_firm';
  const ended = { ...before, state: 'ended' as const, correctedAt: isPublished ? now : match.correctedAt };
  return { ...ended, published: toPublished(ended, warning) };
};

/** A person's decision. */
export type WarningDecision =
  | { readonly kind: 'confirm'; readonly about: About }
  | { readonly kind: 'reject' | 'undo' };

/** Moves that a person can make, by state. Everything else is refused. */
const MOVES: Readonly<Record<WarningDecision['kind'], readonly MatchState[]>> = {
  confirm: ['waiting', 'unchecked', 'confirmed', 'rejected', 'undone'],
  reject: ['waiting'],
  undo: ['unchecked', 'confirmed'],
};

/** Returns true if a match in this state allows this decision. */
export const canDecide = (state: MatchState, kind: WarningDecision['kind']): boolean => MOVES[kind].includes(state);

/** Returns a match with a person's decision. */
export const applyDecision = (
  match: WarningMatch,
  warning: WarningState,
  decision: WarningDecision,
  now: Date,
): WarningMatch => {
  const { published: _, from: __, ...before } = match;
  const next: Omit<WarningMatch, 'published'> = {
    ...before,
    state: decision.kind === 'confirm' ? 'confirmed' : decision.kind === 'reject' ? 'rejected' : 'undone',
    about: decision.kind === 'confirm' ? decision.about : match.about,
    decidedAt: now,
    correctedAt: decision.kind === 'undo' ? now : decision.kind === 'confirm' ? null : match.correctedAt,
  };
  return { ...next, published: toPublished(next, warning) };
};

/** The public effect of a move, which is announced. */
export type Announcement = 'warned' | 'corrected' | 'checked' | 'withdrawn' | 'changed' | 'none';

/** Returns the public effect of a move. */
export const findAnnouncement = (before: PublishedWarning | null, after: PublishedWarning | null): Announcement => {
  if (isSame(before, after)) return 'none';
  if (after === null) return 'none';
  const stood = before !== null && before.about !== 'not_this_firm';
  if (after.about === 'not_this_firm') return stood ? 'corrected' : 'none';
  if (!stood) return 'warned';
  // changed between the firm and a clone
  if (before.about !== after.about) return after.about === 'this_firm' ? 'warned' : 'corrected';
  if (before.withdrawnAt === undefined && after.withdrawnAt !== undefined) return 'withdrawn';
  if (before.match !== after.match) return 'checked';
  return 'changed';
};
