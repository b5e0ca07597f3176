import type { MatchDecision } from '@broker-transparency/matching';
import {
  domainParts,
  type FirmIndex,
  indexFirms,
  isShared,
  type ReadFirm,
  readFirm,
} from '@broker-transparency/matching';
import type { BrokerIdentifiers } from '../brokers/identifiers.rule.ts';
import { type ConcernedFirm, evaluateFirms, evaluateVictim } from './warned.rule.ts';
import type { WarningState } from './warning.rule.ts';

/** The fields of a broker that are compared with warnings. */
export type MatchableBroker = Omit<BrokerIdentifiers, 'status'>;

/** A common or differing feature of a broker and a warning, as named in `docs/matching.md`. */
export interface WarningEvidence {
  readonly field: string;
  readonly relation: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Reasons why a person has to check a match. */
export const WARNING_DOUBTS = {
  mentions_clone: 'the warning speaks of a clone or an impersonation, and may name the victim',
  no_identifier: 'neither the LEI nor the licence number at the authority that warns is the same',
  unknown_domain: 'the warning names a domain that is not known as this broker’s: perhaps somebody uses its details',
  other_name: 'the warning names a firm that this broker is not known as: perhaps somebody uses its details',
  name_looks_alike: 'a name in the warning looks like the broker’s and is another',
  contradicting_identifier: 'the warning has another LEI or number as well',
  several_match: 'the LEI or number is that of several brokers',
  licensed_by_authority:
    'the broker holds a licence of the authority that warns: look at once whether a clone is meant',
  named_as_victim: 'the warning names this firm as one that somebody pretends to be',
  undone_before: 'a person took back a match on the same LEI or number before',
} as const;
export type WarningDoubt = keyof typeof WARNING_DOUBTS;

/** A broker that a warning may concern. */
export interface MatchCandidate {
  readonly broker: MatchableBroker;
  /** True if it counts before a person has checked it. */
  readonly counts: boolean;
  readonly suggests: 'about' | 'clone_of';
  readonly evidence: readonly WarningEvidence[];
  /** The LEI and the number by which a match may count before a person has checked it. */
  readonly grounds: readonly string[];
  readonly doubts: readonly WarningDoubt[];
}

/** Index of brokers by all identifiers that a warning can name. */
export interface BrokerIndex {
  readonly firms: FirmIndex<MatchableBroker>;
}

/** Returns the numbers of licences, each with the register that it stands in. */
export const toRegisterNumbers = (licenses: MatchableBroker['licenses']): ReadFirm['numbers'] =>
  licenses.map(({ regulator, number }) => ({ register: regulator, number }));

/** Returns a broker in the form in which firms are compared. */
const toFirm = ({ legalNames, tradingNames, leis, domains, licenses }: MatchableBroker): ReadFirm =>
  readFirm({
    names: [
      ...legalNames.map((text) => ({ text, kind: 'legal' as const })),
      ...tradingNames.map((text) => ({ text, kind: 'trading' as const })),
    ],
    leis,
    domains,
    numbers: toRegisterNumbers(licenses),
  });

export const indexBrokers = (brokers: readonly MatchableBroker[]): BrokerIndex => ({
  firms: indexFirms(brokers.map((broker) => [broker, toFirm(broker)] as const)),
});

/** The fields of a warning that are compared. */
type NamingFields = Pick<
  WarningState,
  | 'names'
  | 'domains'
  | 'leis'
  | 'licenseNumbers'
  | 'mentionsClone'
  | 'authority'
  | 'victims'
  | 'victimNumbers'
  | 'victimDomains'
>;

/** Stands for an authority without a code, whose licence numbers cannot be compared. */
const UNKNOWN_AUTHORITY = '';

/** Separators of several numbers in one field. The second number must not be lost, since it may be the clone's. */
const SEVERAL = /[,;|&\n]|\s(?:and|or|und|oder|et|ou)\s/iu;

const findGrounds = (warned: ReadFirm, own: ReadFirm, authority: string): string[] => [
  ...warned.leis.filter((lei) => own.leis.includes(lei)).map((lei) => `lei:${lei}`),
  ...warned.numbers
    .filter(({ register, number }) =>
      own.numbers.some((one) => register === authority && one.register === authority && one.number === number),
    )
    .map(({ number }) => `number:${number}`),
];

const toNames = (texts: readonly string[]) => texts.map((text) => ({ text, kind: 'unknown' as const }));

const toNumbers = ({ authority }: NamingFields, texts: readonly string[]) =>
  texts
    .flatMap((text) => text.split(SEVERAL))
    .map((number) => ({ register: authority.code ?? UNKNOWN_AUTHORITY, number }));

const readWarning = (warning: NamingFields): ReadFirm =>
  readFirm({
    names: toNames(warning.names),
    leis: warning.leis,
    domains: warning.domains,
    numbers: toNumbers(warning, warning.licenseNumbers),
  });

/**
 * Returns the victims that a warning names: each by its name, and all together by the list's numbers and sites of
 * victims.
 */
const readVictims = (warning: NamingFields): ReadFirm[] => {
  const identified = { names: [], domains: warning.victimDomains, numbers: toNumbers(warning, warning.victimNumbers) };
  return [identified, ...warning.victims.map((text) => ({ names: toNames([text]) }))].map(readFirm);
};

/**
 * Returns true if the owner of a site is unknown: it is a page on a platform, or unreadable, such as `alpha[.]example`.
 */
const isUnattributable = (domain: string): boolean => {
  const parts = domainParts(domain);
  return parts === undefined || isShared(parts);
};

/** Returns true if a warning shares any identifier with one of these brokers. */
export const mayFit = (warning: NamingFields, { firms }: BrokerIndex): boolean =>
  [readWarning(warning), ...readVictims(warning)].some((firm) => firms.akin(firm).length > 0);

const toEvidence = ({ reasons }: MatchDecision): WarningEvidence[] =>
  reasons.map(({ field, relation, left, right }) => ({ field, relation, ours: left, theirs: right }));

/** Finds the brokers that a warning names as victims. They are only suggested as victims of a clone. */
const findVictims = (warning: NamingFields, { firms }: BrokerIndex): MatchCandidate[] => {
  const found = new Map<string, MatchCandidate>();
  for (const victim of readVictims(warning))
    for (const [broker, own] of firms.akin(victim)) {
      const decision = evaluateVictim(victim, own);
      if (decision === undefined) continue;
      const evidence = toEvidence(decision).map((one) => ({ ...one, field: `victim ${one.field}` }));
      const before = found.get(broker.key)?.evidence ?? [];
      found.set(broker.key, {
        broker,
        counts: false,
        suggests: 'clone_of',
        evidence: [...before, ...evidence],
        grounds: [],
        doubts: ['named_as_victim'],
      });
    }
  return [...found.values()];
};

/** Merges the candidates that a warning is about with those that it names as victims. */
const mergeVictims = (found: readonly MatchCandidate[], victims: readonly MatchCandidate[]): MatchCandidate[] => {
  const ofVictims = new Map(victims.map((one) => [one.broker.key, one]));
  const joined = found.map((one): MatchCandidate => {
    const victim = ofVictims.get(one.broker.key);
    if (victim === undefined) return one;
    ofVictims.delete(one.broker.key);
    const evidence = [...one.evidence, ...victim.evidence];
    return { ...one, counts: false, suggests: 'clone_of', evidence, doubts: [...one.doubts, ...victim.doubts] };
  });
  return [...joined, ...ofVictims.values()];
};

/**
 * Finds the brokers that a warning may concern. A match counts at once only if the LEI, or the licence number at the
 * authority that warns, is that of this broker alone, and nothing in the warning points to another firm: no word of a
 * clone, and no name or domain that is not known as this broker's. Everything else waits for a person.
 */
export const findBrokers = (warning: NamingFields, { firms }: BrokerIndex): MatchCandidate[] => {
  const authority = warning.authority.code ?? UNKNOWN_AUTHORITY;
  const firm = readWarning(warning);
  const candidates = firms
    .akin(firm)
    .map(([broker, own]): readonly [MatchableBroker, ConcernedFirm] => [broker, { firm: own, licensedBy: [] }]);
  const read = new Map(candidates.map(([broker, concerned]) => [broker, concerned.firm]));
  const { mentionsClone, domains } = warning;
  const warned = { authority, mentionsClone, firm, hasOtherSites: domains.some(isUnattributable) };
  const found = evaluateFirms(warned, candidates).map((one): MatchCandidate => {
    // counts even if the authority warns of its own licensee; people are to check that first
    const isHeld = one.id.licenses.some(({ regulator, isHeld: held }) => held && regulator === authority);
    return {
      broker: one.id,
      counts: one.verdict === 'about',
      suggests: one.suggests,
      evidence: toEvidence(one.decision),
      grounds: findGrounds(firm, read.get(one.id) as ReadFirm, authority),
      doubts: [...one.doubts, ...(isHeld ? (['licensed_by_authority'] as const) : [])],
    };
  });
  return mergeVictims(found, findVictims(warning, { firms }));
};
