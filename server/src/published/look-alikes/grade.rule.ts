import {
  type DomainParts,
  domainParts,
  domainRelation,
  isMistyped,
  isShared,
  meansBrand,
  licenseNumber as numberOf,
  plainNumber,
} from '@broker-transparency/matching';
import type { Fact } from './facts.rule.ts';
import { type NormalName, normalName, tellingWords } from './normal.rule.ts';

/** How well a fact matches. */
export type MatchGrade = 'exact' | 'likely' | 'possible';
/** A field of a query. */
export type Field = Fact['field'];

/** Somebody who is looked for. */
export interface FirmQuery {
  readonly lei?: string | undefined;
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly licenseNumber?: string | undefined;
  /** Whose register the number is from. */
  readonly regulator?: string | undefined;
}

/** Whether one name is the other with more words, and what they have in common tells brokers apart. */
const isPart = (one: NormalName, other: NormalName, telling: readonly string[]): boolean => {
  if (!telling.some((word) => other.core.includes(word))) return false; // as for nearly all, and cheap
  const [short, long] = one.core.length <= other.core.length ? [one, other] : [other, one];
  const all = long.core.split(' ');
  return short.core.split(' ').every((word) => all.includes(word)) && tellingWords(short).length > 0;
};

/** Grades two names. `telling` are the telling words of the one that is asked for. */
export const gradeName = (asked: NormalName, known: NormalName, telling: readonly string[]): MatchGrade | undefined => {
  if (asked.isMixed === known.isMixed) {
    if (asked.whole === known.whole) return 'exact';
    if (asked.compact === known.compact) return 'likely';
  }
  const looksAlike = asked.look === known.look || isMistyped(asked.compact, known.compact);
  return looksAlike || isPart(asked, known, telling) ? 'possible' : undefined;
};

/** Grades two domains: the same host, two of one owner, or one that looks like the other or has its brand in a label. */
export const gradeDomain = (asked: DomainParts, known: DomainParts): MatchGrade | undefined => {
  if (asked.host === known.host) return 'exact';
  const relation = domainRelation(asked, known);
  if (relation === 'same') return 'likely';
  return relation === 'look-alike' || meansBrand(asked, known) ? 'possible' : undefined;
};

/** A number alone is not unique: registers of the world have the same ones. */
const gradeNumber = (
  isSame: boolean,
  regulator: string | undefined,
  of: string | undefined,
): MatchGrade | undefined => {
  if (!isSame) return undefined;
  if (regulator === undefined) return 'likely';
  return regulator === of ? 'exact' : 'possible';
};

/** A query as it is compared. */
export interface NormalQuery {
  readonly lei: string | undefined;
  readonly name: NormalName | undefined;
  /** The telling words of the name. */
  readonly telling: readonly string[];
  readonly domain: DomainParts | undefined;
  readonly licenseNumber: string | undefined;
  /** As numbers of that regulator are compared. */
  readonly number: string | undefined;
  readonly regulator: string | undefined;
}

const ifNotEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Returns a query without what does not matter. A field of which nothing is left is left out. */
export const normalizeQuery = ({ lei, name, domain, licenseNumber, regulator }: FirmQuery): NormalQuery => {
  const normal = name === undefined ? undefined : normalName(name);
  const parts = domain === undefined ? undefined : domainParts(domain);
  return {
    lei,
    name: normal?.whole === '' ? undefined : normal,
    telling: normal ? tellingWords(normal) : [],
    domain: parts && !isShared(parts) ? parts : undefined,
    licenseNumber: ifNotEmpty(licenseNumber === undefined ? undefined : plainNumber(licenseNumber)),
    number: ifNotEmpty(licenseNumber === undefined ? undefined : numberOf(licenseNumber, regulator)),
    regulator,
  };
};

/** The signs are the same, or what is left of them by the rules of its regulator: "FRN 123456" is "123456". */
const isSameNumber = (
  { licenseNumber, number }: NormalQuery,
  fact: { readonly normal: string; readonly number: string },
): boolean =>
  licenseNumber !== undefined && (licenseNumber === fact.normal || (number !== '' && number === fact.number));

/** Grades a published fact by a query; undefined if it does not match. */
export const gradeFact = (query: NormalQuery, fact: Fact): MatchGrade | undefined => {
  switch (fact.field) {
    case 'lei':
      return query.lei === fact.normal ? 'exact' : undefined;
    case 'name':
      return query.name && gradeName(query.name, fact.name, query.telling);
    case 'domain':
      return query.domain && gradeDomain(query.domain, fact.parts);
    case 'licenseNumber':
      return gradeNumber(isSameNumber(query, fact), query.regulator, fact.regulator);
  }
};

const ORDER: readonly MatchGrade[] = ['exact', 'likely', 'possible'];

/** Orders matches, best first. */
export const compareMatches = (one: MatchGrade, other: MatchGrade): number => ORDER.indexOf(one) - ORDER.indexOf(other);

/** Grades a candidate: as its best evidence, and one step less if something that is known of it does not match. */
export const gradeCandidate = (evidence: readonly MatchGrade[], contradicts: boolean): MatchGrade => {
  const best = ORDER.indexOf([...evidence].sort(compareMatches)[0] as MatchGrade);
  return ORDER[Math.min(best + (contradicts ? 1 : 0), ORDER.length - 1)] as MatchGrade;
};
