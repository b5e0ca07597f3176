import type { PropertyClaim } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isFindingAbout, type LicenseFinding, toFindingProperty, toRenamedProperty } from './licenses.rule.ts';
import { type LicenseRecord, licenseKey } from './record.rule.ts';

/** A register's finding about one licence. */
export interface CheckedLicense {
  /** The licence as it was compared. If it has changed since, nothing is written. */
  readonly compared: LicenseRecord;
  readonly status: LicenseRecord['status'];
  /** Start of the status, if the file has it or the status is new. */
  readonly statusEffectiveAt: string | null;
  readonly activeSince?: string;
  readonly newName?: string;
}

/** A register's findings about the licences of one broker. */
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

const compareTime = (a: LicenseFinding, b: LicenseFinding): number =>
  (a.lastVerifiedAt ?? '') < (b.lastVerifiedAt ?? '') ? -1 : 1;

/** Returns the start of this licence status that the register stated earlier. */
const findEarlierSince = (
  { compared, status }: CheckedLicense,
  own: ReadonlyMap<string, unknown>,
): Partial<Pick<LicenseFinding, 'statusEffectiveAt' | 'activeSince'>> => {
  const before = [...own.values()].filter((value): value is LicenseFinding => isFindingAbout(value, compared));
  const same = before.filter((finding) => finding.status === status);
  const { statusEffectiveAt = null, activeSince } = same.toSorted(compareTime).at(-1) ?? {};
  return { statusEffectiveAt, ...(activeSince === undefined ? {} : { activeSince }) };
};

const toLicenseClaims = (checked: CheckedLicense, asOf: string, own: ReadonlyMap<string, unknown>): PropertyClaim[] => {
  const { compared, status, statusEffectiveAt, activeSince, newName } = checked;
  const { regulatorCode, referenceNumber, entity } = compared;
  const name = { regulatorCode, referenceNumber, holder: entity.legalName };
  const finding: LicenseFinding = {
    ...name,
    status,
    statusEffectiveAt,
    ...(statusEffectiveAt === null ? findEarlierSince(checked, own) : {}),
    ...(activeSince === undefined ? {} : { activeSince }),
    lastVerifiedAt: asOf,
  };
  return [
    { property: toFindingProperty(name), value: finding },
    // a file with the old name again withdraws a new name
    { property: toRenamedProperty(name), ...(newName === undefined ? {} : { value: { ...name, newName } }) },
  ];
};

/**
 * Returns a register's claims about a broker: a finding for each licence, new names of holders, the register's address,
 * and the extent of the check.
 * @param own the register's earlier claims, by property
 */
export const toRegisterClaims = (
  { licenses, source, asOf, complete }: LicenseCheck,
  own: ReadonlyMap<string, unknown>,
): PropertyClaim[] => [
  ...licenses.flatMap((checked) => toLicenseClaims(checked, asOf, own)),
  { property: 'provenance', value: [{ fact: 'licenses', ...source, lastVerifiedAt: asOf }] },
  ...(complete ? [{ property: 'licensesCheckedAt', value: asOf }] : []),
];
