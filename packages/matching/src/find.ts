import { decide, type MatchDecision, type MatchDoubt } from './decide.ts';
import type { ReadFirm } from './firm.ts';
import { isTelling, type NameParts } from './names.ts';
import { createTermIndex } from './term-index.ts';

/** A firm that may be meant. */
interface FirmCandidate<Id> extends MatchDecision {
  readonly id: Id;
}

/** A searchable index of firms. */
export interface FirmIndex<Id> {
  /** Returns the firms that are or may be the same, most points first. If two are the same, both are for a person. */
  readonly find: (firm: ReadFirm) => FirmCandidate<Id>[];
  /** Returns the firms that share something, so that another rule can decide. */
  readonly akin: (firm: ReadFirm) => readonly (readonly [Id, ReadFirm])[];
}

/** Words, and parts of them: those that more firms have say too little to look at all of them. */
const VAGUE = { pattern: /^[waz] /, most: 400 };

const nameKeys = ({ own, compact, written, sound, look, sorted }: NameParts): string[] => [
  `n ${compact}`,
  `n ${written}`,
  `s ${sound}`,
  `l ${look}`,
  `o ${sorted}`,
  `i ${own.map((word) => word[0]).join('')}`,
];

/** Returns parts of each word, of which a typing error changes only one. */
const wordKeys = ({ own }: NameParts): string[] =>
  own.filter(isTelling).flatMap((word) => [`w ${word}`, `a ${word.slice(0, 4)}`, `z ${word.slice(-4)}`]);

/** Returns everything that a firm shares with those that may be the same. */
const firmKeys = ({ leis, numbers, domains, names }: ReadFirm): string[] => [
  ...leis.map((lei) => `lei ${lei}`),
  ...numbers.map(({ number }) => `num ${number}`),
  ...domains.flatMap(({ registered, stem }) => [`d ${registered}`, `t ${stem}`]),
  ...names.flatMap(({ parts }) => [...nameKeys(parts), ...wordKeys(parts)]),
];

const SURE: ReadonlySet<string> = new Set(['lei', 'number']);

/** Returns whether a candidate shares an LEI or a number in a register. */
const sharesIdentifier = ({ reasons }: MatchDecision): boolean =>
  reasons.some(({ field, relation }) => SURE.has(field) && relation === 'same');

const addDoubt = <Id>(candidate: FirmCandidate<Id>, doubt: MatchDoubt): FirmCandidate<Id> => ({
  ...candidate,
  verdict: candidate.verdict === 'same' ? 'maybe' : candidate.verdict,
  doubts: [...candidate.doubts, doubt],
});

/**
 * Leaves rivals to a person: only one firm can be the same. A firm with the name is not the same if another has the
 * number.
 */
const markRivals = <Id>(candidates: readonly FirmCandidate<Id>[]): FirmCandidate<Id>[] => {
  const rivals = candidates.filter((one) => one.verdict === 'same' || sharesIdentifier(one));
  return candidates.map((one) =>
    one.verdict === 'same' && rivals.some((rival) => rival !== one) ? addDoubt(one, 'several_match') : one,
  );
};

/** Returns a searchable index of firms. */
export const indexFirms = <Id>(firms: Iterable<readonly [Id, ReadFirm]>): FirmIndex<Id> => {
  const entries = [...firms];
  const index = createTermIndex<number>(Math.max(1, entries.length));
  for (const [at, [, firm]] of entries.entries()) index.put(at, firmKeys(firm));
  const akin = (firm: ReadFirm) =>
    [...new Set(index.find(firmKeys(firm), VAGUE))]
      .sort((a, b) => a - b)
      .map((at) => entries[at] as readonly [Id, ReadFirm]);
  const find = (firm: ReadFirm) =>
    markRivals(
      akin(firm)
        .map(([id, other]) => ({ id, ...decide(other, firm) }))
        .filter(({ verdict }) => verdict !== 'different')
        .sort((a, b) => b.points - a.points),
    );
  return { find, akin };
};
