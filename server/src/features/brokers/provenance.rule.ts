import type { Contradiction, Provenance } from '@broker-transparency/contract';
import { type Candidates, type Contested, ranked, textOf } from '../../platform/statements/statement.rule.ts';
import { later } from './licenses.rule.ts';
import type { BrokerRecord } from './record.rule.ts';

/**
 * Merges the lists of all sources, the strongest first: a member is left out if a stronger source has one with its key.
 */
export const merged = <T>(candidates: Candidates, property: string, keyOf: (member: T) => string): T[] => {
  const keys = new Set<string>();
  return ranked(candidates, property).flatMap(({ value }) => {
    const fresh = (value as T[]).filter((member) => !keys.has(keyOf(member)));
    for (const member of fresh) keys.add(keyOf(member));
    return fresh;
  });
};

/** A source that a statement names, with the attribution that it asks for. */
export type NamedSource = BrokerRecord['provenance'][number];

const keyOf = ({ fact, sourceUrl }: NamedSource): string => `${fact} ${sourceUrl}`;

/**
 * Merges the sources that all statements name. One that several name was last opened at the latest time, and stands
 * where the last of them has it.
 */
export const sourcesIn = (candidates: Candidates): NamedSource[] =>
  ranked(candidates, 'provenance').reduce<NamedSource[]>((known, { value }) => {
    const named = value as NamedSource[];
    const again = new Set(named.map(keyOf));
    const joined = named.map((source) => {
      const same = known.filter((one) => keyOf(one) === keyOf(source));
      const lastVerifiedAt = same.map((one) => one.lastVerifiedAt).reduce(later, source.lastVerifiedAt);
      const attribution = source.attribution ?? same.find((one) => one.attribution !== undefined)?.attribution;
      return { ...source, ...(attribution === undefined ? {} : { attribution }), lastVerifiedAt };
    });
    return [...known.filter((one) => !again.has(keyOf(one))), ...joined];
  }, []);

const contradictionOf = ({ field, other }: Contested): Contradiction => ({
  field,
  says: textOf(other.value).slice(0, 4000),
  source: other.source,
  sourceUrl: other.url,
  asOf: other.asOf,
  ...(other.overruled === undefined ? {} : { overruledBecause: other.overruled }),
});

const factOf = (field: string): string => field.split('.', 1)[0] as string;

/** Adds, for every source that is published where others differ, an entry that says who it is and what they say. */
export const withContradictions = (
  sources: readonly NamedSource[],
  contested: readonly Contested[],
  website: string,
): Provenance[] => {
  const groups = Map.groupBy(contested, ({ published }) => JSON.stringify([published.source, published.url]));
  const contradicted = [...groups.values()].map((group): Provenance => {
    const [{ field, published }] = group as [Contested, ...Contested[]];
    const fact = factOf(field);
    const own = sources.filter(({ sourceUrl }) => sourceUrl === published.url);
    const known = own.find((one) => one.fact === fact) ?? own[0] ?? { lastVerifiedAt: null };
    const sourceUrl = published.url ?? website;
    return { ...known, fact, sourceUrl, statedBy: published.source, contradicted: group.map(contradictionOf) };
  });
  return [...sources, ...contradicted];
};

/** Returns the sources that statements named, without what `withContradictions` added. */
export const namedSources = (provenance: readonly Provenance[]): NamedSource[] =>
  provenance.filter(({ contradicted }) => contradicted === undefined);
