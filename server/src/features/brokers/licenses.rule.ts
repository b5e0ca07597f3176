import {
  type ContestedFact,
  compareCandidates,
  type FactCandidate,
  type FactCandidates,
  listRanked,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { isHeld } from './license-status.rule.ts';
import { type LicenseRecord, licenseKey } from './record.rule.ts';

/** Names a licence of a broker, with its holder at the time of the finding. */
interface LicenseName {
  readonly regulatorCode: string;
  readonly referenceNumber: string;
  readonly holder: string;
}

/** The state of a licence, as a register or the calendar states it. */
export interface LicenseFinding extends LicenseName {
  readonly status: LicenseRecord['status'];
  readonly statusEffectiveAt: string | null;
  readonly activeSince?: string;
  readonly lastVerifiedAt: string | null;
  /**
   * The last day of the licence, which has passed. If the licence has another last day by now, the finding is void.
   */
  readonly expiresAt?: string;
}

/** A licence holder's new name, as a register states it. */
export interface HolderRenamed extends LicenseName {
  readonly newName: string;
}

const FINDING = 'finding ';
const RENAMED = 'renamed ';

const formatName = ({ regulatorCode, referenceNumber, holder }: LicenseName): string =>
  JSON.stringify([regulatorCode, referenceNumber, holder]);

/** Returns the property under which a source states a finding. */
export const toFindingProperty = (name: LicenseName): string => FINDING + formatName(name);

/** Returns the property under which a source states a new name of a holder. */
export const toRenamedProperty = (name: LicenseName): string => RENAMED + formatName(name);

/** Returns the licence of a finding or a new name, given its property; undefined for any other property. */
export const parseLicenseName = (property: string): LicenseName | undefined => {
  const prefix = [FINDING, RENAMED].find((start) => property.startsWith(start));
  if (prefix === undefined) return undefined;
  const [regulatorCode, referenceNumber, holder] = JSON.parse(property.slice(prefix.length)) as [
    string,
    string,
    string,
  ];
  return { regulatorCode, referenceNumber, holder };
};

/** Returns the path of the field that a finding decides. */
const toStatusField = ({ regulatorCode, referenceNumber, holder }: LicenseName): string =>
  `licenses.${regulatorCode} ${referenceNumber} ${holder}.status`;

/**
 * Returns the function that names the published field of a property: the state of the licence for a finding, the legal
 * name for a new name.
 */
export const createPropertyNamer = (candidates: FactCandidates, licenses: readonly LicenseRecord[]) => {
  const { toCurrentName } = resolveHolderNames(candidates);
  return (property: string): string => {
    const name = parseLicenseName(property);
    if (!name) return property;
    if (property.startsWith(RENAMED)) return 'legalName';
    const holder = toCurrentName(name.holder);
    const ofNumber = licenses
      .filter((one) => toNumberKey(one) === toNumberKey(name))
      .map(({ entity }) => entity.legalName);
    const [only] = ofNumber;
    const isOnly = ofNumber.length === 1 && only !== undefined;
    return toStatusField({ ...name, holder: isOnly ? only : holder });
  };
};

/** Returns true if a stated value is a finding about the licence with this number. */
export const isFindingAbout = (
  value: unknown,
  { regulatorCode, referenceNumber }: Pick<LicenseName, 'regulatorCode' | 'referenceNumber'>,
): value is LicenseFinding => {
  const finding = value as Partial<LicenseFinding> | null;
  return (
    finding?.regulatorCode === regulatorCode &&
    finding.referenceNumber === referenceNumber &&
    finding.status !== undefined
  );
};

/** The claim of one source about one property. */
type CandidateValue<T> = Omit<FactCandidate, 'value'> & { readonly value: T };

const listStatedUnder = <T>(candidates: FactCandidates, prefix: string): CandidateValue<T>[] =>
  [...candidates]
    .filter(([property]) => property.startsWith(prefix))
    .flatMap(([, stated]) => stated as readonly CandidateValue<unknown>[] as readonly CandidateValue<T>[]);

/** Returns functions from a holder to its name in the registers, and to the source of that name. */
export const resolveHolderNames = (candidates: FactCandidates) => {
  const all = listStatedUnder<HolderRenamed>(candidates, RENAMED).sort(
    (a, b) => -compareCandidates('holderName', a, b),
  );
  const counting = all.filter(({ overruled }) => overruled === undefined);
  /** Applies the strongest source last. */
  const renameHolder = (name: string): string =>
    counting.reduce((known, { value }) => (known === value.holder ? value.newName : known), name);
  return {
    toCurrentName: renameHolder,
    /** Returns the source of a holder's new name; undefined if no source renamed it. */
    findRenamer: (name: string) => counting.findLast(({ value }) => value.newName === renameHolder(name)),
    /** Names that editors overruled. */
    overruled: all.filter(({ overruled }) => overruled !== undefined),
  };
};

const withHolder = (license: LicenseRecord, legalName: string): LicenseRecord => ({
  ...license,
  entity: { ...license.entity, legalName },
});

/** The claim of one source about the state of a licence. */
type CandidateStatus = CandidateValue<
  Pick<LicenseRecord, 'status' | 'statusEffectiveAt' | 'activeSince' | 'lastVerifiedAt'>
>;

/** Returns the later of two times. */
export const maxTime = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;

const sortByStrength = <T extends CandidateStatus>(stated: readonly T[]): T[] =>
  stated.toSorted((a, b) => compareCandidates('licenseStatus', a, b));

const isCounting = ({ overruled }: CandidateStatus): boolean => overruled === undefined;

/** Returns a licence with the state from the strongest source, and the differing claims of the others. */
const withStatus = (
  license: LicenseRecord,
  stated: readonly CandidateStatus[],
  expired: readonly CandidateStatus[],
) => {
  const known = sortByStrength(stated).find(isCounting);
  const all = sortByStrength(known && isHeld(known.value) ? [...stated, ...expired] : stated);
  const published = all.find(isCounting);
  if (!published) return { license, contested: [] };
  const { status } = published.value;
  const agreeing = all.filter((one) => one.value.status === status && isCounting(one)).map(({ value }) => value);
  const activeSince = agreeing.find((value) => value.activeSince !== undefined)?.activeSince;
  const verified = agreeing.map(({ lastVerifiedAt }) => lastVerifiedAt).reduce(maxTime, null);
  const field = toStatusField({ ...license, holder: license.entity.legalName });
  const others = all.filter(({ source, value }) => value.status !== status && source.kind !== 'calendar');
  return {
    license: {
      ...license,
      status,
      statusEffectiveAt: agreeing.find((value) => value.statusEffectiveAt !== null)?.statusEffectiveAt ?? null,
      ...(activeSince === undefined ? {} : { activeSince }),
      lastVerifiedAt: verified ?? license.lastVerifiedAt,
    },
    contested: others.map(
      (other): ContestedFact => ({
        field,
        published: { ...published, value: status, url: published.url ?? license.sourceUrl },
        other: { ...other, value: other.value.status },
      }),
    ),
  };
};

const toNumberKey = ({
  regulatorCode,
  referenceNumber,
}: Pick<LicenseName, 'regulatorCode' | 'referenceNumber'>): string => JSON.stringify([regulatorCode, referenceNumber]);

/** A published licence and its source. */
interface DescribedLicense {
  readonly license: LicenseRecord;
  readonly contested: readonly ContestedFact[];
  /** Source that describes the licence. */
  readonly from: Omit<FactCandidate, 'value'>;
}

/**
 * Returns the described licences of these holders, each with its published holder and state. A finding applies to the
 * licence with its number, whatever the holder's name, unless several licences have the number.
 */
export const resolveLicenses = (
  candidates: FactCandidates,
  holders: ReadonlySet<string>,
  toCurrentName: (name: string) => string,
): DescribedLicense[] => {
  const described = listRanked(candidates, 'licenses')
    .flatMap(({ value, ...from }) =>
      (value as LicenseRecord[]).map((license) => ({
        from,
        license: withHolder(license, toCurrentName(license.entity.legalName)),
      })),
    )
    .filter(({ license }) => holders.has(license.entity.legalName));
  const findings = listStatedUnder<LicenseFinding>(candidates, FINDING);
  if (findings.length === 0 && (candidates.get('licenses')?.length ?? 0) < 2)
    return described.map((one) => ({ ...one, contested: [] }));
  const groups = [...Map.groupBy(described, ({ license }) => licenseKey('', license)).values()];
  const byNumber = Map.groupBy(groups, ([first]) => toNumberKey((first as (typeof described)[number]).license));
  const isAbout = (license: LicenseRecord, finding: LicenseFinding): boolean =>
    toNumberKey(finding) === toNumberKey(license) &&
    (toCurrentName(finding.holder) === license.entity.legalName || byNumber.get(toNumberKey(license))?.length === 1);
  return groups.map((group) => {
    const [{ license, from }] = group as [(typeof described)[number], ...typeof described];
    const own = group.map(({ from, license: value }): CandidateStatus => ({ ...from, value }));
    const found = findings.filter(({ value }) => isAbout(license, value));
    const expired = found.flatMap((one) => {
      const { expiresAt } = one.value;
      return expiresAt !== undefined && expiresAt === license.expiresAt
        ? [{ ...one, asOf: new Date(expiresAt).toISOString() }]
        : [];
    });
    const checked = Map.groupBy(
      sortByStrength(found.filter(({ value }) => value.expiresAt === undefined)),
      ({ source }) => sourceKey(source),
    );
    // a register that renamed the holder has findings under both names: the latest counts
    const last = [...checked.values()].flatMap(([first]) => first ?? []);
    return { ...withStatus(license, [...own, ...last], expired), from };
  });
};

/** Returns one source's claims that decide the state of a licence or a name, by property. */
export const findLicenseDeciders = (
  stated: readonly (readonly [property: string, value: unknown])[],
  field: string,
  toCurrentName: (name: string) => string,
): ReadonlyMap<string, object> => {
  const under = <T>(prefix: string) => stated.filter(([property]) => property.startsWith(prefix)) as [string, T][];
  if (field === 'legalName')
    return new Map(under<HolderRenamed>(RENAMED).map(([property, { newName }]) => [property, { newName }]));
  const findings = under<LicenseFinding>(FINDING);
  const exact = findings.filter(
    ([, finding]) => field === toStatusField({ ...finding, holder: toCurrentName(finding.holder) }),
  );
  const ofNumber = findings.filter(([, { regulatorCode, referenceNumber }]) =>
    field.startsWith(`licenses.${regulatorCode} ${referenceNumber} `),
  );
  const about = exact.length > 0 ? exact : field.endsWith('.status') ? ofNumber : [];
  return new Map(about.map(([property, { status }]) => [property, { status }]));
};
