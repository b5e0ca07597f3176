import { adoptBrokers, type FormerStatement } from '../../features/brokers/actions.ts';
import { findLicenses, type LicenseDocument, nextProfiles } from '../../features/brokers/facts.ts';
import { adoptRegulators } from '../../features/regulators/actions.ts';
import type { TxContext } from '../../platform/context.ts';
import { inBatches } from '../../platform/jobs/batches.ts';
import { type Db, database, type Tx } from '../../platform/mongo.ts';
import type { Migration } from './migration.ts';

/** Subjects per transaction. */
const BATCH = 200;
const BROKER = 'broker:';
const REGULATOR = 'regulator:';

/** Returns the next subjects after this one: all brokers by slug, then all regulators by code. */
const nextSubjects = async (db: Db, after = BROKER): Promise<string[]> => {
  if (after.startsWith(BROKER)) {
    const slugs = await nextProfiles(db, after.slice(BROKER.length), BATCH);
    if (slugs.length > 0) return slugs.map((slug) => BROKER + slug);
  }
  const code = after.startsWith(REGULATOR) ? after.slice(REGULATOR.length) : '';
  const rows = await database(db)
    .collection<{ _id: string }>('regulators')
    .find({ _id: { $gt: code } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  return rows.map(({ _id }) => REGULATOR + _id);
};

const countWithout = async (db: Db, collection: string, kind: string): Promise<number> => {
  const [total, known] = await Promise.all([
    database(db).collection(collection).estimatedDocumentCount(),
    database(db)
      .collection('subjects')
      .countDocuments({ kind, facts: { $ne: null } }),
  ]);
  return Math.max(0, total - known);
};

const countUnstated = async (db: Db): Promise<number> =>
  (await countWithout(db, 'brokerProfiles', 'broker')) + (await countWithout(db, 'regulators', 'regulator'));

/** An entry of the audit trail, as far as it is used here. */
interface Entry {
  readonly subject: { readonly id: string };
  readonly reason: string;
  readonly at: Date;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const auditOf = (filter: object, tx: Tx): Promise<Entry[]> =>
  database(tx.db).collection<Entry>('audit').find(filter, { session: tx }).sort({ at: 1, _id: 1 }).toArray();

/** Returns the reasons of those runs that were not undone. */
const standingRuns = async (reasons: readonly string[], tx: Tx): Promise<ReadonlySet<string>> => {
  const ids = reasons.map((reason) => reason.replace(/^import:/, ''));
  const rows = await database(tx.db)
    .collection<{ _id: string }>('importRuns')
    .find({ _id: { $in: ids }, state: { $in: ['done', 'writing'] } }, { session: tx, projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => `import:${_id}`));
};

const numberOf = (regulator: unknown, number: unknown): string => JSON.stringify([regulator, number]);

const findingOf = ({ regulatorCode, referenceNumber, entity, ...license }: LicenseDocument) => {
  const { status, statusEffectiveAt, lastVerifiedAt } = license;
  return { regulatorCode, referenceNumber, holder: entity.legalName, status, statusEffectiveAt, lastVerifiedAt };
};

/** The registers that a release before statements could check, with their regulators. */
const FORMER_REGISTERS = [
  { name: 'asic', page: 'https://data.gov.au/data/dataset/asic-afs-licensee' },
  { name: 'cvm', page: 'https://dados.cvm.gov.br/dataset/intermed-cad' },
];

/** Returns what a register said of a licence, if a check made it what it is. */
const checkedLicense = (license: LicenseDocument, check: Entry | undefined): FormerStatement[] => {
  const register = FORMER_REGISTERS.find(({ name }) => name === license.regulatorCode);
  const { lastVerifiedAt } = license;
  if (!register || lastVerifiedAt === null || check?.after?.['status'] !== license.status) return [];
  const source = { kind: 'register', name: register.name } as const;
  const asOf = new Date(lastVerifiedAt);
  return [{ slug: license.broker, source, url: register.page, asOf, findings: [findingOf(license)] }];
};

/** Returns what the calendar said of a licence, if it expired. */
const expiredLicense = (license: LicenseDocument): FormerStatement[] => {
  const { status, expiresAt, statusEffectiveAt, broker: slug } = license;
  if (status !== 'expired' || expiresAt === undefined || expiresAt !== statusEffectiveAt) return [];
  const findings = [{ ...findingOf(license), lastVerifiedAt: null, expiresAt }];
  const source = { kind: 'calendar', name: 'calendar' } as const;
  return [{ slug, source, url: null, asOf: new Date(expiresAt), findings }];
};

const adoptSomeBrokers = async (c: TxContext, slugs: readonly string[]): Promise<void> => {
  const filter = { 'subject.kind': 'broker', 'subject.id': { $in: slugs }, action: 'license.checked' };
  const checks = await auditOf(filter, c.tx);
  const standing = await standingRuns([...new Set(checks.map(({ reason }) => reason))], c.tx);
  const last = new Map(
    checks
      .filter(({ reason }) => standing.has(reason))
      .map((check) => {
        const number = numberOf(check.after?.['regulator'], check.after?.['referenceNumber']);
        return [`${check.subject.id} ${number}`, check];
      }),
  );
  const former = (await findLicenses(slugs, c.tx)).flatMap((license) => {
    const number = numberOf(license.regulatorCode, license.referenceNumber);
    return [...checkedLicense(license, last.get(`${license.broker} ${number}`)), ...expiredLicense(license)];
  });
  await adoptBrokers(c, slugs, former);
};

const adoptSomeRegulators = async (c: TxContext, codes: readonly string[]): Promise<void> => {
  const entries = await auditOf({ 'subject.kind': 'regulator', 'subject.id': { $in: codes } }, c.tx);
  const last = new Map(entries.map((entry) => [entry.subject.id, entry.reason]));
  await adoptRegulators(c, codes, new Set(codes.filter((code) => last.get(code) === 'seed')));
};

const namesOf = (prefix: string, subjects: readonly string[]): string[] =>
  subjects.filter((subject) => subject.startsWith(prefix)).map((subject) => subject.slice(prefix.length));

/**
 * Older processes go on writing facts without statements meanwhile: what they write is adopted at the next write to the
 * same subject.
 */
export const statements: Migration = {
  version: 6,
  name: 'statements',
  what: 'turns the facts of brokers and regulators into statements with their sources; nothing public changes',
  count: countUnstated,
  run: async (context, run) =>
    inBatches(context, run, {
      total: (run.checkpoint?.done ?? 0) + (await countUnstated(context.db)),
      next: (one) => nextSubjects(context.db, one),
      work: async (c, subjects) => {
        const [slugs, codes] = [namesOf(BROKER, subjects), namesOf(REGULATOR, subjects)];
        if (slugs.length > 0) await adoptSomeBrokers(c, slugs);
        if (codes.length > 0) await adoptSomeRegulators(c, codes);
      },
    }),
};
