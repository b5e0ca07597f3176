import type { ReadFirm } from '@broker-transparency/matching';
import {
  decide,
  domainRelation,
  formRelation,
  isTelling,
  type MatchDecision,
  type NameParts,
  type NameRelation,
  nameRelation,
  sharesTellingLabel,
} from '@broker-transparency/matching';

/** A party that an authority warns of. */
export interface WarnedParty {
  /** The code of the authority, whose own licence numbers count. */
  readonly authority: string;
  readonly mentionsClone: boolean;
  readonly firm: ReadFirm;
  /** True if it names a page on a platform, or an unreadable address, whose owner is unknown. */
  readonly hasOtherSites?: boolean;
}

/** A firm that a warning may concern. */
export interface ConcernedFirm {
  readonly firm: ReadFirm;
  /**
   * Regulators whose licence it holds now. If one of them warns of its name, site and number, it most likely means a
   * clone.
   */
  readonly licensedBy: readonly string[];
}

/** Reason why a person has to check a warning. */
type WarnedDoubt =
  | 'mentions_clone'
  | 'no_identifier'
  | 'unknown_domain'
  | 'name_looks_alike'
  | 'other_name'
  | 'contradicting_identifier'
  | 'licensed_by_authority'
  | 'several_match';

/** The meaning of a warning for a firm. */
export interface WarnedDecision {
  /** `about`: it may count at once. `maybe`: it waits for a person. `none`: it does not concern the firm. */
  readonly verdict: 'about' | 'maybe' | 'none';
  /** The choice that a person is shown first. */
  readonly suggests: 'about' | 'clone_of';
  /** The identifier by which it may count at once. */
  readonly basis: 'lei' | 'license' | undefined;
  readonly doubts: readonly WarnedDoubt[];
  readonly decision: MatchDecision;
}

const SAME_NAME: ReadonlySet<NameRelation> = new Set(['identical', 'spaced', 'transliterated', 'abbreviated']);
const LOOKS_ALIKE: ReadonlySet<NameRelation> = new Set(['look-alike', 'near']);
const FOR_A_PERSON: ReadonlySet<NameRelation> = new Set([...SAME_NAME, 'look-alike', 'reordered', 'place-added']);
/** Relations that namesakes also have: they need a person's check only together with a similar site. */
const WEAK: ReadonlySet<NameRelation> = new Set(['near', 'extended', 'number-differs', 'other-place']);

/** Minimum letters of a name's own word that make a longer name worth a check. */
const TELLING_LETTERS = 6;

/** Minimum letters of both words for a changed letter to be worth a check: "RGM" is not "Raw". */
const CHANGED_LETTERS = 5;

/** Returns true if the words in which two names differ are distinctive, and long enough for a changed letter. */
const changesTellingWord = ({ own: one }: NameParts, { own: other }: NameParts): boolean => {
  const changed = [...one.filter((word) => !other.includes(word)), ...other.filter((word) => !one.includes(word))];
  return changed.every(isTelling) && changed.some((word) => word.length >= CHANGED_LETTERS);
};

const isWorthALook = (relation: NameRelation, one: NameParts, other: NameParts): boolean => {
  if (FOR_A_PERSON.has(relation)) return true;
  if (relation === 'near') return changesTellingWord(one, other);
  if (relation !== 'extended') return false;
  const short = one.own.length <= other.own.length ? one.own : other.own;
  return short.some((word) => isTelling(word) && word.length >= TELLING_LETTERS) || short.length > 1;
};

interface NameFindings {
  readonly isSame: boolean;
  readonly looksAlike: boolean;
  /** True if a name of the warning is not the firm's. */
  readonly isOther: boolean;
  readonly isWorthALook: boolean;
  readonly isWeak: boolean;
}

const isSame = (one: NameParts, other: NameParts): boolean =>
  SAME_NAME.has(nameRelation(one, other)) && formRelation(one.form, other.form) !== 'differs';

const compareFirmNames = ({ names: warned }: ReadFirm, { names: own }: ReadFirm): NameFindings => {
  const pairs = warned.map(({ parts }) => own.map(({ parts: other }) => [parts, other] as const));
  const relations = pairs.flatMap((all) =>
    all.map(([one, other]) => ({ one, other, relation: nameRelation(one, other) })),
  );
  return {
    isSame: relations.some(({ one, other }) => isSame(one, other)),
    looksAlike:
      warned.some(({ parts }) => parts.isMixed) ||
      pairs.some(
        (all) =>
          all.some(([one, other]) => LOOKS_ALIKE.has(nameRelation(one, other))) &&
          !all.some(([one, other]) => isSame(one, other)),
      ),
    isOther: pairs.some((all) => !all.some(([one, other]) => isSame(one, other))),
    isWorthALook: relations.some(({ one, other, relation }) => isWorthALook(relation, one, other)),
    isWeak: relations.some(({ relation }) => WEAK.has(relation)),
  };
};

/** Returns true if a warning has an LEI or a number that is not the firm's, even if another one is. */
const contradicts = ({ authority, firm }: WarnedParty, { leis, numbers }: ReadFirm): boolean => {
  const own = new Set(numbers.flatMap(({ register, number }) => (register === authority ? [number] : [])));
  const told = firm.numbers.filter(({ register }) => register === authority);
  return (
    (leis.length > 0 && firm.leis.some((lei) => !leis.includes(lei))) ||
    (own.size > 0 && told.some(({ number }) => !own.has(number)))
  );
};

const findRelation = ({ reasons }: MatchDecision, field: string): string | undefined =>
  reasons.find((one) => one.field === field)?.relation;

const findBasis = ({ authority, firm }: WarnedParty, concerned: ReadFirm): 'lei' | 'license' | undefined => {
  if (firm.leis.some((lei) => concerned.leis.includes(lei))) return 'lei';
  const own = firm.numbers.filter(({ register }) => register === authority);
  const isKnown = own.some(({ number }) =>
    concerned.numbers.some((one) => one.register === authority && one.number === number),
  );
  return isKnown ? 'license' : undefined;
};

/**
 * Returns true if a site is the firm's or similar to it. Similarity in words of the trade alone counts only beside a
 * similar name.
 */
const isRelatedSite = (
  decision: MatchDecision,
  { warned, firm, isWeakName }: { readonly warned: ReadFirm; readonly firm: ReadFirm; readonly isWeakName: boolean },
): boolean => {
  const domain = findRelation(decision, 'domain');
  if (domain !== 'look-alike') return domain === 'same';
  return isWeakName || warned.domains.some((one) => firm.domains.some((own) => sharesTellingLabel(one, own)));
};

/** Evaluates a firm that a warning may name as a victim: by number, site, or similar name. */
export const evaluateVictim = (named: ReadFirm, firm: ReadFirm): MatchDecision | undefined => {
  const decision = decide(firm, named);
  const isRelated =
    findRelation(decision, 'number') === 'same' ||
    findRelation(decision, 'domain') === 'same' ||
    compareFirmNames(named, firm).isWorthALook;
  return isRelated ? decision : undefined;
};

/**
 * Evaluates a warning for a firm. Only an LEI, or the licence number at the authority that warns, lets it count at
 * once, and only if nothing in the warning is foreign to the firm: a clone copies its victim's domain and number, and
 * shows only by facts that are not the victim's.
 */
export const evaluateWarning = (warned: WarnedParty, { firm, licensedBy }: ConcernedFirm): WarnedDecision => {
  const decision = decide(firm, warned.firm);
  const basis = findBasis(warned, firm);
  const names = compareFirmNames(warned.firm, firm);
  const foreign =
    warned.hasOtherSites === true ||
    warned.firm.domains.some((one) => !firm.domains.some((own) => domainRelation(one, own) === 'same'));
  const doubts: WarnedDoubt[] = [
    ...(warned.mentionsClone ? (['mentions_clone'] as const) : []),
    ...(basis === undefined ? (['no_identifier'] as const) : []),
    ...(foreign ? (['unknown_domain'] as const) : []),
    ...(names.looksAlike ? (['name_looks_alike'] as const) : []),
    ...(names.isOther ? (['other_name'] as const) : []),
    ...(contradicts(warned, firm) ? (['contradicting_identifier'] as const) : []),
    ...(licensedBy.includes(warned.authority) ? (['licensed_by_authority'] as const) : []),
  ];
  const isRelated =
    basis !== undefined ||
    findRelation(decision, 'number') === 'same' ||
    names.isWorthALook ||
    isRelatedSite(decision, { warned: warned.firm, firm, isWeakName: names.isWeak });
  const suggestsClone = doubts.some((doubt) => doubt !== 'no_identifier' && doubt !== 'other_name');
  return {
    verdict: !isRelated ? 'none' : doubts.length === 0 ? 'about' : 'maybe',
    suggests: suggestsClone ? 'clone_of' : 'about',
    basis,
    doubts,
    decision,
  };
};

/** Evaluates a warning for several firms. A warning that would count for two firms counts at once for neither. */
export const evaluateFirms = <Id>(
  warned: WarnedParty,
  firms: Iterable<readonly [Id, ConcernedFirm]>,
): (WarnedDecision & { readonly id: Id })[] => {
  const judged = [...firms]
    .map(([id, concerned]) => ({ id, ...evaluateWarning(warned, concerned) }))
    .filter(({ verdict }) => verdict !== 'none');
  const identified = judged.filter(({ basis }) => basis !== undefined);
  return judged
    .map((one) =>
      one.verdict === 'about' && identified.length > 1
        ? { ...one, verdict: 'maybe' as const, doubts: [...one.doubts, 'several_match' as const] }
        : one,
    )
    .sort(
      (a, b) => Number(b.verdict === 'about') - Number(a.verdict === 'about') || b.decision.points - a.decision.points,
    );
};
