import { settleWait } from '../../features/registers/actions.ts';
import {
  beginChange,
  countMoves,
  type MatchCounts,
  matchWarnings,
  planMatches,
  readList,
  recordChanges,
  saveReading,
} from '../../features/warnings/actions.ts';
import { findUpheaval } from '../../features/warnings/upheaval.rule.ts';
import { findChanges, type WarningChange, type WarningList } from '../../features/warnings/warning.rule.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { finishRun, formatRunReason, saveBatch, startRun } from '../imports/runs.ts';

/** Changes of a list, and their effect on brokers. */
export interface ListReport {
  readonly source: string;
  readonly asOf: string;
  readonly warnings: number;
  readonly changes: Readonly<Record<WarningChange['change'], number>>;
  readonly matches: MatchCounts;
  /** The run that wrote the changes; null if nothing was written. */
  readonly run: string | null;
  /** Reason why a person has to accept the changes first; null if nobody has to, or a person has. */
  readonly upheaval: string | null;
}

/** A list with its file. */
export interface ListFile {
  readonly list: WarningList;
  readonly fileName: string;
  readonly license: string | null;
  readonly attribution: string | null;
}

/** Warnings per transaction. */
const BATCH = 200;

const countChanges = (changes: readonly WarningChange[]): ListReport['changes'] => {
  const counts = { new: 0, changed: 0, withdrawn: 0, back: 0 };
  for (const { change } of changes) counts[change]++;
  return counts;
};

/** Refuses an older file, which would withdraw newer warnings. @throws DomainError invalid_input, state_conflict */
const refuseOlder = (list: WarningList, last: { readonly asOf: string } | null, now: Date): void => {
  if (new Date(list.asOf) > now)
    throw new DomainError(
      'invalid_input',
      `The file cannot be of ${list.asOf.slice(0, 10)}: the date is in the future.`,
    );
  if (last !== null && list.asOf < last.asOf)
    throw new DomainError(
      'state_conflict',
      `A file of ${last.asOf.slice(0, 10)} was read already, and this one is of ${list.asOf.slice(0, 10)}.`,
    );
};

const writeChanges = async (context: Context, { list, ...file }: ListFile, changes: readonly WarningChange[]) => {
  const { sha256, entries, asOf, source, url: sourceUrl } = list;
  const terms = { license: file.license, attribution: file.attribution, sourceUrl };
  const rows = entries.length;
  const run = await startRun(context, { what: 'warnings', fileName: file.fileName, sha256, rows, ...terms });
  for (let at = 0; at < changes.length; at += BATCH)
    await inTransaction(context, async (c) => {
      const number = at / BATCH + 1;
      const occasion = { cause: 'fact', run: run._id, batch: number, reason: formatRunReason(run._id) } as const;
      await recordChanges(c, changes.slice(at, at + BATCH), list, occasion);
      await saveBatch(run, { number, after: number - 1, items: [] }, c.tx);
    });
  await inTransaction(context, (c) =>
    saveReading({ _id: source, asOf, sha256, warnings: rows, readAt: c.now, run: run._id }, c.tx),
  );
  await finishRun(context, run);
  return run._id;
};

/** Options of reading a list. */
interface ListImportOptions {
  readonly dryRun?: boolean;
  /** True if a person has accepted the changes. */
  readonly isAccepted?: boolean;
}

const NO_MATCHES: MatchCounts = { published: 0, waiting: 0, corrected: 0, ended: 0 };

/**
 * Reads a list of an authority: records its changes, and matches all warnings with all brokers. An unchanged list
 * changes no warnings, but is still matched with new brokers. A dry run writes nothing. A list with unusually many
 * changes writes nothing until a person accepts it.
 * @throws DomainError invalid_input, state_conflict if a later file was read already
 */
export const importList = async (
  context: Context,
  file: ListFile,
  { dryRun = false, isAccepted = false }: ListImportOptions = {},
): Promise<ListReport> => {
  const { list } = file;
  const { known, last } = await readList(context.db, list.source);
  refuseOlder(list, last, context.clock());
  const changes = findChanges(list, known);
  const states = changes.map(({ state }) => state);
  const upheaval = isAccepted ? null : (findUpheaval(changes, { known, isReadBefore: last !== null }) ?? null);
  const { source, asOf, entries } = list;
  const report = { source, asOf, warnings: entries.length, changes: countChanges(changes), upheaval };
  if (dryRun) {
    const moves = await planMatches(context.db, context.clock(), { changed: states });
    return { ...report, matches: countMoves(moves), run: null };
  }
  if (upheaval !== null) return { ...report, matches: NO_MATCHES, run: null };
  await settleWait(context.db, source);
  if (changes.length === 0) return { ...report, matches: await matchWarnings(context), run: null };
  const since = await beginChange(context.db);
  const run = await writeChanges(context, file, changes);
  const matches = await matchWarnings(context, { reason: formatRunReason(run), changed: states, since });
  return { ...report, matches, run };
};
