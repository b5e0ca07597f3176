import type { ImportKind, RecordReference } from '../../ledger/import-kind.ts';
import type { StatementRow } from '../../ledger/statements/record.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';
import { findDanglingReferences, toGivenKey } from './kinds.ts';
import { createRecordReader, type ImportFault } from './record.ts';
import type { FileRow } from './rows.ts';
import type { Terms } from './runs.ts';
import { createLineIndex } from './seen.ts';

/** Maximum number of faults in the report. The rest are only counted. */
const SHOWN = 100;

/** A row that can be imported, with the stored state of its record. */
export interface ValidRow<T> extends StatementRow<T> {
  readonly line: number;
  readonly known: unknown;
}

const toMissingFault = (line: number, { to, key, column }: RecordReference): ImportFault => ({
  line,
  column,
  detail: `There is no ${to} "${key}".`,
});

/** Returns a checker that finds every fault of a file. It writes nothing. */
export const createChecker = <T>(db: Db, kind: ImportKind<T>, terms: Terms, now: Date) => {
  const faults: ImportFault[] = [];
  let faultCount = 0;
  const seen = createLineIndex();
  const read = createRecordReader(kind, terms, now);
  const inspect = kind.inspect?.(db);

  const add = (found: readonly ImportFault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, Math.max(0, SHOWN - faults.length)));
  };
  const findRepeats = ({ line, record, known }: ValidRow<T>): ImportFault[] => {
    const key = kind.key(record, known);
    const earlier = seen.see(key, line);
    const given = toGivenKey(kind, record);
    return earlier === undefined ? [] : [{ line, detail: `"${given}" is on line ${earlier} already.` }];
  };
  const findDangling = async (rows: readonly ValidRow<T>[]): Promise<ImportFault[]> => {
    const places = rows.flatMap(({ line, record }) =>
      kind.references(record).map((reference) => ({ line, reference })),
    );
    const dangling = await findDanglingReferences(
      db,
      places.map(({ reference }) => reference),
    );
    return places
      .filter(({ reference }) => dangling.has(reference))
      .map(({ line, reference }) => toMissingFault(line, reference));
  };
  return {
    add,
    /** Checks some rows. Returns the valid ones, and the faults of the others. */
    check: async (rows: readonly FileRow[]): Promise<{ fit: ValidRow<T>[]; faults: ImportFault[] }> => {
      const found: ImportFault[] = [];
      const readable: ValidRow<T>[] = [];
      for (const row of await snapshot(db, (tx) => read(rows, tx)))
        if (row.faults) found.push(...row.faults);
        else readable.push(row);
      found.push(...readable.flatMap(findRepeats), ...(await findDangling(readable)));
      found.push(...((await snapshot(db, async (tx) => inspect?.(readable, tx, now))) ?? []));
      found.sort((a, b) => a.line - b.line);
      add(found);
      const faulty = new Set(found.map(({ line }) => line));
      return { fit: readable.filter(({ line }) => !faulty.has(line)), faults: found };
    },
    result: () => ({ faults, faultCount }),
  };
};
