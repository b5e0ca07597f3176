import { isSame } from '../../ledger/statements/statement.rule.ts';
import type { MatchCandidate, WarningDoubt, WarningEvidence } from './match.rule.ts';
import { formatTitle, type WarningState } from './warning.rule.ts';

/** What a warning says of a broker. */
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
  /** Who warns, so that decisions on one warning hold for the next one. */
  readonly authority: string;
  /** Key of the broker. */
  readonly broker: string;
  /** Key of the merged broker for which it was decided; it holds only while the two are one. */
  readonly from?: string;
  readonly state: MatchState;
  /** null: not decided. */
  readonly about: About | null;
  readonly evidence: readonly WarningEvidence[];
  /** What a person is shown first. */
  readonly suggests: About;
  readonly grounds: readonly string[];
  readonly doubts: readonly WarningDoubt[];
  readonly foundAt: Date;
  /** When a person decided. */
  readonly decidedAt: Date | null;
  /** When it was taken back after it was published. */
  readonly correctedAt: Date | null;
  /** The news item that last said that the broker is warned of, so that a correction marks it. */
  readonly announced?: string;
  /** What is published of it as a warning of the broker; null: nothing. */
  readonly published: PublishedWarning | null;
}

/** A warning as it is published of a broker. */
export interface PublishedWarning {
  readonly source: string;
  readonly url: string;
  readonly title: string;
  readonly publishedAt: string;
  /** Present where the authority gives no day: it was published on `publishedAt` or before. */
  readonly dating?: 'on_or_before';
  readonly withdrawnAt?: string;
  readonly about: About | 'not_this_firm';
  readonly match: 'unchecked' | 'confirmed';
  readonly correctedAt?: string;
}

/** Returns who warns, by the code of the regulator if it has one. */
export const toAuthorityKey = ({ authority: { code, name } }: Pick<WarningState, 'authority'>): string => code ?? name;

export const toMatchId = (warning: string, broker: string): string => `${warning}~${broker}`;

/** Returns what is published of a match. What was published once, and was wrong, stays visible as taken back. */
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

/** States that a person decided: no reading of a list changes them. */
const DECIDED: ReadonlySet<MatchState> = new Set(['confirmed', 'rejected', 'undone']);

/** Returns what is left of a match that was decided for a broker which is by itself again: nothing is decided. */
export const withoutMerger = ({ from: _, ...match }: WarningMatch): WarningMatch => {
  const isShown = match.published !== null && match.published.about !== 'not_this_firm';
  return { ...match, state: isShown ? 'unchecked' : 'waiting', about: null, decidedAt: null };
};

/** What is known when a match is judged again. */
export interface MatchInput {
  readonly warning: WarningState;
  /** What fits now; undefined: nothing does. */
  readonly found: MatchCandidate | undefined;
  readonly before: WarningMatch | undefined;
  /** Whether a person took back a match of this authority with this broker on the same grounds. */
  readonly isUndoneBefore: boolean;
  /** Whether the warning itself is new or says something else than before. */
  readonly isChanged?: boolean;
  readonly now: Date;
}

/**
 * Doubts that take back what was published automatically. Others only show beside it: a firm that changes its name, or
 * opens another site, does not get rid of a warning by that.
 */
const TAKING_BACK: ReadonlySet<WarningDoubt> = new Set([
  'mentions_clone',
  'no_identifier',
  'contradicting_identifier',
  'several_match',
  'undone_before',
  'named_as_victim',
]);

/** Whether a person took back what fits on these grounds: that a clone was meant takes back, too. */
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

/** Judges a match again. Returns undefined if there is none, and `before` itself if nothing is new. */
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

/** Times as text, so that they can be compared. */
const toPlain = (match: WarningMatch): object => ({
  ...match,
  foundAt: match.foundAt.toISOString(),
  decidedAt: match.decidedAt?.toISOString() ?? null,
  correctedAt: match.correctedAt?.toISOString() ?? null,
});

/** Returns a match whose warning is kept no more. What was published of it is taken back. */
export const endMatch = (match: WarningMatch, warning: WarningState, now: Date): WarningMatch => {
  const { published, ...before } = match;
  const isPublished = published !== null && published.about !== 'not_this_firm';
  const ended = { ...before, state: 'ended' as const, correctedAt: isPublished ? now : match.correctedAt };
  return { ...ended, published: toPublished(ended, warning) };
};

/** What a person decides. */
export type WarningDecision =
  | { readonly kind: 'confirm'; readonly about: About }
  | { readonly kind: 'reject' | 'undo' };

/** Moves that a person can make, by state. Everything else is refused. */
const MOVES: Readonly<Record<WarningDecision['kind'], readonly MatchState[]>> = {
  confirm: ['waiting', 'unchecked', 'confirmed', 'rejected', 'undone'],
  reject: ['waiting'],
  undo: ['unchecked', 'confirmed'],
};

/** Returns whether a match in this state can be decided so. */
export const canDecide = (state: MatchState, kind: WarningDecision['kind']): boolean => MOVES[kind].includes(state);

/** Returns a match as a person decided it. */
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

/** What changes for the public by a move, so that it is announced. */
export type Announcement = 'warned' | 'corrected' | 'checked' | 'withdrawn' | 'changed' | 'none';

/** Returns what changed for the public. */
export const findAnnouncement = (before: PublishedWarning | null, after: PublishedWarning | null): Announcement => {
  if (isSame(before, after)) return 'none';
  if (after === null) return 'none';
  const stood = before !== null && before.about !== 'not_this_firm';
  if (after.about === 'not_this_firm') return stood ? 'corrected' : 'none';
  if (!stood) return 'warned';
  // about a clone after all, or about the firm after all
  if (before.about !== after.about) return after.about === 'this_firm' ? 'warned' : 'corrected';
  if (before.withdrawnAt === undefined && after.withdrawnAt !== undefined) return 'withdrawn';
  if (before.match !== after.match) return 'checked';
  return 'changed';
};
