import type { SourceKind } from '@broker-transparency/contract';
import { SOURCE_RANKINGS } from './rankings.rule.ts';

/** Source of a fact. */
export interface StatementSource {
  readonly kind: SourceKind;
  readonly name: string;
}

/** The attribution that the data of an import requires. */
export interface ImportCredit {
  readonly credit: string;
  readonly source: StatementSource;
  readonly sourceUrl: string | null;
  /** The fields that the row has; the record has the stored values of the others. */
  readonly given: ReadonlySet<string>;
}

/** One claim of a source about a subject. Without a value, the source takes its former claim back. */
export interface PropertyClaim {
  readonly property: string;
  readonly value?: unknown;
}

/**
 * Statement of one source about one subject at one time. It never changes; a later statement of the source replaces it.
 */
export interface Statement {
  /** The subject's version that this statement made; the versions of a subject only grow. */
  readonly version: number;
  readonly source: StatementSource;
  readonly said: readonly PropertyClaim[];
  /** The time that the source describes, RFC 3339. */
  readonly asOf: string;
  /** Address of the source; null if it has none. */
  readonly url: string | null;
  /** Attribution and licence of the data, if the source asks for it. */
  readonly credit?: string | null;
}

/** The current claim of one source about one property. */
export interface FactCandidate {
  readonly source: StatementSource;
  readonly value: unknown;
  readonly asOf: string;
  readonly url: string | null;
  readonly credit?: string;
  /** The version of the subject that the claim made; it orders claims of one source at one time. */
  readonly version?: number;
  /** Reason why editors overruled the claim; absent if they did not. */
  readonly overruled?: string;
}

/** The current claims of every source about a subject, by property. */
export type FactCandidates = ReadonlyMap<string, readonly FactCandidate[]>;

/** A fact that several sources state differently. */
export interface ContestedFact {
  /** The path of the field, as the audit trail names it. */
  readonly field: string;
  readonly published: FactCandidate;
  /** The claim of another source. */
  readonly other: FactCandidate;
}

/** The published facts of a subject, and the contested ones. */
export interface ResolvedFacts<S> {
  /** Null if the sources do not say enough to publish anything. */
  readonly state: S | null;
  readonly contested: readonly ContestedFact[];
}

/** An editor's decision not to publish what another source says, as the value of a statement. */
export interface Overrule {
  readonly property: string;
  readonly source: StatementSource;
  /**
   * The overruled value; of an object, the fields that matter. The decision lapses if the source states another value.
   */
  readonly value: unknown;
  readonly reason: string;
}

const OVERRULE = 'overrule ';

export const sourceKey = ({ kind, name }: StatementSource): string => `${kind}:${name}`;

/** Returns the property under which a source states an overrule. */
export const overruleProperty = ({ property, source }: Pick<Overrule, 'property' | 'source'>): string =>
  `${OVERRULE}${sourceKey(source)} ${property}`;

/** Returns the overrule of a property; undefined if the property is no overrule. */
export const parseOverrule = (property: string, value: unknown): Overrule | undefined =>
  property.startsWith(OVERRULE) ? (value as Overrule) : undefined;

/** Returns a value in readable form: text unchanged, everything else as JSON. */
export const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Compares values, regardless of the order of fields. A field without a value counts as missing. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => isSame(one, b[at]));
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const name in x) if (!isSame(x[name], y[name])) return false;
  for (const name in y) if (y[name] !== undefined && x[name] === undefined) return false;
  return true;
};

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a value equals another one, or is an object that contains its fields. */
const isLike = (value: unknown, part: unknown): boolean =>
  isPlainObject(value) && isPlainObject(part)
    ? Object.keys(part).every((name) => isSame(value[name], part[name]))
    : isSame(value, part);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns whether a statement follows another one of its source: it has a later time, or was recorded later. */
const isLater = (a: Statement, b: Statement): boolean => (a.asOf === b.asOf ? a.version > b.version : a.asOf > b.asOf);

/** Returns the last statement of one source about each property, by property. */
const findLastByProperty = (
  statements: readonly Statement[],
): Map<string, { statement: Statement; said: PropertyClaim }> => {
  const last = new Map<string, { statement: Statement; said: PropertyClaim }>();
  for (const statement of statements)
    for (const said of statement.said) {
      const known = last.get(said.property);
      if (!known || isLater(statement, known.statement)) last.set(said.property, { statement, said });
    }
  return last;
};

const groupBySource = (statements: readonly Statement[]): Map<string, Statement[]> =>
  Map.groupBy(statements, ({ source }) => sourceKey(source));

/** Returns the statements of which something still counts, because their source has not restated all of it. */
export const selectStanding = <T extends Statement>(statements: readonly T[]): Set<T> =>
  new Set(
    [...groupBySource(statements).values()].flatMap((group) =>
      [...findLastByProperty(group).values()].map(({ statement }) => statement as T),
    ),
  );

/** The rank of a kind of source for a fact; 0 is the strongest. */
const findRank = (fact: string, kind: SourceKind): number => {
  const ranking = SOURCE_RANKINGS.find(({ facts }) => facts.includes(fact)) ?? SOURCE_RANKINGS.at(-1);
  const at = ranking?.order.findIndex((group) => group.includes(kind)) ?? -1;
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
};

/**
 * Compares two sources of a fact, the published one first: by rank, then by described time, then by name; within one
 * source, the latest claim first.
 */
export const compareCandidates = (fact: string, a: FactCandidate, b: FactCandidate): number =>
  findRank(fact, a.source.kind) - findRank(fact, b.source.kind) ||
  compareText(b.asOf, a.asOf) ||
  compareText(sourceKey(a.source), sourceKey(b.source)) ||
  (b.version ?? 0) - (a.version ?? 0);

/** Sorts claims. Most facts have a single source. */
const sortCandidates = (fact: string, stated: readonly FactCandidate[]): readonly FactCandidate[] =>
  stated.length < 2 ? stated : stated.toSorted((a, b) => compareCandidates(fact, a, b));

/** Returns the editors' overrules, including those whose source now states another value or none. */
export const listOverrules = (candidates: FactCandidates): Overrule[] =>
  [...candidates].flatMap(([property, stated]) => stated.flatMap(({ value }) => parseOverrule(property, value) ?? []));

/**
 * Returns the current claims of every source, by property: its last statement about it, unless that took the claim
 * back. Depends on the statements alone, not on their order.
 */
export const collectCandidates = (statements: readonly Statement[]): FactCandidates => {
  const all = new Map<string, FactCandidate[]>();
  for (const group of groupBySource(statements).values())
    for (const [property, { statement, said }] of findLastByProperty(group)) {
      if (said.value === undefined) continue;
      const { source, asOf, url, version, credit } = statement;
      const known = all.get(property);
      const candidate = { source, asOf, url, version, value: said.value, ...(credit ? { credit } : {}) };
      if (known) known.push(candidate);
      else all.set(property, [candidate]);
    }
  for (const { property, source, value, reason } of listOverrules(all)) {
    const isMeant = (one: FactCandidate) => sourceKey(one.source) === sourceKey(source) && isLike(one.value, value);
    const stated = (all.get(property) ?? []).map((one) => (isMeant(one) ? { ...one, overruled: reason } : one));
    all.set(property, stated);
  }
  return all;
};

/** Returns the current claims of one source, by property. */
export const findClaims = (source: StatementSource, candidates: FactCandidates): Map<string, unknown> => {
  const key = sourceKey(source);
  const said = new Map<string, unknown>();
  for (const [property, stated] of candidates) {
    const own = stated.find((one) => sourceKey(one.source) === key);
    if (own) said.set(property, own.value);
  }
  return said;
};

/** Returns the claims about a property, overruled or not, strongest source first. */
export const listStated = (candidates: FactCandidates, property: string): readonly FactCandidate[] =>
  sortCandidates(property, candidates.get(property) ?? []);

/** Returns the claims about a property that editors did not overrule, strongest source first. */
export const listRanked = (candidates: FactCandidates, property: string): readonly FactCandidate[] =>
  listStated(candidates, property).filter(({ overruled }) => overruled === undefined);

/** Returns the claims that differ from the published ones, for these properties. */
export const findContested = (candidates: FactCandidates, properties: readonly string[]): ContestedFact[] =>
  properties.flatMap((field) => {
    if ((candidates.get(field)?.length ?? 0) < 2) return [];
    const [published] = listRanked(candidates, field);
    if (!published) return [];
    const others = listStated(candidates, field);
    return others.filter(({ value }) => !isSame(value, published.value)).map((other) => ({ field, published, other }));
  });
