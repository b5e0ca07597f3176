import { LICENSE_TYPES } from '@broker-transparency/contract';
import { hashFile } from '@broker-transparency/embedded-mongo/file-digest';
import { nameKey } from '@broker-transparency/matching';
import { findHolders, type HolderProfile, type LicenseDocument } from '../../features/brokers/facts.ts';
import { readKnownBrokers } from '../../features/brokers/known.ts';
import { findLicenseOverrule } from '../../features/brokers/overrule.rule.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';
import type { LicenceEntry } from '../sources/entry.rule.ts';
import { normaliseNumber } from '../sources/licence.rule.ts';
import { readSource } from '../sources/read.ts';
import type { LicenceSource } from '../sources/source.rule.ts';
import {
  compareLicenses,
  type Finding,
  type OurLicense,
  omitOverruled,
  type RegisterComparison,
  type RegisterMatch,
} from './compare.rule.ts';

/** The result of comparing a register's file with our licences. */
export interface RegisterCheck {
  readonly findings: readonly Finding[];
  /** Number of entries in the file. */
  readonly rows: number;
  /** Names of authorities that the mapping does not know, with the number of entries of each. */
  readonly unknown: ReadonlyMap<string, number>;
  /** Codes of the regulators with entries in the file. */
  readonly regulators: ReadonlySet<string>;
  readonly sha256: string;
  /** Time of the last check of each broker's licences; null if never. */
  readonly checkedAt: ReadonlyMap<string, string | null>;
}

const toOurLicense = ({ _id, broker, ...license }: LicenseDocument, profile: HolderProfile): OurLicense => ({
  broker,
  brokerName: profile.name,
  names: [profile.name, ...profile.tradingNames],
  otherEntities: profile.entities.map((entity) => entity.legalName).filter((name) => name !== license.entity.legalName),
  license,
  lei:
    license.entity.lei ?? profile.entities.find(({ legalName }) => legalName === license.entity.legalName)?.lei ?? null,
});

/** Entries by lookup key. Only keys of our licences are kept, so that files can have any size. */
class EntryIndex {
  private readonly entries = new Map<string, LicenceEntry[]>();

  expect(key: string): void {
    this.entries.set(key, []);
  }

  add(key: string, entry: LicenceEntry): void {
    this.entries.get(key)?.push(entry);
  }

  find(key: string): readonly LicenceEntry[] {
    return this.entries.get(key) ?? [];
  }
}

const keys = {
  lei: (regulator: string, lei: string) => `lei ${regulator} ${lei}`,
  number: (regulator: string, number: string) => `number ${regulator} ${number}`,
  name: (regulator: string, name: string) => `name ${regulator} ${nameKey(name)}`,
};

/** Returns the lookup keys of a licence, strongest first. */
const toMatchKeys = (source: LicenceSource, { license, lei }: OurLicense) => {
  const { regulatorCode, referenceNumber, entity } = license;
  const number = normaliseNumber(source, referenceNumber);
  const found = {
    lei: lei === null ? undefined : keys.lei(regulatorCode, lei),
    number: number === '' ? undefined : keys.number(regulatorCode, number),
    name: keys.name(regulatorCode, entity.legalName),
  };
  return source.matchBy.flatMap((by) => {
    const key = found[by];
    return key === undefined ? [] : [{ by, key }];
  });
};

/** Reads the entries, and keeps only those with a key of our licences. */
const readEntries = async (source: LicenceSource, file: string, asOf: string, ours: readonly OurLicense[]) => {
  const index = new EntryIndex();
  for (const one of ours) {
    for (const { key } of toMatchKeys(source, one)) index.expect(key);
    index.expect(keys.name(one.license.regulatorCode, one.license.entity.legalName));
  }
  const unknown = new Map<string, number>();
  const regulators = new Set<string>();
  let rows = 0;
  for await (const entry of readSource(file, source, asOf.slice(0, 10))) {
    rows++;
    const { regulator, regulatorText, numbers, lei, name } = entry;
    if (regulator === null) {
      unknown.set(regulatorText, (unknown.get(regulatorText) ?? 0) + 1);
      continue;
    }
    regulators.add(regulator);
    for (const number of numbers) index.add(keys.number(regulator, number), entry);
    if (lei !== null) index.add(keys.lei(regulator, lei), entry);
    index.add(keys.name(regulator, name), entry);
  }
  return { index, rows, unknown, regulators };
};

/** Marks findings that editors overruled. Only findings with changes are looked up. */
const applyOverrules = async (db: Db, { name }: LicenceSource, findings: readonly Finding[]): Promise<Finding[]> => {
  const changing = new Set(findings.filter(({ changes }) => changes.length > 0).map(({ ours }) => ours.broker));
  const known = await snapshot(db, (tx) => readKnownBrokers([...changing], tx));
  return omitOverruled(findings, ({ ours, status, newName }) => {
    const candidates = known.get(ours.broker)?.candidates ?? new Map();
    return findLicenseOverrule(candidates, { kind: 'register', name }, { license: ours.license, status, newName });
  });
};

/** Returns the settings for comparing our licences with the entries. */
const createComparison = (
  source: LicenceSource,
  index: EntryIndex,
): Omit<RegisterComparison, 'asOf' | 'entities' | 'acceptedNames'> => ({
  currentOnly: !source.keepsEnded,
  matchBy: source.matchBy,
  anyCounts: source.several === 'any',
  types: source.types ?? LICENSE_TYPES,
  gaps: source.gaps,
  isNumber: (number) => normaliseNumber(source, number) !== '',
  find: (ours): RegisterMatch | undefined =>
    toMatchKeys(source, ours)
      .map(({ by, key }) => ({ by, entries: index.find(key) }))
      .find(({ entries }) => entries.length > 0),
  byName: (regulator, name) => index.find(keys.name(regulator, name))[0],
});

/** Compares a register's file with our licences. Writes nothing. @throws DomainError unreadable_file */
export const checkRegister = async (
  db: Db,
  source: LicenceSource,
  file: string,
  asOf: string,
  acceptedNames: ReadonlySet<string>,
): Promise<RegisterCheck> => {
  const sha256 = await hashFile(file);
  const { licenses, profiles } = await snapshot(db, (tx) => findHolders(source.regulators, tx));
  const bySlug = new Map(profiles.map((profile) => [profile._id, profile]));
  const ours = licenses.flatMap((license) => {
    const profile = bySlug.get(license.broker);
    return profile ? [toOurLicense(license, profile)] : [];
  });
  const { index, rows, unknown, regulators } = await readEntries(source, file, asOf, ours);
  const entities = new Map(
    profiles.flatMap(({ _id, entities }) => entities.map((entity) => [nameKey(entity.legalName), _id] as const)),
  );
  const findings = compareLicenses(ours, { ...createComparison(source, index), asOf, entities, acceptedNames });
  return {
    findings: await applyOverrules(db, source, findings),
    rows,
    unknown,
    regulators,
    sha256,
    checkedAt: new Map(profiles.map((p) => [p._id, p.licensesCheckedAt])),
  };
};
