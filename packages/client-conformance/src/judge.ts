import { type Check, COMMON_CHECKS } from './checks.ts';
import type { ClientRun } from './run.ts';

export const VERDICTS = ['passes', 'warns', 'fails'] as const;

/** `fails`: a must is broken. `warns`: only a should is. */
export interface ClientVerdict {
  readonly verdict: (typeof VERDICTS)[number];
  /** One sentence for each broken rule, musts first. Of rules that the same act breaks there is the first. */
  readonly reasons: readonly string[];
}

/** Judges a client by the rules of a scenario and those of all scenarios. */
export const judge = (checks: readonly Check[], run: ClientRun): ClientVerdict => {
  const all = [...COMMON_CHECKS, ...checks];
  const ordered = [...all.filter(({ level }) => level === 'must'), ...all.filter(({ level }) => level === 'should')];
  const reasons = new Map<string, string>();
  for (const { level, says, findBreach } of ordered) {
    const act = findBreach(run);
    if (act !== undefined && !reasons.has(act)) reasons.set(act, `${level}: ${says}; it ${act}`);
  }
  const broken = [...reasons.values()];
  const isBad = broken.some((reason) => reason.startsWith('must'));
  return { verdict: isBad ? 'fails' : broken.length > 0 ? 'warns' : 'passes', reasons: broken };
};
