/**
 * A second version of the methodology for tests, as a later release has it: values are whole numbers, and complaints
 * count in the month of the score alone. It replaces the contract's files with the list of versions and the one in
 * force.
 */
import type { Color, ComplaintMonth, Score } from '@broker-transparency/contract';
import type { Methodology, ScoreFacts } from '@broker-transparency/contract/score';
import * as first from '../../contract/src/score/in-force.ts';
import { METHODOLOGIES as KNOWN } from '../../contract/src/score/methodologies.ts';

export * from '../../contract/src/score/in-force.ts';
export * from '../../contract/src/score/methodology.ts';

export const METHODOLOGY_VERSION: string = '2098-1';

export const complaintCounts = (months: readonly ComplaintMonth[], at: Date) => {
  const own = at.toISOString().slice(0, 7);
  return first.complaintCounts(
    months.filter(({ month }) => month === own),
    at,
  );
};

export const scoreBroker = (facts: ScoreFacts, computedAt: string): Score => {
  const score = first.scoreBroker(facts, computedAt);
  const value = score.value === null ? null : Math.round(score.value);
  const color: Color = first.toScoreColor(value);
  return { ...score, methodologyVersion: METHODOLOGY_VERSION, value, color };
};

export const METHODOLOGIES: readonly Methodology[] = [
  ...KNOWN,
  {
    ...(KNOWN.at(-1) as Methodology),
    version: METHODOLOGY_VERSION,
    sha256: '2098'.repeat(16),
    score: scoreBroker,
    countComplaints: complaintCounts,
  },
];
