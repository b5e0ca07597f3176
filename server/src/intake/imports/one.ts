import { hash } from 'node:crypto';
import type * as z from 'zod';
import { type Issue, toProblemItems } from '../../http/problem/invalid-request.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { ImportKind } from '../../ledger/import-kind.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { snapshot, type Tx } from '../../platform/mongo.ts';
import { findDanglingReferences } from './kinds.ts';
import { finishRun, formatRunReason, saveBatch, startRun, type Terms, toOrigin } from './runs.ts';

const NO_TERMS: Terms = { license: null, attribution: null, sourceUrl: null };

/** A record that an operator enters, and the name of its run. */
interface EnteredRecord<T> {
  readonly kind: ImportKind<T>;
  readonly value: object;
  readonly what: string;
  readonly fileName: string;
  readonly dryRun: boolean;
}

const toInputError = (details: readonly string[]): DomainError => new DomainError('invalid_input', details.join('\n'));

/** @throws DomainError invalid_input with all faults of its form */
const parseEntered = <T>({ kind, value }: EnteredRecord<T>): T => {
  const result: z.ZodSafeParseResult<T> = kind.schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues as readonly Issue[];
  throw toInputError(toProblemItems(issues, 'body', Object.keys(kind.schema.shape), value).map(({ detail }) => detail));
};

/** @throws DomainError invalid_input with all other faults */
const requireValid = async <T>(kind: ImportKind<T>, record: T, tx: Tx, now: Date): Promise<unknown> => {
  const [dangling] = await findDanglingReferences(tx.db, kind.references(record));
  if (dangling) throw toInputError([`There is no ${dangling.to} "${dangling.key}".`]);
  const key = kind.key(record, undefined);
  const known = (await kind.read([key], tx)).get(key);
  if (known !== undefined)
    throw new DomainError('state_conflict', `There is a ${kind.noun} with the reference "${key}".`);
  const faults = (await kind.inspect?.(tx.db)([{ line: 1, record, known }], tx, now)) ?? [];
  if (faults.length > 0) throw toInputError(faults.map(({ detail }) => detail));
  return known;
};

const writeRecord = async <T>(c: TxContext, kind: ImportKind<T>, record: T, run: string) => {
  const known = await requireValid(kind, record, c.tx, c.now);
  const row = { line: 1, record, given: new Set<string>(), takenBack: new Set<string>() };
  const plan = kind.plan(row, known, { origin: toOrigin(NO_TERMS), asOf: c.now });
  return kind.write(c, [plan], { reason: formatRunReason(run), cause: 'fact', run, batch: 1 });
};

/**
 * Stores one record as a run of its own, so that it can be undone like an import.
 * @returns its key and the run; neither in a dry run
 * @throws DomainError if the record is invalid
 */
export const importOne = async <T>(
  context: Context,
  entered: EnteredRecord<T>,
): Promise<{ readonly key: string; readonly run: string } | undefined> => {
  const { kind, what, fileName, dryRun } = entered;
  const record = parseEntered(entered);
  await snapshot(context.db, (tx) => requireValid(kind, record, tx, context.clock()));
  if (dryRun) return undefined;
  const sha256 = hash('sha256', JSON.stringify(record));
  const run = await startRun(context, { what, fileName, sha256, rows: 1, ...NO_TERMS });
  const items = await inTransaction(context, async (c) => {
    const written = await writeRecord(c, kind, record, run._id);
    await saveBatch(run, { number: 1, after: 0, items: written }, c.tx);
    return written;
  });
  await finishRun(context, run);
  return { key: items[0]?.key ?? '', run: run._id };
};
