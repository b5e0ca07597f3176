import { hash } from 'node:crypto';
import * as z from 'zod';
import { findDanglingReferences, type ImportKind, KINDS } from '../../intake/imports/kinds.ts';
import { createRecordReader, type ImportFault } from '../../intake/imports/record.ts';
import { isObject } from '../../intake/imports/rows.ts';
import { listChanges, type PlannedRow, type RecordChange } from '../../intake/imports/run.ts';
import { formatRunReason, recordRun, type Terms, toOrigin } from '../../intake/imports/runs.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { EDITOR, findOwnClaims, type KnownSubject } from '../../ledger/statements/record.ts';
import { type StatementSource, sourceKey } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, snapshot, type Tx } from '../../platform/mongo.ts';
import { applyPatch, changeList, type EntryChange } from './entries.ts';
import { createNullCheck, type FieldText, findListForm, hasPart, readFieldTexts } from './parts.ts';

/** An edit of one record, as typed. */
export type FieldEdit =
  | { readonly what: 'set'; readonly parts: readonly FieldText[] }
  | { readonly what: 'add'; readonly field: string; readonly texts: readonly string[] }
  | { readonly what: 'remove'; readonly field: string; readonly texts: readonly string[] }
  | {
      readonly what: 'change';
      readonly field: string;
      readonly texts: readonly string[];
      readonly to: readonly FieldText[];
    };

/** A statement about one broker or regulator. */
export interface Correction {
  readonly of: 'brokers' | 'regulators';
  /** Slug or code. */
  readonly key: string;
  readonly edits: readonly FieldEdit[];
  /** The record has to be new, or has to exist. */
  readonly expects: 'new' | 'known';
  /** The source of the statement. */
  readonly terms: Pick<Terms, 'sourceUrl' | 'source' | 'validFrom'>;
  readonly reason?: string | undefined;
  readonly dryRun: boolean;
}

/** The changes of a correction. */
export interface CorrectionReport {
  /** Absent if no published fact changes. */
  readonly change?: RecordChange;
  /** True if the source states anything new. */
  readonly isNew: boolean;
  /** The run by which it can be undone. */
  readonly run?: string;
}

/**
 * Lists to which every source contributes: a source changes its own part. Of other lists, the strongest source's is
 * published.
 */
const SHARED = new Set(['licenses', 'warnings', 'provenance']);

/** The list in which each kind names the sources of its fields, and the parts of an entry. */
const NAMING = {
  brokers: {
    list: 'provenance',
    entry: (fact: string, sourceUrl: string, now: Date) => ({ fact, sourceUrl, lastVerifiedAt: now.toISOString() }),
  },
  regulators: { list: 'sources', entry: (fact: string, url: string) => ({ fact, url }) },
} as const;

/** Fields about sources and checks, which need no source of their own. */
const WITHOUT_SOURCE = new Set<string>(['provenance', 'sources', 'lastVerifiedAt', 'licensesCheckedAt']);

interface CorrectionContext {
  readonly correction: Correction;
  readonly kind: ImportKind<unknown>;
  readonly known: KnownSubject<object>;
  readonly source: StatementSource;
  readonly now: Date;
}

const toForm = ({ kind, now }: Pick<CorrectionContext, 'kind' | 'now'>) => ({
  schema: z.toJSONSchema(kind.schema, { io: 'input' }),
  now,
});

/** Returns the list that a source changes: its own, or else the published one. */
const findList = ({ kind, known, source }: CorrectionContext, field: string): readonly unknown[] => {
  const own = findOwnClaims(source, known).get(field);
  const stored = SHARED.has(field) ? own : (kind.stored(known, new Set(), source) as Record<string, unknown>)[field];
  return Array.isArray(stored) ? stored : [];
};

/** Adds the address of the source to an entry that has a field for it. */
const withAddress = (entry: unknown, field: string, place: CorrectionContext): unknown => {
  const { sourceUrl } = place.correction.terms;
  if (sourceUrl === null || !isObject(entry)) return entry;
  const form = toForm(place);
  const name = ['sourceUrl', 'url'].find((one) => hasPart([field, '0', one], form));
  return name === undefined || entry[name] !== undefined ? entry : { ...entry, [name]: sourceUrl };
};

/** Reads typed entries: each text is one entry, or all are the parts of one. */
const parseEntries = (texts: readonly string[], field: string, place: CorrectionContext): unknown[] => {
  const form = toForm(place);
  const read = (parts: readonly FieldText[]): unknown[] => readFieldTexts(parts, form)[field] as unknown[];
  switch (findListForm(field, form)) {
    case undefined:
      readFieldTexts([{ name: field, text: 'x' }], form); // names a field that is misspelt
      throw new DomainError('invalid_input', `"${field}" is not a list; use ${field}=value.`);
    case 'plain':
      return texts.flatMap((text) => read([{ name: field, text }]));
    case 'parts':
      return read(texts.map(parseEntryField).map(({ name, text }) => ({ name: `${field}.0.${name}`, text })));
  }
};

const parseEntryField = (given: string): FieldText => {
  const [, name, text] = /^([A-Za-z][\w.]*)=(.+)$/s.exec(given) ?? [];
  if (name === undefined || text === undefined)
    throw new DomainError('invalid_input', `"${given}" is not part=value, such as regulatorCode=fca.`);
  return { name, text };
};

const toEntryChange = (edit: Exclude<FieldEdit, { what: 'set' }>, place: CorrectionContext): EntryChange => {
  const { field, texts } = edit;
  const entries = parseEntries(texts, field, place);
  if (edit.what === 'remove') return { what: 'remove', like: entries };
  if (edit.what === 'add') return { what: 'add', entries: entries.map((entry) => withAddress(entry, field, place)) };
  const [to] = parseEntries(
    edit.to.map(({ name, text }) => `${name}=${text}`),
    field,
    place,
  );
  if (!isObject(to))
    throw new DomainError('invalid_input', `Entries of ${field} have no parts: remove one, and add another.`);
  return { what: 'change', like: entries[0], to, takesNull: createNullCheck([field, '0'], toForm(place)) };
};

/** Returns the fields of an edit. */
const toFields = (edit: FieldEdit, place: CorrectionContext): Record<string, unknown> => {
  if (edit.what !== 'set') {
    const { field } = edit;
    return { [field]: changeList(findList(place, field), toEntryChange(edit, place), field) };
  }
  const indexed = edit.parts.find(({ name }) => /\.\d+(\.|$)/.test(name));
  if (indexed && place.known.state !== null)
    throw new DomainError(
      'invalid_input',
      `"${indexed.name}" names an entry by its place, which is not the same for ever: use --add, --change or --remove.`,
    );
  const stored = place.kind.stored(place.known, new Set(), place.source) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(readFieldTexts(edit.parts, toForm(place))).map(([name, value]) => [
      name,
      isObject(value) ? applyPatch(stored[name], value, createNullCheck([name], toForm(place))) : value,
    ]),
  );
};

/** Names the source beside every stated field. Sources that are named beside each fact need no entry. */
const toNamedSources = (fields: Record<string, unknown>, place: CorrectionContext): Record<string, unknown> => {
  const { correction, source, now } = place;
  const { list, entry } = NAMING[correction.of];
  const { sourceUrl } = correction.terms;
  if (sourceUrl === null || sourceKey(source) !== sourceKey(EDITOR) || list in fields) return {};
  const facts = Object.keys(fields).filter((name) => !WITHOUT_SOURCE.has(name) && fields[name] !== null);
  if (facts.length === 0) return {};
  const others = findList(place, list).filter((one) => !facts.includes((one as { fact: string }).fact));
  return { [list]: [...others, ...facts.map((fact) => entry(fact, sourceUrl, now))] };
};

/** Returns a correction as a row of an import with the same fields. */
const toRow = (place: CorrectionContext): Record<string, unknown> => {
  const { correction, kind } = place;
  const fields: Record<string, unknown> = {};
  for (const edit of correction.edits) {
    for (const [name, value] of Object.entries(toFields(edit, place))) {
      if (name === kind.keyColumn)
        throw new DomainError('invalid_input', `"${name}" is what the record is found by. See: broker rename`);
      if (name in fields) throw new DomainError('invalid_input', `"${name}" is there twice: one command each.`);
      fields[name] = value;
    }
  }
  return { [kind.keyColumn]: correction.key, ...fields, ...toNamedSources(fields, place) };
};

const toFaultError = (faults: readonly ImportFault[]): DomainError =>
  new DomainError(
    'invalid_input',
    faults.map(({ column, detail }) => (column === undefined ? detail : `${column}: ${detail}`)).join(' '),
  );

/** @throws DomainError not_found, state_conflict */
const requireExpected = ({ key, expects, of }: Correction, kind: ImportKind<unknown>, known: unknown): void => {
  const isNew = kind.isNew(known);
  const group = of === 'brokers' ? 'broker' : 'regulator';
  if (expects === 'known' && isNew && kind.refuse?.(known) === undefined)
    throw new DomainError('not_found', `There is no ${kind.noun} "${key}". For a new one: ${group} add ${key} …`);
  if (expects === 'new' && !isNew)
    throw new DomainError(
      'state_conflict',
      `There is a ${kind.noun} "${key}" already. To correct it: ${group} set ${key} …`,
    );
};

/** Plans the changes of a correction. Writes nothing. */
const planCorrection = async (correction: Correction, now: Date, tx: Tx): Promise<PlannedRow<unknown>> => {
  const kind = KINDS[correction.of];
  const terms: Terms = { license: null, attribution: null, ...correction.terms };
  const known = (await kind.read([correction.key], tx)).get(correction.key);
  requireExpected(correction, kind, known);
  const source = toOrigin(terms).source;
  const value = toRow({ correction, kind, known: known as KnownSubject<object>, source, now });
  const [row] = await createRecordReader(kind, terms, now)([{ line: 1, source: '', value }], tx);
  if (!row || row.faults) throw toFaultError(row?.faults ?? []);
  const dangling = await findDanglingReferences(tx.db, kind.references(row.record));
  if (dangling.size > 0)
    throw toFaultError(
      [...dangling].map(({ to, key, column }) => ({ line: 1, column, detail: `There is no ${to} "${key}".` })),
    );
  return { ...row, plan: kind.plan(row, row.known, { origin: toOrigin(terms), asOf: now }) };
};

const writeCorrection = async (c: TxContext, correction: Correction, planned: PlannedRow<unknown>): Promise<string> => {
  const kind = KINDS[correction.of];
  const { key, expects, of, reason, terms } = correction;
  const run = await recordRun(c, {
    what: of,
    fileName: `${of === 'brokers' ? 'broker' : 'regulator'} ${expects === 'new' ? 'add' : 'set'} ${key}`,
    sha256: hash('sha256', JSON.stringify(planned.record)),
    rows: 1,
    license: null,
    attribution: null,
    ...terms,
    ...(reason === undefined ? {} : { note: reason }),
  });
  const cause = expects === 'new' ? 'fact' : 'correction';
  await kind.write(c, [planned.plan], { reason: formatRunReason(run._id), cause, run: run._id, batch: 1 });
  return run._id;
};

const describeChange = async (
  db: Db,
  kind: ImportKind<unknown>,
  planned: PlannedRow<unknown>,
  now: Date,
): Promise<Pick<CorrectionReport, 'change'>> => {
  const [change] = await listChanges(db, kind, [planned], now);
  return change ? { change } : {};
};

/**
 * States facts about one broker or regulator, as an import of one row does: in a run, which can be undone. A dry run
 * writes nothing.
 * @throws DomainError not_found, state_conflict, invalid_input
 */
export const correct = async (context: Context, correction: Correction): Promise<CorrectionReport> => {
  const kind = KINDS[correction.of];
  if (correction.dryRun) {
    const now = context.clock();
    const planned = await snapshot(context.db, (tx) => planCorrection(correction, now, tx));
    return { ...(await describeChange(context.db, kind, planned, now)), isNew: planned.plan.writes };
  }
  const { planned, run } = await inTransaction(context, async (c) => {
    const found = await planCorrection(correction, c.now, c.tx);
    return { planned: found, run: found.plan.writes ? await writeCorrection(c, correction, found) : undefined };
  });
  const { scores: _, ...unscored } = kind; // scores before and after can be compared only until the change is written
  const change = await describeChange(context.db, unscored, planned, context.clock());
  return { ...change, isNew: planned.plan.writes, ...(run === undefined ? {} : { run }) };
};
