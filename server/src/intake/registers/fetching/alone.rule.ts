import { isHeld } from '../../../features/brokers/license-status.rule.ts';
import type { Finding } from '../compare.rule.ts';
import type { ApplyMode } from './configured.rule.ts';

/** Maximum of our licences that a file may end without a person: this share of the register's, or this number. */
const MOST_ENDED_ALONE = { share: 0.1, count: 2 } as const;

/** Changes that are written without a person. */
export interface UnattendedChanges {
  readonly findings: readonly Finding[];
  /** Reason why changes wait for a person. */
  readonly waits?: string;
}

/** Defers a change to a person: the licence stays unchanged, and counts as not confirmed. */
const deferChange = (finding: Finding): Finding => {
  if (finding.changes.length === 0) return finding;
  const { ours } = finding;
  return { ours, changes: [], status: ours.license.status, unclear: 'its change waits for a person' };
};

const endsLicence = ({ changes }: Finding): boolean => changes.includes('cancelled') || changes.includes('ceased');

/** Returns the reason why a person must approve so many changes, or undefined. A truncated list would end licences. */
const findApprovalReason = (findings: readonly Finding[]): string | undefined => {
  const held = findings.filter(({ ours }) => isHeld(ours.license));
  const ended = held.filter(endsLicence).length;
  const { share, count } = MOST_ENDED_ALONE;
  return ended > count && ended > held.length * share
    ? `It would end ${ended} licences of ours there, more than may end without a person.`
    : undefined;
};

/** Returns the changes that are written without a person; undefined if there are none. */
export const selectUnattended = (findings: readonly Finding[], mode: ApplyMode): UnattendedChanges | undefined => {
  if (mode === 'nothing') return undefined;
  const waits = mode === 'everything' ? findApprovalReason(findings) : undefined;
  if (mode === 'everything' && waits === undefined) return { findings };
  return { findings: findings.map(deferChange), ...(waits === undefined ? {} : { waits }) };
};
