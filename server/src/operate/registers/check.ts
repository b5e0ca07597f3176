import { createHash } from 'node:crypto';
import { findHolders, type HolderProfile, type LicenseDocument } from '../../features/brokers/facts.ts';
import { knownBrokers } from '../../features/brokers/known.ts';
import { overruledLicense } from '../../features/brokers/overrule.rule.ts';
import { nameKey } from '../../matching/names.rule.ts';
import { snapshot } from '../../platform/mongo.ts';
import { fileChunks } from '../sheets/file-chunks.ts';
import type { RegisterAdapter, RegisterEntry } from './adapter.rule.ts';
import { compareAll, type Finding, type OurLicense, withOverruled } from './compare.rule.ts';

/** The result of comparing a register's file with our licences. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** Number of rows in the file. */
  readonly rows: number;
  readonly sha256: string;
  /** When each broker's licences were last checked; null if never. */
  readonly checkedAt: ReadonlyMap<string, string | null>;
}

const ourLicense = ({ _id, broker, ...license }: LicenseDocument, profile: HolderProfile): OurLicense => ({
  broker,
  brokerName: profile.name,
  names: [profile.name, ...profile.tradingNames],
  otherEntities: profile.entities.map((entity) => entity.legalName).filter((name) => name !== license.entity.legalName),
  license,
});

/** Keeps only the rows that concern us, since the file may be of any size. */
const readEntries = async (adapter: RegisterAdapter, file: string, ours: readonly OurLicense[]) => {
  const digest = createHash('sha256');
  const numbers = new Map<string, RegisterEntry[]>(
    ours.map(({ license }) => [adapter.normalise(license.referenceNumber), []]),
  );
  numbers.delete('');
  const holders = new Set(ours.map(({ license }) => nameKey(license.entity.legalName)));
  const names = new Map<string, RegisterEntry>();
  let rows = 0;
  for await (const entry of adapter.read(fileChunks(file, (chunk) => digest.update(chunk)))) {
    rows++;
    for (const number of new Set([entry.referenceNumber, ...entry.otherNumbers])) numbers.get(number)?.push(entry);
    const name = nameKey(entry.entityName);
    if (holders.has(name)) names.set(name, entry);
  }
  return { numbers, names, rows, sha256: digest.digest('hex') };
};

/** Finds out which findings editors overruled. Only those that would change something are looked up. */
const ruled = async ({ name }: RegisterAdapter, findings: readonly Finding[]): Promise<Finding[]> => {
  const changing = new Set(findings.filter(({ changes }) => changes.length > 0).map(({ ours }) => ours.broker));
  const known = await snapshot((tx) => knownBrokers([...changing], tx));
  return withOverruled(findings, ({ ours, status, newName }) => {
    const candidates = known.get(ours.broker)?.candidates ?? new Map();
    return overruledLicense(candidates, { kind: 'register', name }, { license: ours.license, status, newName });
  });
};

/** Compares a register's file with our licences there. Writes nothing. @throws DomainError unreadable_file */
export const checkRegister = async (
  adapter: RegisterAdapter,
  file: string,
  asOf: string,
  acceptedNames: ReadonlySet<string>,
): Promise<Checked> => {
  const { licenses, profiles } = await snapshot((tx) => findHolders(adapter.regulatorCode, tx));
  const bySlug = new Map(profiles.map((profile) => [profile._id, profile]));
  const ours = licenses.flatMap((license) => {
    const profile = bySlug.get(license.broker);
    return profile ? [ourLicense(license, profile)] : [];
  });
  const { numbers, names, rows, sha256 } = await readEntries(adapter, file, ours);
  const entities = new Map(
    profiles.flatMap(({ _id, entities }) => entities.map((entity) => [nameKey(entity.legalName), _id] as const)),
  );
  const comparison = {
    currentOnly: adapter.currentOnly,
    asOf,
    byNumber: (number: string) => numbers.get(adapter.normalise(number)) ?? [],
    byName: (name: string) => names.get(name),
    entities,
    acceptedNames,
  };
  return {
    findings: await ruled(adapter, compareAll(ours, comparison)),
    rows,
    sha256,
    checkedAt: new Map(profiles.map((p) => [p._id, p.licensesCheckedAt])),
  };
};
