import { isHeld } from '../../../features/brokers/license-status.rule.ts';
import type { Finding } from '../compare.rule.ts';
import type { ApplyMode } from './configured.rule.ts';

/** Most licences of ours that a file may end without a person: this share of those there, or this many. */
const MOST_ENDED_ALONE = { share: 0.1, count: 2 } as const;

/** What is written without a person. */
export interface UnattendedChanges {
  readonly findings: readonly Finding[];
  /** Why changes wait for a person. */
  readonly waits?: string;
}

/** Lets a change wait for a person: the licence stays as it is, and counts as not confirmed. */
const deferChange = (finding: Finding): Finding => {
  if (finding.changes.length === 0) return finding;
  const { ours } = finding;
  return { ours, changes: [], status: ours.license.status, unclear: 'its change waits for a person' };
};

const endsLicence = ({ changes }: Finding): boolean => changes.includes('cancelled') || changes.includes('ceased');

/** Returns why so many changes at once need a person, or undefined. A list that lost its rows ends licences. */
const findApprovalReason = (findings: readonly Finding[]): string | undefined => {
  const held = findings.filter(({ ours }) => isHeld(ours.license));
  const ended = held.filter(endsLicence).length;
  const { share, count } = MOST_ENDED_ALONE;
  return ended > count && ended > held.length * share
    ? `It would end ${ended} licences of ours there, more than may end without a person.`
    : undefined;
};

/** Returns what is written without a person; undefined: nothing. */
export const selectUnattended = (findings: readonly Finding[], mode: ApplyMode): UnattendedChanges | undefined => {
  if (mode === 'nothing') return undefined;
  const waits = mode === 'everything' ? findApprovalReason(findings) : undefined;
  if (mode === 'everything' && waits === undefined) return { findings };
  return { findings: findings.map(deferChange), ...(waits === undefined ? {} : { waits }) };
};
