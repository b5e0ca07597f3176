import { ENDED_LICENSE_STATUSES, LicenseEntity, type LicenseStatus } from '@broker-transparency/contract';
import type { LicenseRecord } from '../../features/brokers/record.rule.ts';
import { areAkin, nameKey } from '../../matching/names.rule.ts';
import type { RegisterEntry } from './adapter.rule.ts';

/** One of our licences, and what we know about its holder. */
export interface OurLicense {
  readonly broker: string;
  readonly brokerName: string;
  /** Trading names and the name of the broker. */
  readonly names: readonly string[];
  /** Legal names of the broker's other entities. */
  readonly otherEntities: readonly string[];
  readonly license: LicenseRecord;
}

/** What happened to a licence. */
export type Change =
  | 'granted'
  | 'reinstated'
  | 'restricted'
  | 'suspended'
  | 'cancelled'
  | 'ceased'
  | 'renamed'
  | 'changed';

/** What the register says about one of our licences. */
export interface Finding {
  readonly ours: OurLicense;
  /** Empty if the register agrees with us. */
  readonly changes: readonly Change[];
  readonly status: LicenseStatus;
  /** Day from which the status holds, if the register gives one. */
  readonly statusSince?: string;
  readonly since?: string;
  /** The holder's name in the register, if it differs from ours. */
  readonly newName?: string;
  /** Why the licence stays unchanged until a person decides. */
  readonly unclear?: string;
  /** Set if the register says something else than we publish, and editors overruled it. */
  readonly overruled?: boolean;
}

export interface Comparison {
  readonly currentOnly: boolean;
  readonly asOf: string;
  /** Returns the rows with this number, given in its normalised form. */
  readonly byNumber: (referenceNumber: string) => readonly RegisterEntry[];
  /** Returns a row whose holder has this name. */
  readonly byName: (normalName: string) => RegisterEntry | undefined;
  /** Normalised legal names of the entities of all brokers, with their brokers. */
  readonly entities: ReadonlyMap<string, string>;
  /** Numbers whose new name the operator has confirmed. */
  readonly acceptedNames: ReadonlySet<string>;
}

const isOver = (status: LicenseStatus): boolean => (ENDED_LICENSE_STATUSES as readonly string[]).includes(status);

/** Names the change from one status to another. */
export const changeOf = (from: LicenseStatus, to: LicenseStatus): Change | undefined => {
  if (from === to || (isOver(from) && isOver(to))) return undefined;
  if (isOver(to)) return 'cancelled';
  if (to === 'suspended' || to === 'restricted') return to;
  if (to !== 'active') return 'changed';
  return from === 'pending' || from === 'unverified' ? 'granted' : 'reinstated';
};

const absent = (ours: OurLicense, { currentOnly, byName, asOf }: Comparison): Finding => {
  const { status, entity } = ours.license;
  const kept = { ours, changes: [], status };
  const elsewhere = byName(nameKey(entity.legalName));
  if (isOver(status) && currentOnly) return kept;
  if (elsewhere)
    return {
      ...kept,
      unclear: `the register has "${elsewhere.entityName}" under ${elsewhere.referenceNumber} (line ${elsewhere.line})`,
    };
  if (status === 'pending') return kept;
  if (!currentOnly || status === 'unverified') return { ...kept, unclear: 'the register has no such number' };
  return { ours, changes: ['ceased'], status: 'withdrawn', statusSince: asOf.slice(0, 10) };
};

/** Returns the reason why a person must check a name in the register before it is adopted, or undefined. */
const doubtfulName = (ours: OurLicense, name: string, { entities, acceptedNames }: Comparison): string | undefined => {
  const { license, names, otherEntities } = ours;
  if (!LicenseEntity.shape.legalName.safeParse(name).success)
    return 'the register gives this number to a name that is too long to be one, or has signs that no name has';
  if (otherEntities.some((other) => nameKey(other) === nameKey(name)))
    return `the register gives this number to "${name}", another entity of this broker`;
  const holder = entities.get(nameKey(name));
  if (holder !== undefined) return `the register gives this number to "${name}", an entity of ${holder}`;
  if (acceptedNames.has(license.referenceNumber)) return undefined;
  if ([license.entity.legalName, ...names].some((known) => areAkin(known, name))) return undefined;
  return (
    `the register gives this number to "${name}": if it is the same firm, add --accept-name ` +
    `${license.referenceNumber}`
  );
};

const present = (ours: OurLicense, entry: RegisterEntry, comparison: Comparison): Finding => {
  const { status, entity } = ours.license;
  const kept = { ours, changes: [], status };
  if (entry.status === null)
    return { ...kept, unclear: `line ${entry.line} says "${entry.statusText}": not a status that is known` };
  const renamed = nameKey(entry.entityName) !== nameKey(entity.legalName);
  const doubt = renamed ? doubtfulName(ours, entry.entityName, comparison) : undefined;
  if (doubt) return { ...kept, unclear: doubt };
  const change = changeOf(status, entry.status);
  return {
    ours,
    changes: [...(change ? [change] : []), ...(renamed ? (['renamed'] as const) : [])],
    status: change ? entry.status : status,
    ...(change && entry.statusSince !== undefined ? { statusSince: entry.statusSince } : {}),
    ...(entry.since === undefined ? {} : { since: entry.since }),
    ...(renamed ? { newName: entry.entityName } : {}),
  };
};

/** Returns what a register says about one of our licences. If it has two interpretations, the finding is `unclear`. */
export const compare = (ours: OurLicense, comparison: Comparison): Finding => {
  const { license } = ours;
  const entries = comparison.byNumber(license.referenceNumber);
  if (license.lastVerifiedAt !== null && license.lastVerifiedAt > comparison.asOf)
    return {
      ours,
      changes: [],
      status: license.status,
      unclear: `was verified on ${license.lastVerifiedAt.slice(0, 10)}, after the date of this file`,
    };
  const [entry] = entries;
  if (!entry) return absent(ours, comparison);
  if (entries.length > 1)
    return {
      ours,
      changes: [],
      status: license.status,
      unclear: `the register has this number ${entries.length} times (lines ${entries
        .map(({ line }) => line)
        .slice(0, 5)
        .join(', ')})`,
    };
  return present(ours, entry, comparison);
};

/**
 * Returns the reason why a new name contradicts the register's entries under the broker's other numbers, or undefined.
 */
const contradictionOf = (finding: Finding, siblings: readonly Finding[], { byNumber }: Comparison) => {
  const { legalName } = finding.ours.license.entity;
  const [oldName, newName] = [nameKey(legalName), nameKey(finding.newName ?? '')];
  for (const { ours, newName: another } of siblings) {
    const isSameHolder = ours.license.entity.legalName === legalName;
    const entries = byNumber(ours.license.referenceNumber);
    const entry = entries.find(({ entityName }) => {
      const name = nameKey(entityName);
      return name === oldName || (isSameHolder && name !== newName);
    });
    if (entry) return `the register has "${entry.entityName}" under ${entry.referenceNumber} (line ${entry.line})`;
    if (!isSameHolder && another !== undefined && nameKey(another) === newName)
      return `the register gives the name "${another}" to "${ours.license.entity.legalName}" too`;
  }
  return undefined;
};

/** Compares all our licences. Findings that are clear on their own can contradict each other within one broker. */
export const compareAll = (all: readonly OurLicense[], comparison: Comparison): Finding[] => {
  const findings = all.map((ours) => compare(ours, comparison));
  const byBroker = Map.groupBy(findings, ({ ours }) => ours.broker);
  return findings.map((finding) => {
    const { ours, newName } = finding;
    const siblings = byBroker.get(ours.broker) ?? [];
    const unclear = newName === undefined ? undefined : contradictionOf(finding, siblings, comparison);
    return unclear === undefined ? finding : { ours, changes: [], status: ours.license.status, unclear };
  });
};

/** Returns the findings, without the changes that would change nothing, since editors overruled the register in them. */
export const withOverruled = (
  findings: readonly Finding[],
  overruledIn: (finding: Finding) => { readonly status: boolean; readonly name: boolean },
): Finding[] =>
  findings.map((finding) => {
    if (finding.changes.length === 0) return finding;
    const { status, name } = overruledIn(finding);
    const changes = finding.changes.filter((change) => !(change === 'renamed' ? name : status));
    return changes.length === finding.changes.length ? finding : { ...finding, changes, overruled: true };
  });

/** Returns the share of our licences not yet ended that a file would end, 0–1. A truncated file ends many. */
export const endedShare = (findings: readonly Finding[]): number => {
  const held = findings.filter(({ ours }) => !isOver(ours.license.status));
  const ended = held.filter(({ changes }) => changes.includes('cancelled') || changes.includes('ceased'));
  return held.length === 0 ? 0 : ended.length / held.length;
};
