import { hash } from 'node:crypto';
import type * as z from 'zod';
import { type Db, serializeDocument, type Tx } from '../platform/mongo.ts';
import type { SubjectKind } from './audit/actions.ts';
import type { FieldChange } from './audit/fields.rule.ts';
import type { TxContext } from './context.ts';
import type {
  KnownSubject,
  PlannedStatement,
  StatementContext,
  StatementRow,
  WriteCause,
} from './statements/record.ts';
import {
  type ContestedFact,
  type ImportCredit,
  listRanked,
  type StatementSource,
  sourceKey,
} from './statements/statement.rule.ts';

/** A column whose value is the key of another record. */
export interface RecordReference {
  readonly to: 'broker' | 'regulator';
  readonly key: string;
  readonly column: string;
}

/** Effect of a row. */
export interface ImportPlan {
  readonly change: 'new' | 'changed' | 'unchanged';
  /** True if there is something to write; a new statement need not change the published facts. */
  readonly writes: boolean;
  /** Returns the public changes. Empty for a new record: all its fields are new. */
  readonly fields: () => FieldChange[];
  /** Facts of the row that a stronger source contradicts. */
  readonly overruled: readonly ContestedFact[];
}

/** A row with the stored state of its record. */
export interface InspectedRow<T, K> {
  readonly line: number;
  readonly record: T;
  readonly known: K | undefined;
}

/** A fault of a row. */
export interface RowFault {
  readonly line: number;
  readonly column: string;
  readonly detail: string;
}

/** Run, batch and reason of written rows. */
type ImportCause = WriteCause & { readonly reason: string };

/** Values of a score, 0–100. Null: the broker is unrated or does not exist. */
export interface ScoreChange {
  readonly before: number | null;
  readonly after: number | null;
}

/** A record that a batch wrote: its former state (null: none) and the fingerprint of its new state. */
export interface BatchItem {
  /** Name of its kind of import. */
  readonly kind: string;
  readonly key: string;
  readonly before: object | null;
  readonly after: string;
}

type StatesByKey<S> = ReadonlyMap<string, S>;

/** Reads and restores the stored states of records, for an undo. */
export interface StateKeeper<S extends object = object> {
  /** Kind of such a record in the audit trail. */
  readonly subject: SubjectKind;
  /** True if erasures of people delete such records, which an undo then does not restore. */
  readonly isPersonal?: boolean;
  readonly read: (keys: readonly string[], tx: Tx) => Promise<StatesByKey<S>>;
  /** @throws DomainError if one of these records cannot be removed */
  readonly refuseInUse?: (keys: readonly string[], tx: Tx) => Promise<void>;
  readonly restore: (c: TxContext, former: StatesByKey<S | null>, reason: string) => Promise<void>;
}

/** A kind of record that can be imported. `K` is the stored state of a record, `P` the effect of a row. */
export interface ImportKind<T, K = unknown, P extends ImportPlan = ImportPlan> {
  readonly schema: z.ZodObject & z.ZodType<T>;
  /** Name of such a record in faults. */
  readonly noun: string;
  /** A row for templates. It can be imported unchanged into a database with the broker and regulator that it names. */
  readonly example: Readonly<Record<string, string | number | boolean>>;
  /** Column with the key of the row's record. */
  readonly keyColumn: string;
  /** Returns the storage key of a row's record. */
  readonly key: (record: T, known: K | undefined) => string;
  /** Returns the reason why no row can be about this record; undefined if one can. */
  readonly refuse?: (known: K | undefined) => string | undefined;
  readonly references: (record: T) => RecordReference[];
  /** Returns the columns of a record that only a register, an authority or an editor can state, for another source. */
  readonly listForeign?: (record: T, source: StatementSource) => readonly string[];
  /** Adds the attribution to the record. Returns undefined if the record has no place for it. */
  readonly credit?: (record: T, credit: ImportCredit) => T | undefined;
  /** Reads the stored states of records by key, in the form of `storedKey`. */
  readonly read: (keys: readonly string[], tx: Tx) => Promise<ReadonlyMap<string, K>>;
  readonly storedKey: (key: string) => string;
  /** Returns the stored state as a row with these fields; empty for a new record. */
  readonly stored: (known: K | undefined, given: ReadonlySet<string>, source: StatementSource) => object;
  readonly isNew: (known: K | undefined) => boolean;
  /**
   * Returns the claim of the strongest other source about a field. It is published once this source takes its claim
   * back.
   */
  readonly elsewhere?: (known: K | undefined, field: string, source: StatementSource) => unknown;
  /** Alternative to stating the right value of a field that every record needs. */
  readonly instead?: string;
  /** Computes the effect of a row. Writes nothing. */
  readonly plan: (row: StatementRow<T>, known: K | undefined, from: StatementContext) => P;
  /** Writes rows. Returns the former states of records that do not consist of statements. */
  readonly write: (c: TxContext, plans: readonly P[], occasion: ImportCause) => Promise<readonly BatchItem[]>;
  /** Absent for records that consist of statements. */
  readonly states?: StateKeeper;
  /** Returns a function that finds faults of rows beyond their form. */
  readonly inspect?: (
    db: Db,
  ) => (rows: readonly InspectedRow<T, K>[], tx: Tx, now: Date) => Promise<readonly RowFault[]>;
  /** Called for unchanged records, if an import of an unchanged record has an effect. */
  readonly confirm?: (c: TxContext, records: readonly T[]) => Promise<void>;
  /** Returns the scores before and after these plans, by key. Writes nothing. */
  readonly scores?: (db: Db, plans: readonly P[], now: Date) => Promise<ReadonlyMap<string, ScoreChange>>;
}

/** Erases the types: each kind only receives what its own `read` and `plan` returned. */
export const defineKind = <T, K, P extends ImportPlan>(definition: ImportKind<T, K, P>): ImportKind<unknown> =>
  definition as unknown as ImportKind<unknown>;

/** Erases the type: each keeper only receives states that it read itself. */
export const defineKeeper = <S extends object>(definition: StateKeeper<S>): StateKeeper =>
  definition as unknown as StateKeeper;

/** Returns the claim of the strongest other source about a field. */
export const findOtherClaim = (
  known: KnownSubject<object> | undefined,
  field: string,
  source: StatementSource,
): unknown =>
  known && listRanked(known.candidates, field).find((one) => sourceKey(one.source) !== sourceKey(source))?.value;

/** Returns the effect of a row of statements. */
export const planStatements = <S>(planned: PlannedStatement<S>, isChanged: boolean, fields: () => FieldChange[]) => {
  const { known, draft, overruled } = planned;
  const change: ImportPlan['change'] = known.state === null ? 'new' : isChanged ? 'changed' : 'unchanged';
  return { planned, change, writes: draft !== undefined, fields: change === 'changed' ? fields : () => [], overruled };
};

/** Identifies a state, to detect later changes. Returns an empty string if the record does not exist. */
export const hashState = (state: object | undefined): string =>
  state === undefined ? '' : hash('sha256', serializeDocument(state));

/** Records of one kind whose states are captured. */
interface CapturedRecords {
  readonly kind: string;
  readonly keys: readonly string[];
  readonly read: (keys: readonly string[], tx: Tx) => Promise<StatesByKey<object>>;
}

/** Returns what records replaced, after they are written. @param before their former states; none for new records */
export const captureStates = async (
  { kind, keys, read }: CapturedRecords,
  before: StatesByKey<object>,
  tx: Tx,
): Promise<BatchItem[]> => {
  const after = await read(keys, tx);
  return keys.map((key) => ({ kind, key, before: before.get(key) ?? null, after: hashState(after.get(key)) }));
};

/** A text that a person wrote about a broker, under the reference that an earlier system gave it. */
interface WrittenRecord {
  readonly reference: string;
  readonly broker: string;
}

/** The rules in which kinds of written records differ. */
interface WrittenRecordRules<T, K>
  extends Pick<ImportKind<T, K>, 'schema' | 'example' | 'read' | 'inspect'>,
    Pick<StateKeeper, 'subject' | 'refuseInUse'> {
  /** Name of the kind. */
  readonly name: string;
  readonly readStates: StateKeeper['read'];
  /** Stores new records. Returns the keys of their states. */
  readonly importIn: (c: TxContext, records: readonly T[], reason: string) => Promise<readonly string[]>;
  readonly takeBack: (c: TxContext, keys: readonly string[], reason: string) => Promise<void>;
}

/** Defines a kind of written records: each is imported once and then stays unchanged, and an undo takes it back. */
export const defineWrittenKind = <T extends WrittenRecord, K>({
  name,
  subject,
  refuseInUse,
  readStates,
  importIn,
  takeBack,
  ...rules
}: WrittenRecordRules<T, K>): ImportKind<unknown> =>
  defineKind<T, K, ImportPlan & { readonly record: T }>({
    ...rules,
    noun: subject,
    keyColumn: 'reference',
    key: ({ reference }) => reference,
    references: ({ broker }) => [{ to: 'broker', key: broker, column: 'broker' }],
    storedKey: (reference) => reference,
    stored: () => ({}),
    isNew: (known) => known === undefined,
    plan: ({ record }, known) => {
      const isNew = known === undefined;
      return { record, change: isNew ? 'new' : 'unchanged', writes: isNew, fields: () => [], overruled: [] };
    },
    write: async (c, plans, { reason }) => {
      const records = plans.map(({ record }) => record);
      const keys = await importIn(c, records, reason);
      return captureStates({ kind: name, keys, read: readStates }, new Map(), c.tx);
    },
    states: {
      subject,
      isPersonal: true,
      read: readStates,
      ...(refuseInUse && { refuseInUse }),
      restore: (c, former, reason) => takeBack(c, [...former.keys()], reason),
    },
  });
