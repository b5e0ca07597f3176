import { type DomainRelation, domainRelation } from './domains.ts';
import type { NameKind, ReadFirm } from './firm.ts';
import {
  type FormRelation,
  formRelation,
  NAME_RELATIONS,
  type NameParts,
  type NameRelation,
  nameRelation,
} from './names.ts';

/** `same` and `different` are decided automatically; `maybe` is for a person. */
export type MatchVerdict = 'same' | 'maybe' | 'different';

/** Result of comparing one field. */
interface MatchReason {
  readonly field: 'lei' | 'number' | 'name' | 'form' | 'domain' | 'country';
  /** Relation of the values: a word of the tables below. */
  readonly relation: string;
  /** Evidence for one firm (above 0) or for two. */
  readonly points: number;
  /** The values, as given or as parsed. */
  readonly left: string;
  readonly right: string;
}

/** Reason why a person decides, regardless of the points. */
export type MatchDoubt =
  | 'other_domain'
  | 'name_looks_alike'
  | 'mixed_alphabets'
  | 'other_lei'
  | 'other_name'
  | 'trading_name_only'
  | 'country_unconfirmed'
  | 'several_match';

/** A decision with its reasons. */
export interface MatchDecision {
  readonly verdict: MatchVerdict;
  readonly points: number;
  readonly reasons: readonly MatchReason[];
  /** Reasons why a person must look although the points say `same`. */
  readonly doubts: readonly MatchDoubt[];
}

/** Points from which two descriptions count as one firm (`same`), and below which they count as two (`maybe`). */
export const BOUNDS = { same: 10, maybe: 0 } as const;

/** Points of each relation of each field. `docs/matching.md` explains them. */
export const POINTS = {
  lei: { same: 12, differs: -12 },
  number: { same: 9, elsewhere: 2, differs: -4 },
  domain: { same: 5, 'look-alike': -3, foreign: -1 },
  country: { same: 3, differs: -6 },
  name: {
    identical: 8,
    spaced: 7,
    transliterated: 7,
    abbreviated: 7,
    reordered: 5,
    'place-added': 1,
    initials: 0,
    extended: 0,
    'look-alike': 3,
    near: 2,
    'number-differs': -4,
    'other-place': -5,
    akin: -4,
    unlike: -8,
  },
  form: { same: 0, unstated: -1, kin: -1, differs: -4 },
} as const satisfies Record<MatchReason['field'], Readonly<Record<string, number>>> & {
  readonly name: Readonly<Record<NameRelation, number>>;
  readonly form: Readonly<Record<FormRelation, number>>;
  readonly domain: Readonly<Record<DomainRelation, number>>;
};

/** Maximum points of a name that all firms of a group use. */
const MOST_BY_TRADING_NAME = 4;

const isTrading = (kind: NameKind): boolean => kind === 'trading' || kind === 'former';

const compareLeis = ({ leis: left }: ReadFirm, { leis: right }: ReadFirm): MatchReason | undefined => {
  if (left.length === 0 || right.length === 0) return undefined;
  const shared = left.find((lei) => right.includes(lei));
  const relation = shared === undefined ? 'differs' : 'same';
  return {
    field: 'lei',
    relation,
    points: POINTS.lei[relation],
    left: shared ?? left.join(', '),
    right: shared ?? right.join(', '),
  };
};

const formatNumber = ({ register, number }: ReadFirm['numbers'][number]): string => `${register} ${number}`;

/** Length from which equal numbers of two registers are hardly a coincidence. */
const LONG_NUMBER = 5;

const compareNumbers = ({ numbers: left }: ReadFirm, { numbers: right }: ReadFirm): MatchReason | undefined => {
  if (left.length === 0 || right.length === 0) return undefined;
  const toReason = (relation: keyof typeof POINTS.number, one: typeof left, other: typeof right): MatchReason => ({
    field: 'number',
    relation,
    points: POINTS.number[relation],
    left: one.map(formatNumber).join(', '),
    right: other.map(formatNumber).join(', '),
  });
  const known = new Set(right.map(formatNumber));
  const same = left.filter((one) => known.has(formatNumber(one)));
  if (same.length > 0) return toReason('same', same, same);
  const there = new Set(right.map(({ register }) => register));
  const rivals = left.filter(({ register }) => there.has(register));
  if (rivals.length > 0)
    return toReason(
      'differs',
      rivals,
      right.filter(({ register }) => rivals.some((one) => one.register === register)),
    );
  const elsewhere = left.filter(
    ({ number }) => number.length >= LONG_NUMBER && right.some((one) => one.number === number),
  );
  return elsewhere.length > 0 ? toReason('elsewhere', elsewhere, right) : undefined;
};

const BEST_DOMAIN: readonly DomainRelation[] = ['same', 'look-alike', 'foreign'];

const compareDomains = ({ domains: left }: ReadFirm, { domains: right }: ReadFirm): MatchReason | undefined => {
  let best: MatchReason | undefined;
  for (const one of left)
    for (const other of right) {
      const relation = domainRelation(one, other);
      if (best && BEST_DOMAIN.indexOf(relation) >= BEST_DOMAIN.indexOf(best.relation as DomainRelation)) continue;
      best = { field: 'domain', relation, points: POINTS.domain[relation], left: one.host, right: other.host };
    }
  return best;
};

const compareCountries = ({ countries: left }: ReadFirm, { countries: right }: ReadFirm): MatchReason | undefined => {
  if (left.length === 0 || right.length === 0) return undefined;
  const relation = left.some((country) => right.includes(country)) ? 'same' : 'differs';
  return {
    field: 'country',
    relation,
    points: POINTS.country[relation],
    left: left.join(', '),
    right: right.join(', '),
  };
};

interface NameComparison {
  readonly name: MatchReason;
  readonly form: MatchReason | undefined;
  readonly isMixed: boolean;
  readonly isTrading: boolean;
}

const formText = ({ form }: NameParts): string => form?.form ?? '';

/** Name relations with which legal forms count: the rest of the names is the same. */
const FORM_COUNTS: ReadonlySet<string> = new Set(NAME_RELATIONS.slice(0, NAME_RELATIONS.indexOf('initials')));

const compareNames = (left: ReadFirm['names'][number], right: ReadFirm['names'][number]): NameComparison => {
  const relation = nameRelation(left.parts, right.parts);
  const trading = isTrading(left.kind) || isTrading(right.kind);
  const points = trading ? Math.min(POINTS.name[relation], MOST_BY_TRADING_NAME) : POINTS.name[relation];
  const name: MatchReason = { field: 'name', relation, points, left: left.parts.text, right: right.parts.text };
  const forms = formRelation(left.parts.form, right.parts.form);
  const form: MatchReason | undefined =
    !trading && FORM_COUNTS.has(relation)
      ? {
          field: 'form',
          relation: forms,
          points: POINTS.form[forms],
          left: formText(left.parts),
          right: formText(right.parts),
        }
      : undefined;
  return { name, form, isMixed: left.parts.isMixed || right.parts.isMixed, isTrading: trading };
};

const sumPoints = ({ name, form }: NameComparison): number => name.points + (form?.points ?? 0);

const findClosestNames = ({ names: left }: ReadFirm, { names: right }: ReadFirm): NameComparison | undefined => {
  let best: NameComparison | undefined;
  for (const one of left)
    for (const other of right) {
      const found = compareNames(one, other);
      if (!best || sumPoints(found) > sumPoints(best)) best = found;
    }
  return best;
};

const LOOKS_ALIKE: ReadonlySet<string> = new Set(['look-alike', 'near']);

/** Returns whether a told domain is unknown for a firm with known domains. */
const hasForeignDomain = ({ domains: known }: ReadFirm, { domains: told }: ReadFirm): boolean =>
  known.length > 0 && told.some((one) => !known.some((own) => domainRelation(own, one) === 'same'));

interface FieldReasons {
  readonly lei: MatchReason | undefined;
  readonly number: MatchReason | undefined;
  readonly domain: MatchReason | undefined;
  readonly country: MatchReason | undefined;
  readonly isForeign: boolean;
  readonly named: NameComparison | undefined;
}

/**
 * Returns the reasons for a decision by a person. Impostors copy everything of their victim but the domain, and often
 * change just one letter of the name; firms of a group share name and site.
 */
const findDoubts = ({ lei, number, domain, country, isForeign: foreign, named }: FieldReasons): MatchDoubt[] => {
  const identifiers = [lei, number, domain].filter((one) => one?.relation === 'same').length;
  const relation = named?.name.relation ?? 'unlike';
  const isIdentified = lei?.relation === 'same' || number?.relation === 'same';
  return [
    ...(foreign ? (['other_domain'] as const) : []),
    ...(LOOKS_ALIKE.has(relation) && identifiers < 2 ? (['name_looks_alike'] as const) : []),
    ...(named?.isMixed ? (['mixed_alphabets'] as const) : []),
    ...(lei?.relation === 'differs' ? (['other_lei'] as const) : []),
    ...(named && POINTS.name[relation as NameRelation] < 0 ? (['other_name'] as const) : []),
    ...(named?.isTrading && !isIdentified ? (['trading_name_only'] as const) : []),
    ...(!isIdentified && country?.relation !== 'same' ? (['country_unconfirmed'] as const) : []),
  ];
};

/**
 * Returns whether one name is a brand that the other extends, and both have the same site: never decided automatically.
 */
const isBrandWithSite = ({ lei, number, domain, named }: FieldReasons): boolean =>
  domain?.relation === 'same' &&
  named?.name.relation === 'extended' &&
  lei?.relation !== 'differs' &&
  number?.relation !== 'differs';

/** Returns the verdict for a number of points. */
export const decideVerdict = (
  points: number,
  doubts: readonly MatchDoubt[],
  bounds: { same: number; maybe: number } = BOUNDS,
): MatchVerdict => {
  if (points >= bounds.same) return doubts.length === 0 ? 'same' : 'maybe';
  return points >= bounds.maybe ? 'maybe' : 'different';
};

/**
 * Decides whether a description is of a known firm. The points are symmetric. A told domain that is unknown is a doubt;
 * a known domain that is not told is none.
 */
export const decide = (known: ReadFirm, told: ReadFirm): MatchDecision => {
  const said = {
    lei: compareLeis(known, told),
    number: compareNumbers(known, told),
    domain: compareDomains(known, told),
    country: compareCountries(known, told),
    isForeign: hasForeignDomain(known, told),
    named: findClosestNames(known, told),
  };
  const all = [said.lei, said.number, said.named?.name, said.named?.form, said.domain, said.country];
  const reasons = all.filter((one) => one !== undefined);
  const points = reasons.reduce((sum, one) => sum + one.points, 0);
  const doubts = findDoubts(said);
  const verdict = decideVerdict(points, doubts);
  const isOpen = verdict === 'different' && isBrandWithSite(said);
  return { verdict: isOpen ? 'maybe' : verdict, points, reasons, doubts };
};
