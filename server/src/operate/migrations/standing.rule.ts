/** A migration that a release has. */
interface Known {
  readonly version: number;
  readonly required?: true;
}

/** One that was applied. */
interface Applied {
  readonly version: number;
  readonly breaksOlder: boolean;
}

/** How a database and a release fit. */
export interface Standing {
  /** Of the database: the highest that was applied; 0 before the first. */
  readonly version: number;
  /** What the release knows and the database lacks, in order. */
  readonly pending: readonly number[];
  /** Why the release cannot serve the database; undefined where it can. The message says what to do. */
  readonly refusal: string | undefined;
}

/** What a release that knows these migrations makes of a database to which those were applied. */
export const standingOf = (known: readonly Known[], applied: readonly Applied[]): Standing => {
  const has = new Set(applied.map(({ version }) => version));
  const latest = known.at(-1)?.version ?? 0;
  const version = Math.max(0, ...has);
  const pending = known.filter((migration) => !has.has(migration.version));
  const breaking = applied.find((migration) => migration.version > latest && migration.breaksOlder);
  const needed = pending.find(({ required }) => required);
  const refusal = breaking
    ? `the database is at version ${version}, and this release knows no more than ${latest}: start the release that migrated it, or a newer one`
    : needed && `the database lacks migration ${needed.version}, which this release needs: run broker-rating migrate`;
  return { version, pending: pending.map((migration) => migration.version), refusal };
};
