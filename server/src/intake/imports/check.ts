import type { StatedRow } from '../../ledger/statements/record.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';
import { danglingReferences, givenKey, type Kind, type Reference } from './kinds.ts';
import { type Fault, recordReader } from './record.ts';
import type { Row } from './rows.ts';
import type { Terms } from './runs.ts';
import { createSeen } from './seen.ts';

/** Maximum number of faults in the report. The rest are only counted. */
const SHOWN = 100;

/** A row that can be imported, and what is known of its record. */
export interface Fit<T> extends StatedRow<T> {
  readonly line: number;
  readonly known: unknown;
}

const missing = (line: number, { to, key, column }: Reference): Fault => ({
  line,
  column,
  detail: `There is no ${to} "${key}".`,
});

/** Finds every fault of a file. Writes nothing. */
export const createChecker = <T>(db: Db, kind: Kind<T>, terms: Terms, now: Date) => {
  const faults: Fault[] = [];
  let faultCount = 0;
  const seen = createSeen();
  const read = recordReader(kind, terms, now);
  const inspect = kind.inspect?.(db);

  const add = (found: readonly Fault[]): void => {
    faultCount += found.length;
    faults.push(...found.slice(0, Math.max(0, SHOWN - faults.length)));
  };
  const repeated = ({ line, record, known }: Fit<T>): Fault[] => {
    const key = kind.key(record, known);
    const earlier = seen.see(key, line);
    const given = givenKey(kind, record);
    return earlier === undefined ? [] : [{ line, detail: `"${given}" is on line ${earlier} already.` }];
  };
  const danglingIn = async (rows: readonly Fit<T>[]): Promise<Fault[]> => {
    const places = rows.flatMap(({ line, record }) =>
      kind.references(record).map((reference) => ({ line, reference })),
    );
    const dangling = await danglingReferences(
      db,
      places.map(({ reference }) => reference),
    );
    return places
      .filter(({ reference }) => dangling.has(reference))
      .map(({ line, reference }) => missing(line, reference));
  };
  return {
    add,
    /** Checks some rows. Returns those without a fault, and the faults of the others. */
    check: async (rows: readonly Row[]): Promise<{ fit: Fit<T>[]; faults: Fault[] }> => {
      const found: Fault[] = [];
      const readable: Fit<T>[] = [];
      for (const row of await snapshot(db, (tx) => read(rows, tx)))
        if (row.faults) found.push(...row.faults);
        else readable.push(row);
      found.push(...readable.flatMap(repeated), ...(await danglingIn(readable)));
      found.push(...((await snapshot(db, async (tx) => inspect?.(readable, tx, now))) ?? []));
      found.sort((a, b) => a.line - b.line);
      add(found);
      const faulty = new Set(found.map(({ line }) => line));
      return { fit: readable.filter(({ line }) => !faulty.has(line)), faults: found };
    },
    result: () => ({ faults, faultCount }),
  };
};
