import { hasLicenseEnded, LicenseEntity, type LicenseStatus } from '@broker-transparency/contract';
import { areAkin, nameKey } from '@broker-transparency/matching';
import type { LicenseRecord } from '../../features/brokers/record.rule.ts';
import type { LicenceEntry } from '../sources/entry.rule.ts';
import type { MATCH_KEYS } from '../sources/source.rule.ts';

/** One of our licences, with facts about its holder. */
export interface OurLicense {
  readonly broker: string;
  readonly brokerName: string;
  /** Trading names and the name of the broker. */
  readonly names: readonly string[];
  /** Legal names of the broker's other entities. */
  readonly otherEntities: readonly string[];
  readonly license: LicenseRecord;
  /** LEI of the licence's holder. */
  readonly lei: string | null;
}

/** Change of a licence. */
export type LicenseChange =
  | 'granted'
  | 'reinstated'
  | 'restricted'
  | 'suspended'
  | 'cancelled'
  | 'ceased'
  | 'renamed'
  | 'changed';

/** Statement of the register about one of our licences. */
export interface Finding {
  readonly ours: OurLicense;
  /** Empty if the register agrees with us. */
  readonly changes: readonly LicenseChange[];
  readonly status: LicenseStatus;
  /** Day from which the status holds, if the register gives one. */
  readonly statusSince?: string;
  readonly since?: string;
  /** The holder's name in the register, if it differs from ours. */
  readonly newName?: string;
  /** Reason why the licence stays unchanged until a person decides. */
  readonly unclear?: string;
  /** True if the register differs from our published facts, and editors overruled it. */
  readonly overruled?: boolean;
}

type MatchKey = (typeof MATCH_KEYS)[number];

/** The rows of a register about one of our licences, and the key that found them. */
export interface RegisterMatch {
  readonly by: MatchKey;
  readonly entries: readonly LicenceEntry[];
}

export interface RegisterComparison {
  readonly currentOnly: boolean;
  readonly asOf: string;
  /** Lookup keys, strongest first. */
  readonly matchBy: readonly MatchKey[];
  /** True if the licence is in force when one of several rows says so. */
  readonly anyCounts: boolean;
  /** Types of licences in the register. */
  readonly types: readonly string[];
  /** Reason why a licence in force may be missing. */
  readonly gaps: string | undefined;
  /** Returns whether the register could contain a number. */
  readonly isNumber: (referenceNumber: string) => boolean;
  /** Finds the rows about one of our licences; undefined if there are none. */
  readonly find: (ours: OurLicense) => RegisterMatch | undefined;
  /** Returns a row of a regulator whose holder has this name. */
  readonly byName: (regulator: string, nameKey: string) => LicenceEntry | undefined;
  /** Normalised legal names of the entities of all brokers, with their brokers. */
  readonly entities: ReadonlyMap<string, string>;
  /** Numbers whose new name the operator has confirmed. */
  readonly acceptedNames: ReadonlySet<string>;
}

const isOver = (status: LicenseStatus): boolean => hasLicenseEnded({ status });

/** Returns the name of a status change. */
export const findStatusChange = (from: LicenseStatus, to: LicenseStatus): LicenseChange | undefined => {
  if (from === to || (isOver(from) && isOver(to))) return undefined;
  if (isOver(to)) return 'cancelled';
  if (to === 'suspended' || to === 'restricted') return to;
  if (to !== 'active') return 'changed';
  return from === 'pending' || from === 'unverified' ? 'granted' : 'reinstated';
};

/** Returns the position of a row: its number, if it has one, and its place in the file. */
const describePosition = ({ numbers, at }: LicenceEntry): string =>
  numbers[0] === undefined ? `(${at})` : `under ${numbers[0]} (${at})`;

const toAbsentFinding = (
  ours: OurLicense,
  { currentOnly, matchBy, byName, isNumber, gaps, asOf }: RegisterComparison,
): Finding => {
  const { status, entity, regulatorCode, referenceNumber } = ours.license;
  const kept = { ours, changes: [], status };
  const byNumber = matchBy.length === 1 && matchBy[0] === 'number';
  const elsewhere = byName(regulatorCode, nameKey(entity.legalName));
  if (isOver(status) && currentOnly) return kept;
  if (elsewhere) return { ...kept, unclear: `the register has "${elsewhere.name}" ${describePosition(elsewhere)}` };
  if (status === 'pending') return kept;
  if (byNumber && !isNumber(referenceNumber))
    return { ...kept, unclear: `the register has no numbers like "${referenceNumber}": correct ours` };
  // a missing name or LEI may be written differently, or be left out
  if (!byNumber || !currentOnly || status === 'unverified') {
    const what = byNumber ? 'number' : 'firm';
    return { ...kept, unclear: `the register has no such ${what}${gaps === undefined ? '' : `: ${gaps}`}` };
  }
  return { ours, changes: ['ceased'], status: 'withdrawn', statusSince: asOf.slice(0, 10) };
};

/** Returns the reason why a person must check a name in the register before it is adopted, or undefined. */
const findNameDoubt = (
  ours: OurLicense,
  { name }: LicenceEntry,
  by: MatchKey,
  { entities, acceptedNames }: RegisterComparison,
): string | undefined => {
  const { license, names, otherEntities } = ours;
  if (!LicenseEntity.shape.legalName.safeParse(name).success)
    return `the register gives this ${by} to a name that is too long to be one, or has signs that no name has`;
  if (otherEntities.some((other) => nameKey(other) === nameKey(name)))
    return `the register gives this ${by} to "${name}", another entity of this broker`;
  const holder = entities.get(nameKey(name));
  if (holder !== undefined) return `the register gives this ${by} to "${name}", an entity of ${holder}`;
  if (by === 'lei') return undefined; // the same firm, even under another name
  if (acceptedNames.has(license.referenceNumber)) return undefined;
  if ([license.entity.legalName, ...names].some((known) => areAkin(known, name))) return undefined;
  return (
    `the register gives this number to "${name}": if it is the same firm, add --accept-name ` +
    `${license.referenceNumber}`
  );
};

const toPresentFinding = (
  ours: OurLicense,
  entry: LicenceEntry,
  by: MatchKey,
  comparison: RegisterComparison,
): Finding => {
  const { status, entity } = ours.license;
  const kept = { ours, changes: [], status };
  if (entry.status === null)
    return { ...kept, unclear: `${entry.at} says "${entry.statusText}": not a status that is known` };
  if (by !== 'lei' && entry.lei !== null && ours.lei !== null && entry.lei !== ours.lei)
    return { ...kept, unclear: `the register gives this ${by} to another LEI, ${entry.lei} (${entry.at})` };
  const renamed = nameKey(entry.name) !== nameKey(entity.legalName);
  const doubt = renamed ? findNameDoubt(ours, entry, by, comparison) : undefined;
  if (doubt) return { ...kept, unclear: doubt };
  const change = findStatusChange(status, entry.status);
  return {
    ours,
    changes: [...(change ? [change] : []), ...(renamed ? (['renamed'] as const) : [])],
    status: change ? entry.status : status,
    ...(change && entry.statusSince !== undefined ? { statusSince: entry.statusSince } : {}),
    ...(entry.since === undefined ? {} : { since: entry.since }),
    ...(renamed ? { newName: entry.name } : {}),
  };
};

/**
 * Returns the row that counts among several about one licence; undefined if they contradict each other. They must have
 * one holder. If one row in force is enough, it counts; otherwise all must have the same status.
 */
const pickEntry = (entries: readonly LicenceEntry[], anyCounts: boolean): LicenceEntry | undefined => {
  const [first] = entries;
  if (!first || entries.length === 1) return first;
  if (!anyCounts || new Set(entries.map(({ name }) => nameKey(name))).size > 1) return undefined;
  if (new Set(entries.map(({ lei }) => lei)).size > 1) return undefined;
  const inForce = entries.find(({ status }) => status === 'active');
  if (inForce) return inForce;
  return entries.every(({ status }) => status === first.status) ? first : undefined;
};

/** Compares one of our licences with the register. If there are two interpretations, the finding is `unclear`. */
export const compareLicense = (ours: OurLicense, comparison: RegisterComparison): Finding => {
  const { license } = ours;
  const toUnclearFinding = (why: string): Finding => ({ ours, changes: [], status: license.status, unclear: why });
  if (license.lastVerifiedAt !== null && license.lastVerifiedAt > comparison.asOf)
    return toUnclearFinding(`was verified on ${license.lastVerifiedAt.slice(0, 10)}, after the date of this file`);
  if (!comparison.types.includes(license.type))
    return toUnclearFinding(`the register has no licences of type ${license.type}`);
  const match = comparison.find(ours);
  if (!match) return toAbsentFinding(ours, comparison);
  const { by, entries } = match;
  const entry = pickEntry(entries, comparison.anyCounts);
  if (entry) return toPresentFinding(ours, entry, by, comparison);
  const places = entries.slice(0, 5).map(({ at }) => at);
  return toUnclearFinding(`the register has this ${by} ${entries.length} times (${places.join(', ')})`);
};

/**
 * Returns the reason why a new name contradicts the register's entries under the broker's other numbers, or undefined.
 */
const findContradiction = (finding: Finding, siblings: readonly Finding[], { find }: RegisterComparison) => {
  const { legalName } = finding.ours.license.entity;
  const [oldName, newName] = [nameKey(legalName), nameKey(finding.newName ?? '')];
  for (const { ours, newName: another } of siblings) {
    const isSameHolder =
      ours.license.entity.legalName === legalName && ours.license.regulatorCode === finding.ours.license.regulatorCode;
    const entry = find(ours)?.entries.find(({ name: entryName }) => {
      const name = nameKey(entryName);
      return name === oldName || (isSameHolder && name !== newName);
    });
    if (entry) return `the register has "${entry.name}" ${describePosition(entry)}`;
    if (ours.license.entity.legalName !== legalName && another !== undefined && nameKey(another) === newName)
      return `the register gives the name "${another}" to "${ours.license.entity.legalName}" too`;
  }
  return undefined;
};

/** Compares all our licences. Findings that are clear on their own can contradict each other within one broker. */
export const compareLicenses = (all: readonly OurLicense[], comparison: RegisterComparison): Finding[] => {
  const findings = all.map((ours) => compareLicense(ours, comparison));
  const byBroker = Map.groupBy(findings, ({ ours }) => ours.broker);
  return findings.map((finding) => {
    const { ours, newName } = finding;
    const siblings = byBroker.get(ours.broker) ?? [];
    const unclear = newName === undefined ? undefined : findContradiction(finding, siblings, comparison);
    return unclear === undefined ? finding : { ours, changes: [], status: ours.license.status, unclear };
  });
};

/** Returns the findings, without changes that editors have overruled. */
export const omitOverruled = (
  findings: readonly Finding[],
  overruledIn: (finding: Finding) => { readonly status: boolean; readonly name: boolean },
): Finding[] =>
  findings.map((finding) => {
    if (finding.changes.length === 0) return finding;
    const { status, name } = overruledIn(finding);
    const changes = finding.changes.filter((change) => !(change === 'renamed' ? name : status));
    return changes.length === finding.changes.length ? finding : { ...finding, changes, overruled: true };
  });
