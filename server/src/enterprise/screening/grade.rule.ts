import type { MATCHES, SCREENED_FIELDS, ScreeningQuery } from '@broker-transparency/contract/enterprise';
import type { Fact } from './facts.rule.ts';
import { isTelling, labelOf, type NormalName, normalHost, normalName, normalNumber } from './normal.rule.ts';

/** How well a fact matches. */
export type Match = (typeof MATCHES)[number];
/** A field of a query. */
export type Field = (typeof SCREENED_FIELDS)[number];

/** Counts the changes that make one text the other. */
export type Distance = (one: string, other: string) => number;

/** Typing errors that are allowed in a name of so many letters. */
const TYPOS: readonly (readonly [letters: number, typos: number])[] = [
  [9, 2],
  [5, 1],
  [0, 0],
];

export const typosIn = (text: string): number =>
  (TYPOS.find(([letters]) => text.length >= letters) as [number, number])[1];

const isNear = (one: string, other: string, distance: Distance): boolean => {
  const most = Math.min(typosIn(one), typosIn(other));
  return most > 0 && Math.abs(one.length - other.length) <= most && distance(one, other) <= most;
};

/** Whether one name is the other with more words, and what they have in common tells brokers apart. */
const isPart = ({ bare: one }: NormalName, { bare: other }: NormalName): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const rest = new Set(long);
  return short.length > 0 && short.every((word) => rest.has(word)) && short.some(isTelling);
};

/** Grades two names. */
export const gradeName = (asked: NormalName, known: NormalName, distance: Distance): Match | undefined => {
  if (asked.whole === known.whole) return 'exact';
  if (asked.compact === known.compact) return 'likely';
  return isNear(asked.compact, known.compact, distance) || isPart(asked, known) ? 'possible' : undefined;
};

/** Grades two hosts: the same, one below the other, or one that looks like it. */
export const gradeHost = (asked: string, known: string, distance: Distance): Match | undefined => {
  if (asked === known) return 'exact';
  if (asked.endsWith(`.${known}`) || known.endsWith(`.${asked}`)) return 'likely';
  const [one, other] = [labelOf(asked), labelOf(known)];
  return one === other || isNear(one.replaceAll('-', ''), other.replaceAll('-', ''), distance) ? 'possible' : undefined;
};

/** A number alone is not unique: registers of the world have the same ones. */
const gradeNumber = (isSame: boolean, regulator: string | undefined, of: string | undefined): Match | undefined => {
  if (!isSame) return undefined;
  if (regulator === undefined) return 'likely';
  return regulator === of ? 'exact' : 'possible';
};

/** A query as it is compared. */
export interface NormalQuery {
  readonly lei: string | undefined;
  readonly name: NormalName | undefined;
  readonly domain: string | undefined;
  readonly licenseNumber: string | undefined;
  readonly regulator: string | undefined;
}

const ifNotEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** Returns a query without what does not matter. A field of which nothing is left is left out. */
export const normalQuery = ({ lei, name, domain, licenseNumber, regulator }: ScreeningQuery): NormalQuery => {
  const normal = name === undefined ? undefined : normalName(name);
  return {
    lei,
    name: normal?.whole === '' ? undefined : normal,
    domain: domain === undefined ? undefined : normalHost(domain),
    licenseNumber: ifNotEmpty(licenseNumber === undefined ? undefined : normalNumber(licenseNumber)),
    regulator,
  };
};

/** Grades a published fact by a query; undefined if it does not match. */
export const gradeFact = (query: NormalQuery, fact: Fact, distance: Distance): Match | undefined => {
  switch (fact.field) {
    case 'lei':
      return query.lei === fact.normal ? 'exact' : undefined;
    case 'name':
      return query.name && gradeName(query.name, fact.name, distance);
    case 'domain':
      return query.domain === undefined ? undefined : gradeHost(query.domain, fact.normal, distance);
    case 'licenseNumber':
      return gradeNumber(query.licenseNumber === fact.normal, query.regulator, fact.regulator);
  }
};

const ORDER: readonly Match[] = ['exact', 'likely', 'possible'];

/** Orders matches, best first. */
export const byMatch = (one: Match, other: Match): number => ORDER.indexOf(one) - ORDER.indexOf(other);

/** Grades a candidate: as its best evidence, and one step less if something that is known of it does not match. */
export const gradeCandidate = (evidence: readonly Match[], contradicts: boolean): Match => {
  const best = ORDER.indexOf([...evidence].sort(byMatch)[0] as Match);
  return ORDER[Math.min(best + (contradicts ? 1 : 0), ORDER.length - 1)] as Match;
};
