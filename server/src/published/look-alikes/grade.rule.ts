import {
  type DomainParts,
  domainParts,
  domainRelation,
  isMistyped,
  isShared,
  meansBrand,
  plainNumber,
  registerNumber as readNumber,
} from '@broker-transparency/matching';
import type { Fact } from './facts.rule.ts';
import { type NormalName, normalName, tellingWords } from './normal.rule.ts';

/** Quality of a match. */
export type MatchGrade = 'exact' | 'likely' | 'possible';
/** A field of a query. */
export type FactField = Fact['field'];

/** Description of the firm that is looked for. */
export interface FirmQuery {
  readonly lei?: string | undefined;
  readonly name?: string | undefined;
  readonly domain?: string | undefined;
  readonly licenseNumber?: string | undefined;
  /** Regulator of the licence number. */
  readonly regulator?: string | undefined;
}

/** Returns whether one name extends the other, and their common words identify a broker. */
const isPart = (one: NormalName, other: NormalName, telling: readonly string[]): boolean => {
  if (!telling.some((word) => other.core.includes(word))) return false; // true for nearly all, and cheap
  const [short, long] = one.core.length <= other.core.length ? [one, other] : [other, one];
  const all = long.core.split(' ');
  return short.core.split(' ').every((word) => all.includes(word)) && tellingWords(short).length > 0;
};

/** Grades two names. `telling` are the telling words of the asked one. */
export const gradeName = (asked: NormalName, known: NormalName, telling: readonly string[]): MatchGrade | undefined => {
  if (asked.isMixed === known.isMixed) {
    if (asked.whole === known.whole) return 'exact';
    if (asked.compact === known.compact) return 'likely';
  }
  const looksAlike = asked.look === known.look || isMistyped(asked.compact, known.compact);
  return looksAlike || isPart(asked, known, telling) ? 'possible' : undefined;
};

/** Grades two domains: the same host, the same owner, a look-alike, or the brand in a label of the other. */
export const gradeDomain = (asked: DomainParts, known: DomainParts): MatchGrade | undefined => {
  if (asked.host === known.host) return 'exact';
  const relation = domainRelation(asked, known);
  if (relation === 'same') return 'likely';
  return relation === 'look-alike' || meansBrand(asked, known) ? 'possible' : undefined;
};

/** Grades two numbers. A number alone is not unique: several registers can have it. */
const gradeNumber = (
  isSame: boolean,
  regulator: string | undefined,
  of: string | undefined,
): MatchGrade | undefined => {
  if (!isSame) return undefined;
  if (regulator === undefined) return 'likely';
  return regulator === of ? 'exact' : 'possible';
};

/** A normalised query. */
export interface NormalQuery {
  readonly lei: string | undefined;
  readonly name: NormalName | undefined;
  /** Telling words of the name. */
  readonly telling: readonly string[];
  readonly domain: DomainParts | undefined;
  readonly licenseNumber: string | undefined;
  /** Normalised by the rules of that regulator. */
  readonly number: string | undefined;
  readonly regulator: string | undefined;
}

const ifNotEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Returns a normalised query. Fields that become empty are left out. */
export const normalizeQuery = ({ lei, name, domain, licenseNumber, regulator }: FirmQuery): NormalQuery => {
  const normal = name === undefined ? undefined : normalName(name);
  const parts = domain === undefined ? undefined : domainParts(domain);
  return {
    lei,
    name: normal?.whole === '' ? undefined : normal,
    telling: normal ? tellingWords(normal) : [],
    domain: parts && !isShared(parts) ? parts : undefined,
    licenseNumber: ifNotEmpty(licenseNumber === undefined ? undefined : plainNumber(licenseNumber)),
    number: ifNotEmpty(licenseNumber === undefined ? undefined : readNumber(licenseNumber, regulator)),
    regulator,
  };
};

/** Returns whether two numbers are equal, as given or by the rules of the regulator: "FRN 123456" is "123456". */
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

/** Grades a candidate by its best evidence, one step lower if one of its known facts does not match. */
export const gradeCandidate = (evidence: readonly MatchGrade[], contradicts: boolean): MatchGrade => {
  const best = ORDER.indexOf([...evidence].sort(compareMatches)[0] as MatchGrade);
  return ORDER[Math.min(best + (contradicts ? 1 : 0), ORDER.length - 1)] as MatchGrade;
};
