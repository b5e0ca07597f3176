import type { Contradiction, Provenance } from '@broker-transparency/contract';
import {
  type ContestedFact,
  compareCandidates,
  type FactCandidate,
  type FactCandidates,
  formatValue,
  listRanked,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { maxTime } from './licenses.rule.ts';
import { type BrokerRecord, isNamed } from './record.rule.ts';

/**
 * Returns each source's members of a published list, the strongest source first. Leaves out a member if a stronger
 * source has one with the same key.
 */
const splitBySource = <T>(lists: readonly FactCandidate[], toKey: (member: T) => string) => {
  const keys = new Set<string>();
  return lists.map((by) => {
    const members = (by.value as T[]).filter((member) => !keys.has(toKey(member)));
    for (const member of members) keys.add(toKey(member));
    return { by, members };
  });
};

const WARNING = 'warning ';

/** Returns the property under which an authority's list states that one of its warnings is about a broker. */
export const toWarningProperty = (id: string): string => WARNING + id;

type ProfileWarning = BrokerRecord['warnings'][number];

/** Returns each source's warnings, stated as a list or, by lists of authorities, one by one. */
const splitWarnings = (candidates: FactCandidates) => {
  const single = [...candidates].flatMap(([property, all]) =>
    property.startsWith(WARNING) ? all.map((one) => ({ ...one, value: [one.value] })) : [],
  );
  const lists = listRanked(candidates, 'warnings');
  const all = single.length === 0 ? lists : [...lists, ...single].sort((a, b) => compareCandidates('warnings', a, b));
  return splitBySource<ProfileWarning>(all, ({ url }) => url);
};

/** Merges the warnings of all sources, the strongest first. */
export const mergeWarnings = (candidates: FactCandidates): ProfileWarning[] =>
  splitWarnings(candidates).flatMap(({ members }) => members);

/** A source that a statement names, with its attribution. */
export type NamedSource = BrokerRecord['provenance'][number];

const toSourceKey = ({ fact, sourceUrl }: NamedSource): string => `${fact} ${sourceUrl}`;

/**
 * Merges the sources that all statements name. A source that several name gets their latest time of opening, and its
 * place in the last of them.
 */
export const mergeSources = (candidates: FactCandidates): NamedSource[] =>
  listRanked(candidates, 'provenance').reduce<NamedSource[]>((known, { value }) => {
    const named = value as NamedSource[];
    const again = new Set(named.map(toSourceKey));
    const joined = named.map((source) => {
      const same = known.filter((one) => toSourceKey(one) === toSourceKey(source));
      const lastVerifiedAt = same.map((one) => one.lastVerifiedAt).reduce(maxTime, source.lastVerifiedAt);
      const attribution = source.attribution ?? same.find((one) => one.attribution !== undefined)?.attribution;
      return { ...source, ...(attribution === undefined ? {} : { attribution }), lastVerifiedAt };
    });
    return [...known.filter((one) => !again.has(toSourceKey(one))), ...joined];
  }, []);

const toContradiction = ({ field, other }: ContestedFact): Contradiction => ({
  field,
  says: formatValue(other.value).slice(0, 4000),
  source: other.source,
  sourceUrl: other.url,
  asOf: other.asOf,
  ...(other.overruled === undefined ? {} : { overruledBecause: other.overruled }),
});

const parseFact = (field: string): string => field.split('.', 1)[0] as string;

/** A fact, and the source of its published value. */
export interface PublishedBy {
  readonly fact: string;
  readonly by: Omit<FactCandidate, 'value'>;
}

/** Returns the source of the latest day on which licences were checked; the strongest, if several state that day. */
const findLatestPublisher = (candidates: FactCandidates, fact: string): PublishedBy[] => {
  const all = listRanked(candidates, fact);
  const latest = all.map(({ value }) => value as string | null).reduce(maxTime, null);
  return all.flatMap((by) => (latest !== null && by.value === latest ? [{ fact, by }] : [])).slice(0, 1);
};

/** Returns the sources of the published values of these fields, of the day of checks, and of the warnings. */
export const listPublishers = (candidates: FactCandidates, fields: readonly string[]): PublishedBy[] => [
  ...findLatestPublisher(candidates, 'licensesCheckedAt'),
  ...fields.flatMap((fact) =>
    listRanked(candidates, fact)
      .slice(0, 1)
      .map((by) => ({ fact, by })),
  ),
  ...splitWarnings(candidates).flatMap(({ by, members }) => (members.length === 0 ? [] : [{ fact: 'warnings', by }])),
];

/**
 * Adds an entry for each published fact that is not the editors' own, and for each contested fact: it names the
 * published source, and the values of the others. Licences that a register checked name their source themselves.
 */
export const withPublishers = (
  sources: readonly NamedSource[],
  publishers: readonly PublishedBy[],
  contested: readonly ContestedFact[],
  website: string,
): Provenance[] => {
  const toProvenance = ({ fact, by }: PublishedBy): Provenance => {
    const own = sources.filter(({ sourceUrl }) => sourceUrl === by.url);
    const known = own.find((one) => one.fact === fact) ?? own[0] ?? { lastVerifiedAt: null };
    const seen = isNamed(by.source) ? { lastVerifiedAt: by.asOf } : {};
    const credit = by.credit !== undefined && isNamed(by.source) ? { attribution: by.credit } : {};
    return { ...known, ...seen, ...credit, fact, sourceUrl: by.url ?? website, statedBy: by.source };
  };
  const groups = Map.groupBy(contested, ({ field, published: { source, url } }) =>
    JSON.stringify([parseFact(field), source, url]),
  );
  const contradicted = [...groups.values()].map((group): Provenance => {
    const [{ field, published }] = group as [ContestedFact, ...ContestedFact[]];
    return { ...toProvenance({ fact: parseFact(field), by: published }), contradicted: group.map(toContradiction) };
  });
  const toPublisherKey = (fact: string, source: StatementSource) => `${fact} ${sourceKey(source)}`;
  const named = new Set(contradicted.map(({ fact, statedBy }) => toPublisherKey(fact, statedBy as StatementSource)));
  const others = publishers.filter(({ fact, by: { source } }) => {
    const name = toPublisherKey(fact, source);
    if (!isNamed(source) || named.has(name)) return false;
    named.add(name);
    return true;
  });
  return [...sources, ...contradicted, ...others.map(toProvenance)];
};

/** Returns the sources that statements named, without the entries that `withPublishers` added. */
export const filterNamedSources = (provenance: readonly Provenance[]): NamedSource[] =>
  provenance.filter(({ statedBy }) => statedBy === undefined);
