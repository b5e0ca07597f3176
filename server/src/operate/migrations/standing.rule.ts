/** A migration that a release includes. */
interface KnownMigration {
  readonly version: number;
  readonly required?: true;
}

/** An applied migration. */
interface AppliedVersion {
  readonly version: number;
  readonly breaksOlder: boolean;
}

/** The comparison of a release with a database. */
export interface MigrationStatus {
  /** The highest migration applied to the database; 0 if there is none. */
  readonly version: number;
  /** Migrations that the release includes and the database lacks, in order. */
  readonly pending: readonly number[];
  /** Reason why the release cannot serve the database, with the remedy; undefined if it can. */
  readonly refusal: string | undefined;
}

/** Compares the migrations that a release includes with those applied to a database. */
export const compareMigrations = (
  known: readonly KnownMigration[],
  applied: readonly AppliedVersion[],
): MigrationStatus => {
  const has = new Set(applied.map(({ version }) => version));
  const latest = known.at(-1)?.version ?? 0;
  const version = Math.max(0, ...has);
  const pending = known.filter((migration) => !has.has(migration.version));
  const breaking = applied.find((migration) => migration.version > latest && migration.breaksOlder);
  const needed = pending.find(({ required }) => required);
  const refusal = breaking
    ? `the database is at version ${version}, and this release knows no more than ${latest}: start the release ` +
      'that migrated it, or a newer one'
    : needed &&
      `the database lacks migration ${needed.version}, which this release needs: run broker-rating admin migrate`;
  return { version, pending: pending.map((migration) => migration.version), refusal };
};
