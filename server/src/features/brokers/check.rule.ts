import { DomainError } from '../../platform/domain-error.ts';
import type { Said } from '../../platform/statements/statement.rule.ts';
import { findingProperty, type LicenseFinding, renamedProperty } from './licenses.rule.ts';
import { type LicenseRecord, licenseKey } from './record.rule.ts';

/** What a register says about one licence. */
export interface CheckedLicense {
  /** The licence as it was compared. If it has changed since, nothing is written. */
  readonly compared: LicenseRecord;
  readonly status: LicenseRecord['status'];
  readonly statusEffectiveAt: string | null;
  readonly activeSince?: string;
  readonly newName?: string;
}

/** What a register says about one broker's licences. */
export interface LicenseCheck {
  /** Name of the register, such as `asic`. */
  readonly register: string;
  readonly asOf: string;
  /** True if every licence of the broker with this regulator was found. */
  readonly complete: boolean;
  readonly source: { readonly sourceUrl: string; readonly attribution: string };
  readonly licenses: readonly CheckedLicense[];
}

/** @throws DomainError state_conflict if a licence is no longer as it was compared */
export const requireCompared = (slug: string, licenses: readonly LicenseRecord[], check: LicenseCheck): void => {
  const now = new Map(licenses.map((license) => [licenseKey(slug, license), license]));
  for (const { compared } of check.licenses) {
    const license = now.get(licenseKey(slug, compared));
    if (license?.status !== compared.status || license.lastVerifiedAt !== compared.lastVerifiedAt)
      throw new DomainError('state_conflict', `${slug} was changed while the file was read: check again.`);
  }
};

const saidOf = (
  { compared, status, statusEffectiveAt, activeSince, newName }: CheckedLicense,
  asOf: string,
): Said[] => {
  const { regulatorCode, referenceNumber, entity } = compared;
  const name = { regulatorCode, referenceNumber, holder: entity.legalName };
  const since = activeSince === undefined ? {} : { activeSince };
  const finding: LicenseFinding = { ...name, status, statusEffectiveAt, ...since, lastVerifiedAt: asOf };
  return [
    { property: findingProperty(name), value: finding },
    // a file that has the old name again takes a new one back
    { property: renamedProperty(name), ...(newName === undefined ? {} : { value: { ...name, newName } }) },
  ];
};

/**
 * Returns what a register states about a broker: a finding for each licence, new names of holders, its own address, and
 * how far it went.
 */
export const saidByRegister = ({ licenses, source, asOf, complete }: LicenseCheck): Said[] => [
  ...licenses.flatMap((checked) => saidOf(checked, asOf)),
  { property: 'provenance', value: [{ fact: 'licenses', ...source, lastVerifiedAt: asOf }] },
  ...(complete ? [{ property: 'licensesCheckedAt', value: asOf }] : []),
];
