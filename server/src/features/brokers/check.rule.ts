import type { PropertyClaim } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isFindingAbout, type LicenseFinding, toFindingProperty, toRenamedProperty } from './licenses.rule.ts';
import { type LicenseRecord, licenseKey } from './record.rule.ts';

/** What a register says about one licence. */
export interface CheckedLicense {
  /** The licence as it was compared. If it has changed since, nothing is written. */
  readonly compared: LicenseRecord;
  readonly status: LicenseRecord['status'];
  /** Since when, if the file says so or the status is new. */
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

const compareTime = (a: LicenseFinding, b: LicenseFinding): number =>
  (a.lastVerifiedAt ?? '') < (b.lastVerifiedAt ?? '') ? -1 : 1;

/** Returns since when the register has this status of a licence, as it said before. */
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
    // a file that has the old name again takes a new one back
    { property: toRenamedProperty(name), ...(newName === undefined ? {} : { value: { ...name, newName } }) },
  ];
};

/**
 * Returns what a register states about a broker: a finding for each licence, new names of holders, its own address, and
 * how far it went.
 * @param own what the register said before, by property
 */
export const toRegisterClaims = (
  { licenses, source, asOf, complete }: LicenseCheck,
  own: ReadonlyMap<string, unknown>,
): PropertyClaim[] => [
  ...licenses.flatMap((checked) => toLicenseClaims(checked, asOf, own)),
  { property: 'provenance', value: [{ fact: 'licenses', ...source, lastVerifiedAt: asOf }] },
  ...(complete ? [{ property: 'licensesCheckedAt', value: asOf }] : []),
];
