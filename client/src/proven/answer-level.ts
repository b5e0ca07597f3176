/**
 * The worth of an answer, from the least to the most:
 *
 * - `unsigned`: nothing shows that it is what the record says
 * - `pending`: the record says so, and no checkpoint covers it yet
 * - `signed`: its entries are in the signed log, but no day of the log confirms its score
 * - `logged`: the log shows every field that `unproven` does not name, by its own signature alone
 * - `witnessed`: the log shows the same, and enough witnesses of the policy have signed the same log
 */
export type AnswerLevel = 'unsigned' | 'pending' | 'signed' | 'logged' | 'witnessed';

/**
 * Says whether the newest day in the log has the score that the facts of an answer give. `otherwise`: the score rests
 * on complaints that the record has otherwise, so no day can tell.
 */
export type ScoreEvidence = 'confirmed' | 'unconfirmed' | 'otherwise';

/** The evidence for an answer. */
export interface FoundEvidence {
  /** Number of entries that it was compared with. */
  readonly entries: number;
  /** How many of them the checkpoint does not cover. */
  readonly uncovered: number;
  /** Who signed the checkpoint: the log alone, or enough witnesses too. Undefined without a checkpoint. */
  readonly signed: 'signed' | 'witnessed' | undefined;
  /** Undefined for an answer without a score. */
  readonly score: ScoreEvidence | undefined;
}

/** A level, and the reason why it is not a higher one. */
export interface DecidedLevel {
  readonly level: AnswerLevel;
  /** Undefined for `witnessed`. */
  readonly why: string | undefined;
}

/** Decides what an answer is worth that no evidence contradicts. */
export const decideLevel = ({ entries, uncovered, signed, score }: FoundEvidence): DecidedLevel => {
  if (entries === 0) return { level: 'unsigned', why: 'no entry of the record says this' };
  if (signed === undefined) return { level: 'unsigned', why: 'the service has signed no checkpoint' };
  if (uncovered > 0)
    return { level: 'pending', why: `the newest checkpoint does not cover ${uncovered} of its entries` };
  if (score === 'unconfirmed')
    return { level: 'signed', why: 'no day of the log has a score by the same facts: it changed after the last one' };
  if (score === 'otherwise')
    return { level: 'signed', why: 'its score rests on complaints that the record has otherwise' };
  if (signed === 'signed') return { level: 'logged', why: 'the policy has no witnesses, or too few have signed yet' };
  return { level: 'witnessed', why: undefined };
};
