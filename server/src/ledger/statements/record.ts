import type { TxContext } from '../context.ts';
import type { CausedDraft, EntryDraft } from '../record/entry.rule.ts';
import { type Identity, listSubjectNames } from './identity.rule.ts';
import {
  type ContestedFact,
  collectCandidates,
  type FactCandidates,
  findClaims,
  isSame,
  type PropertyClaim,
  type ResolvedFacts,
  type Statement,
  type StatementSource,
  selectStanding,
  sourceKey,
} from './statement.rule.ts';
import type { Cause, FactKind, StoredStatement, StoredSubject, VersionChange } from './store.ts';
import * as store from './store.ts';

export type { FormerFacts, StoredStatement } from './store.ts';
export { findRunStatements, listStatements, listVersions } from './store.ts';

/** Rules by which the facts of one kind of subject follow from statements, and their storage. */
export interface FactModel<S extends object> {
  readonly kind: FactKind;
  readonly read: (names: readonly string[], tx: TxContext['tx']) => Promise<ReadonlyMap<string, S>>;
  readonly write: (states: ReadonlyMap<string, S | null>, tx: TxContext['tx']) => Promise<void>;
  /** Returns the id of a new subject. */
  readonly createId: (name: string) => string;
  readonly resolve: (
    subject: Pick<StoredSubject, '_id' | 'name' | 'identity'>,
    candidates: FactCandidates,
  ) => ResolvedFacts<S>;
  /** Returns the entries of the record for the published state. */
  readonly entries: (name: string, state: S | null) => EntryDraft[];
}

/** All facts about a subject. */
export interface KnownSubject<S> {
  readonly subject: StoredSubject;
  readonly isNew: boolean;
  /** Statements of which something still counts. */
  readonly statements: readonly StoredStatement[];
  /** Current claims of every source, from these statements. */
  readonly candidates: FactCandidates;
  /** The published state; null if nothing is published. */
  readonly state: S | null;
  /** The result of the statements. */
  readonly resolved: ResolvedFacts<S>;
}

/** A statement before it is recorded. */
interface StatementDraft extends Omit<Statement, 'version'> {
  readonly validFrom: string | null;
  readonly credit: string | null;
}

/** The source of everything without another source. */
export const EDITOR: StatementSource = { kind: 'editor', name: 'editor' };

/** Reads the known facts of subjects, including subjects that are still unknown. */
export const readKnownSubjects = async <S extends object>(
  facts: FactModel<S>,
  names: readonly string[],
  tx: TxContext['tx'],
): Promise<ReadonlyMap<string, KnownSubject<S>>> => {
  const states = await facts.read(names, tx);
  const subjects = await store.findSubjects(facts.kind, names, tx);
  const ids = [...subjects.values()].map(({ _id }) => _id);
  const statements = ids.length === 0 ? new Map<string, StoredStatement[]>() : await store.findStanding(ids, tx);
  return new Map(
    names.map((name) => {
      const state = states.get(name) ?? null;
      const known = subjects.get(name);
      const { kind } = facts;
      const subject = known ?? { _id: `${kind}:${facts.createId(name)}`, kind, name, version: 0, facts: null };
      const stated = statements.get(subject._id) ?? [];
      const candidates = collectCandidates(stated);
      const resolved = facts.resolve(subject, candidates);
      return [name, { subject, isNew: !known, statements: stated, candidates, state, resolved }];
    }),
  );
};

/** Returns the facts that would be published after one more statement. */
const resolveWith = <S extends object>(
  facts: FactModel<S>,
  { subject, statements }: KnownSubject<S>,
  draft: StatementDraft,
): ResolvedFacts<S> =>
  facts.resolve(subject, collectCandidates([...statements, { ...draft, version: subject.version + 1 }]));

/** Returns the current claims of a source about a subject, by property. */
export const findOwnClaims = (
  source: StatementSource,
  { candidates }: KnownSubject<unknown>,
): ReadonlyMap<string, unknown> => findClaims(source, candidates);

/** A statement of a source about a subject, and its result. */
export interface PlannedStatement<S> {
  readonly known: KnownSubject<S>;
  /** The statement to record; undefined if the source says nothing new. */
  readonly draft: StatementDraft | undefined;
  /** The state that would be published. */
  readonly after: S | null;
  readonly resolved: ResolvedFacts<S>;
  /** Facts for which another source is published. */
  readonly overruled: readonly ContestedFact[];
}

/** Origin of statements. */
export interface Origin extends Pick<StatementDraft, 'url' | 'credit' | 'validFrom'> {
  readonly source: StatementSource;
}

/** Editors without another source behind them. */
export const BY_EDITORS: Origin = { source: EDITOR, url: null, credit: null, validFrom: null };

/**
 * A row of an import: a function from the stored record to the new one, and the fields that it states or takes back.
 */
export interface StatementRow<T> {
  readonly record: T;
  readonly given: ReadonlySet<string>;
  readonly takenBack: ReadonlySet<string>;
}

/** Returns the row that states a whole record. */
export const toWholeRow = <T extends object>(record: T): StatementRow<T> => ({
  record,
  given: new Set(Object.keys(record)),
  takenBack: new Set(),
});

/** Origin of a statement, and the time that it describes. */
export interface StatementContext {
  readonly origin: Origin;
  readonly asOf: Date;
  /**
   * True if the source states everything again at that time, as a register's file does. Otherwise only changes count.
   */
  readonly isWhole?: boolean;
}

/** Returns the time of a statement. If the clock is behind, the time is not before an earlier one of the source. */
const computeStatementTime = (known: KnownSubject<unknown>, { origin, asOf, isWhole }: StatementContext): string => {
  const own = known.statements.filter(({ source }) => sourceKey(source) === sourceKey(origin.source));
  const times = [asOf.toISOString(), ...(isWhole ? [] : own.map((statement) => statement.asOf))];
  return times.sort().at(-1) as string;
};

/** Computes the result of a statement. Writes nothing. */
export const planStatement = <S extends object>(
  facts: FactModel<S>,
  known: KnownSubject<S>,
  said: readonly PropertyClaim[],
  circumstances: StatementContext,
): PlannedStatement<S> => {
  const { origin, isWhole } = circumstances;
  const own = findOwnClaims(origin.source, known);
  const fresh = said.filter(({ property, value }) => !isSame(own.get(property), value));
  const stated = isWhole ? said.filter(({ property, value }) => value !== undefined || own.has(property)) : fresh;
  const draft =
    fresh.length === 0 ? undefined : { ...origin, said: stated, asOf: computeStatementTime(known, circumstances) };
  const resolved = draft ? resolveWith(facts, known, draft) : known.resolved;
  const given = new Set(said.map(({ property }) => property));
  const overruled = resolved.contested.filter(
    ({ field, other }) =>
      sourceKey(other.source) === sourceKey(origin.source) && given.has(field.split('.', 1)[0] ?? ''),
  );
  return { known, draft, after: draft ? resolved.state : known.state, resolved, overruled };
};

/** The next version of a subject. */
interface NextVersion<S> extends Pick<store.SubjectWrites, 'statements' | 'raised' | 'replaced'> {
  readonly known: KnownSubject<S>;
  readonly version: number;
  readonly resolved: ResolvedFacts<S>;
}

/** Origin and reason of new statements. */
export interface WriteCause {
  readonly cause: Cause;
  readonly run: string | null;
  readonly batch: number | null;
}

/** The facts of a subject before and after a change. */
export interface FactChange<S> {
  readonly known: KnownSubject<S>;
  readonly before: S | null;
  readonly after: S | null;
}

const toStoredStatement = (
  c: TxContext,
  subject: string,
  statement: StatementDraft & { readonly version: number },
  occasion: WriteCause,
): StoredStatement => ({
  _id: `${subject}#${statement.version}`,
  subject,
  ...statement,
  recordedAt: c.now,
  actor: c.actor,
  ...occasion,
  stands: true,
  withdrawn: null,
});

/** The statements about a subject at its next version. */
interface VersionInput<S> extends Readonly<Record<'recorded' | 'fresh', readonly StoredStatement[]>> {
  readonly version: number;
  /** The result, if the caller knows it. */
  readonly resolved?: ResolvedFacts<S>;
}

/** Returns the step to the next version of a subject. */
const buildNextVersion = <S extends object>(
  facts: FactModel<S>,
  known: KnownSubject<S>,
  { recorded, fresh, version, resolved }: VersionInput<S>,
): NextVersion<S> => {
  const stands = selectStanding([...recorded, ...fresh]);
  return {
    known,
    version,
    resolved: resolved ?? facts.resolve(known.subject, collectCandidates([...stands])),
    statements: fresh.map((one) => ({ ...one, stands: stands.has(one) })),
    raised: recorded.filter((one) => !one.stands && stands.has(one)).map(({ _id }) => _id),
    replaced: recorded.filter((one) => one.stands && !stands.has(one)).map(({ _id }) => _id),
  };
};

/** Returns the time since which the new state holds, if the statements that changed it name one. */
const findValidFrom = ({ statements }: NextVersion<unknown>): string | undefined =>
  statements.findLast(({ validFrom }) => validFrom !== null)?.validFrom ?? undefined;

/** Publishes the changes of a step in the record. */
const publishVersion = <S extends object>(
  c: TxContext,
  { entries }: FactModel<S>,
  step: NextVersion<S>,
  { cause, run }: Pick<WriteCause, 'cause' | 'run'>,
): void => {
  const { known, resolved } = step;
  const [was, is] = [known.state, resolved.state].map(
    (state) => new Map(entries(known.subject.name, state).map((entry) => [entry.key, entry])),
  ) as [Map<string, EntryDraft>, Map<string, EntryDraft>];
  const validFrom = findValidFrom(step);
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [was.get(key), is.get(key)];
    if (isSame(before?.value, after?.value) && isSame(before?.texts, after?.texts)) continue;
    const { validFrom: since, ...draft } = after ?? { ...(before as EntryDraft), value: null, texts: {} };
    // a time that was stated before belongs to another state
    const begin = after !== undefined && since !== before?.validFrom ? (since ?? validFrom) : validFrom;
    c.publish({
      ...draft,
      ...(begin === undefined ? {} : { validFrom: begin }),
      cause,
      isBulk: run !== null,
    } as CausedDraft);
  }
};

/** Writes new versions of subjects and of their published facts, and keeps the former ones. */
const saveVersions = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  steps: readonly NextVersion<S>[],
  { cause, run }: Pick<WriteCause, 'cause' | 'run'>,
): Promise<FactChange<S>[]> => {
  const moved = steps.filter(({ known, resolved }) => !isSame(known.state, resolved.state));
  const since = (version: number): VersionChange => ({ version, at: c.now, cause, run });
  const isMoved = new Set(moved.map(({ known }) => known));
  await store.saveSubjects(
    {
      subjects: steps.map(({ known, version, resolved }) => ({
        isNew: known.isNew,
        subject: {
          ...known.subject,
          version,
          facts: resolved.state === null ? null : isMoved.has(known) ? since(version) : known.subject.facts,
        },
      })),
      statements: steps.flatMap(({ statements }) => statements),
      raised: steps.flatMap(({ raised }) => raised),
      replaced: steps.flatMap(({ replaced }) => replaced),
      former: moved.flatMap(({ known: { state, subject }, version }) =>
        state === null
          ? []
          : [
              {
                _id: `${subject._id}#${version}`,
                subject: subject._id,
                state,
                since: subject.facts,
                until: since(version),
              },
            ],
      ),
    },
    c.tx,
  );
  if (moved.length > 0)
    await facts.write(new Map(moved.map(({ known, resolved }) => [known.subject.name, resolved.state])), c.tx);
  for (const step of moved) publishVersion(c, facts, step, { cause, run });
  return steps.map(({ known, resolved }) => ({ known, before: known.state, after: resolved.state }));
};

/** Records one statement about each of these subjects, and publishes the result. */
export const recordStatements = <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  planned: readonly PlannedStatement<S>[],
  occasion: WriteCause,
): Promise<FactChange<S>[]> => {
  const steps = planned.flatMap(({ known, draft, resolved }) => {
    if (!draft) return [];
    const version = known.subject.version + 1;
    const statement = toStoredStatement(c, known.subject._id, { ...draft, version }, occasion);
    return buildNextVersion(facts, known, { recorded: known.statements, fresh: [statement], version, resolved });
  });
  return saveVersions(c, facts, steps, occasion);
};

/** A step that withdraws statements about a subject. */
interface Withdrawal<S> extends NextVersion<S> {
  /** True if too little remains to publish the subject, for example a merged one after a split. */
  readonly ends: boolean;
}

/** Returns the steps that withdraw statements. */
const planWithdrawal = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  withdrawn: readonly StoredStatement[],
): Promise<Withdrawal<S>[]> => {
  const ids = [...new Set(withdrawn.map(({ subject }) => subject))];
  const names = await store.findSubjectNames(ids, c.tx);
  const all = await readKnownSubjects(facts, [...names.values()], c.tx);
  const recorded = await store.findRecorded(ids, c.tx);
  const gone = new Set(withdrawn.map(({ _id }) => _id));
  return [...all.values()].map((known) => {
    const left = (recorded.get(known.subject._id) ?? []).filter(({ _id }) => !gone.has(_id));
    const { _id, name, identity, version } = known.subject;
    const step = buildNextVersion(facts, known, { recorded: left, fresh: [], version: version + 1 });
    if (identity?.successor === undefined)
      return { ...step, ends: known.state !== null && step.resolved.state === null };
    const apart = facts.resolve({ _id, name }, collectCandidates([...selectStanding(left)]));
    return { ...step, ends: apart.state === null };
  });
};

/** Throws if the subjects with these names must not be removed. */
export type WithdrawalGuard = (names: readonly string[]) => Promise<void>;

/** Returns the names of subjects that would be removed, with those that were merged into them. */
const listEndingNames = (steps: readonly Withdrawal<object>[]): string[] =>
  steps.filter(({ ends }) => ends).flatMap(({ known }) => listSubjectNames(known.subject));

/** Checks whether statements may be withdrawn, given the names of subjects that would be removed. Writes nothing. */
export const checkWithdrawal = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  withdrawn: readonly StoredStatement[],
  refuse: WithdrawalGuard,
): Promise<void> => refuse(listEndingNames(await planWithdrawal(c, facts, withdrawn)));

/**
 * Withdraws statements, regardless of later ones, and publishes the result of the others.
 * @throws the error of `refuse`, before anything is written
 */
export const withdrawStatements = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  withdrawn: readonly StoredStatement[],
  refuse: WithdrawalGuard,
): Promise<FactChange<S>[]> => {
  const steps = await planWithdrawal(c, facts, withdrawn);
  await refuse(listEndingNames(steps));
  const ids = withdrawn.map(({ _id }) => _id);
  await store.withdrawStatements(ids, { at: c.now, actor: c.actor }, c.tx);
  return saveVersions(c, facts, steps, { cause: 'undo', run: withdrawn[0]?.run ?? null });
};

/**
 * Returns the subjects whose published facts differ from their statements. Subjects without statements do not count.
 */
const findDriftedSubjects = <S extends object>(all: ReadonlyMap<string, KnownSubject<S>>): KnownSubject<S>[] =>
  [...all.values()].filter(({ isNew, state, resolved }) => !isNew && !isSame(state, resolved.state));

/** Returns the names of these subjects whose published facts differ from their statements. */
export const findDriftedNames = async <S extends object>(
  facts: FactModel<S>,
  names: readonly string[],
  tx: TxContext['tx'],
): Promise<string[]> =>
  findDriftedSubjects(await readKnownSubjects(facts, names, tx)).map(({ subject }) => subject.name);

/** Publishes the facts of these subjects again from their statements, where they differ. */
export const republish = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  names: readonly string[],
): Promise<FactChange<S>[]> => {
  const steps = findDriftedSubjects(await readKnownSubjects(facts, names, c.tx)).map((known) =>
    buildNextVersion(facts, known, { recorded: known.statements, fresh: [], version: known.subject.version + 1 }),
  );
  return saveVersions(c, facts, steps, { cause: 'correction', run: null });
};

/** Changes the identities of these subjects, by name, and publishes the result. Statements stay. */
export const changeIdentities = async <S extends object>(
  c: TxContext,
  facts: FactModel<S>,
  changes: ReadonlyMap<string, Identity>,
): Promise<FactChange<S>[]> => {
  const all = await readKnownSubjects(facts, [...changes.keys()], c.tx);
  const steps = [...all.values()].map((known) => {
    const { identity: _, ...subject } = known.subject;
    const identity = changes.get(subject.name) as Identity;
    const now = { ...known, subject: Object.keys(identity).length === 0 ? subject : { ...subject, identity } };
    return buildNextVersion(facts, now, { recorded: known.statements, fresh: [], version: subject.version + 1 });
  });
  return saveVersions(c, facts, steps, { cause: 'identity', run: null });
};
