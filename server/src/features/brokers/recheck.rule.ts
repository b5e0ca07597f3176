import { DomainError } from '../../platform/domain-error.ts';
import { type BrokerRecord, type LicenseRecord, licenseKey } from './record.rule.ts';

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
  readonly asOf: string;
  /** True if every licence of the broker with this regulator was found. */
  readonly complete: boolean;
  readonly source: { readonly sourceUrl: string; readonly attribution: string };
  readonly licenses: readonly CheckedLicense[];
}

/** The facts that a check changes. */
interface Facts {
  readonly profile: Pick<BrokerRecord, 'legalName' | 'entities' | 'provenance' | 'licensesCheckedAt'>;
  readonly licenses: readonly LicenseRecord[];
}

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b);

const checkedLicense = (license: LicenseRecord, check: CheckedLicense, asOf: string): LicenseRecord => ({
  ...license,
  status: check.status,
  statusEffectiveAt: check.statusEffectiveAt,
  ...(check.activeSince === undefined ? {} : { activeSince: check.activeSince }),
  lastVerifiedAt: asOf,
});

const withSource = (
  provenance: BrokerRecord['provenance'],
  { source, asOf }: LicenseCheck,
): BrokerRecord['provenance'] => {
  const isSame = ({ fact, sourceUrl }: BrokerRecord['provenance'][number]): boolean =>
    fact === 'licenses' && sourceUrl === source.sourceUrl;
  const seenAt = provenance.find(isSame)?.lastVerifiedAt ?? null;
  const entry = { fact: 'licenses', ...source, lastVerifiedAt: later(seenAt, asOf) };
  return [...provenance.filter((one) => !isSame(one)), entry];
};

/**
 * Returns the facts of a broker after a check. A holder with a new name is renamed everywhere, so that every licence
 * still names one of the broker's entities.
 * @throws DomainError state_conflict if the broker was changed after the comparison
 */
export const recheck = <P extends Facts['profile'], L extends LicenseRecord>(
  slug: string,
  { profile, licenses }: { readonly profile: P; readonly licenses: readonly L[] },
  check: LicenseCheck,
): { profile: P; licenses: L[] } => {
  const byKey = new Map(check.licenses.map((checked) => [licenseKey(slug, checked.compared), checked]));
  const names = new Map(
    check.licenses.flatMap(({ compared, newName }) =>
      newName === undefined ? [] : [[compared.entity.legalName, newName] as const],
    ),
  );
  const nameOf = (name: string): string => names.get(name) ?? name;
  const found = licenses.filter((license) => {
    const compared = byKey.get(licenseKey(slug, license))?.compared;
    return compared && compared.status === license.status && compared.lastVerifiedAt === license.lastVerifiedAt;
  });
  if (found.length !== byKey.size)
    throw new DomainError('state_conflict', `${slug} was changed while the file was read: check again.`);
  return {
    profile: {
      ...profile,
      legalName: nameOf(profile.legalName),
      entities: profile.entities.map((entity) => ({ ...entity, legalName: nameOf(entity.legalName) })),
      ...(check.complete ? { licensesCheckedAt: later(profile.licensesCheckedAt, check.asOf) } : {}),
      provenance: withSource(profile.provenance, check),
    },
    licenses: licenses.map((license) => {
      const checked = byKey.get(licenseKey(slug, license));
      const next = checked ? checkedLicense(license, checked, check.asOf) : license;
      return { ...license, ...next, entity: { ...license.entity, legalName: nameOf(license.entity.legalName) } };
    }),
  };
};
