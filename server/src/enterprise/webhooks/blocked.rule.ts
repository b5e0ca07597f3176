import type { FailureState } from './failure.rule.ts';
import { MOST_BLOCKED } from './policy.rule.ts';

/** A subject whose events wait. */
export interface SubjectBlock extends FailureState {
  readonly subject: string;
  /** The first number of it that is not delivered. */
  readonly at: number;
  /** null: not before the customer resumes the endpoint. */
  readonly nextTryAt: Date | null;
}

/** A subject with what waits of it. */
interface SubjectBacklog extends SubjectBlock {
  /** The last number of it that was passed over. */
  readonly through: number;
}

const NOT_FAILED = { since: new Date(0), attempts: 0, problem: '', isAnnounced: false, nextTryAt: new Date(0) };

/**
 * Keeps the subjects of an endpoint whose events wait.
 * @param next the number that the endpoint goes on from
 */
export const createBlockedSubjects = (stored: readonly SubjectBlock[], next: number) => {
  const subjects = new Map<string, SubjectBacklog>(
    stored.map((one) => [one.subject, { ...one, through: Math.max(one.at, next - 1) }]),
  );
  const change = (subject: string, changed: Partial<SubjectBacklog>): void => {
    const one = subjects.get(subject);
    if (one) subjects.set(subject, { ...one, ...changed });
  };

  /** Returns a subject that waits. */
  const get = (subject: string): SubjectBacklog => subjects.get(subject) as SubjectBacklog;

  return {
    get,
    find: (subject: string): SubjectBacklog | undefined => subjects.get(subject),
    /** The blocked subjects that are tried again without a customer. */
    tried: (): readonly SubjectBacklog[] => [...subjects.values()].filter(({ nextTryAt }) => nextTryAt !== null),
    change,
    isEmpty: (): boolean => subjects.size === 0,
    isFull: (): boolean => subjects.size >= MOST_BLOCKED,
    /** Lets a subject wait from a number on, or changes one that waits. */
    block: (subject: string, changed: Partial<SubjectBacklog> & Pick<SubjectBacklog, 'at'>): void => {
      const merged = { subject, through: changed.at, ...NOT_FAILED, ...subjects.get(subject), ...changed };
      subjects.set(subject, { ...merged, through: Math.max(merged.through, merged.at) });
    },
    /** Notes an event of a subject that waits. Returns false if the subject does not. */
    hold: ({ subject, number }: { readonly subject: string; readonly number: number }): boolean => {
      const one = subjects.get(subject);
      if (one) subjects.set(subject, { ...one, through: Math.max(one.through, number) });
      return one !== undefined;
    },
    /** Lets all that failed be tried at once. */
    retryAll: (now: Date): void => {
      for (const { subject, nextTryAt } of subjects.values()) if (nextTryAt) change(subject, { nextTryAt: now });
    },
    /** Frees a subject of which nothing waits through a number. Returns false if more came meanwhile. */
    free: (subject: string, through: number): boolean => {
      if (get(subject).through > through) return false;
      return subjects.delete(subject);
    },
    stored: (): readonly SubjectBlock[] => [...subjects.values()].map(({ through, ...one }) => one),
  };
};
export type BlockedSubjects = ReturnType<typeof createBlockedSubjects>;
