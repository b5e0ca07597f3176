import { SOURCE_RANKINGS, type SourceKind } from '@broker-transparency/contract';

/** Who says a fact. */
export interface StatementSource {
  readonly kind: SourceKind;
  readonly name: string;
}

/** One thing that a source says of a subject. Without a value, the source takes back what it said. */
export interface PropertyClaim {
  readonly property: string;
  readonly value?: unknown;
}

/** What one source says of one subject at one time. It never changes; a later statement of the source replaces it. */
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

/** What one source says of one property now. */
export interface FactCandidate {
  readonly source: StatementSource;
  readonly value: unknown;
  readonly asOf: string;
  readonly url: string | null;
  readonly credit?: string;
  /** The version of the subject at which it was said; tells apart what one source says at one time. */
  readonly version?: number;
  /** Why editors do not publish it, if they overruled it. */
  readonly overruled?: string;
}

/** What every source says of a subject now, by property. */
export type FactCandidates = ReadonlyMap<string, readonly FactCandidate[]>;

/** A fact that several sources state differently. */
export interface ContestedFact {
  /** The path of the field, as the audit trail names it. */
  readonly field: string;
  readonly published: FactCandidate;
  /** What another source says instead. */
  readonly other: FactCandidate;
}

/** What is published of a subject, and what is not. */
export interface ResolvedFacts<S> {
  /** Null if the sources do not say enough to publish anything. */
  readonly state: S | null;
  readonly contested: readonly ContestedFact[];
}

/** An editor's decision not to publish what another source says, as the value of a statement. */
export interface Overrule {
  readonly property: string;
  readonly source: StatementSource;
  /** What it says; of an object, the fields that matter. If it says something else, the decision lapses. */
  readonly value: unknown;
  readonly reason: string;
}

const OVERRULE = 'overrule ';

export const sourceKey = ({ kind, name }: StatementSource): string => `${kind}:${name}`;

/** Returns the property under which a source states an overrule. */
export const overruleProperty = ({ property, source }: Pick<Overrule, 'property' | 'source'>): string =>
  `${OVERRULE}${sourceKey(source)} ${property}`;

/** Returns the overrule that a property holds; undefined if it is about something else. */
export const parseOverrule = (property: string, value: unknown): Overrule | undefined =>
  property.startsWith(OVERRULE) ? (value as Overrule) : undefined;

/** Returns a value as people read it: text as it is, everything else as JSON. */
export const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Compares values, whatever the order of their fields. A field without a value is one that is not there. */
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

/** Returns whether a value is this one, or an object that has these fields. */
const isLike = (value: unknown, part: unknown): boolean =>
  isPlainObject(value) && isPlainObject(part)
    ? Object.keys(part).every((name) => isSame(value[name], part[name]))
    : isSame(value, part);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns whether a statement comes after another one of its source: it is of a later time, or was recorded later. */
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

/** Returns the statements of which something still counts, because their source has not said all of it again. */
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
 * Compares two sources of a fact, the one to publish first: by rank, then by the time they describe,
 * then by name; of one source, what it said last.
 */
export const compareCandidates = (fact: string, a: FactCandidate, b: FactCandidate): number =>
  findRank(fact, a.source.kind) - findRank(fact, b.source.kind) ||
  compareText(b.asOf, a.asOf) ||
  compareText(sourceKey(a.source), sourceKey(b.source)) ||
  (b.version ?? 0) - (a.version ?? 0);

/** Most facts have one source. */
const sortCandidates = (fact: string, stated: readonly FactCandidate[]): readonly FactCandidate[] =>
  stated.length < 2 ? stated : stated.toSorted((a, b) => compareCandidates(fact, a, b));

/** Returns the overrules that editors state, also those of which the source says something else, or nothing, by now. */
export const listOverrules = (candidates: FactCandidates): Overrule[] =>
  [...candidates].flatMap(([property, stated]) => stated.flatMap(({ value }) => parseOverrule(property, value) ?? []));

/**
 * Returns what every source says now, by property: its last statement about it, unless that took it back. Depends on
 * the statements alone, not on their order.
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

/** Returns what one source says now, by property. */
export const findClaims = (source: StatementSource, candidates: FactCandidates): Map<string, unknown> => {
  const key = sourceKey(source);
  const said = new Map<string, unknown>();
  for (const [property, stated] of candidates) {
    const own = stated.find((one) => sourceKey(one.source) === key);
    if (own) said.set(property, own.value);
  }
  return said;
};

/** Returns what sources say of a property, overruled or not, the strongest source first. */
export const listStated = (candidates: FactCandidates, property: string): readonly FactCandidate[] =>
  sortCandidates(property, candidates.get(property) ?? []);

/** Returns what sources say of a property and editors did not overrule, the strongest source first. */
export const listRanked = (candidates: FactCandidates, property: string): readonly FactCandidate[] =>
  listStated(candidates, property).filter(({ overruled }) => overruled === undefined);

/** Returns what sources say differently of properties of which one source is published. */
export const findContested = (candidates: FactCandidates, properties: readonly string[]): ContestedFact[] =>
  properties.flatMap((field) => {
    if ((candidates.get(field)?.length ?? 0) < 2) return [];
    const [published] = listRanked(candidates, field);
    if (!published) return [];
    const others = listStated(candidates, field);
    return others.filter(({ value }) => !isSame(value, published.value)).map((other) => ({ field, published, other }));
  });
