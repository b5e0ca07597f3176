import { decide, type MatchDecision, type MatchDoubt } from './decide.ts';
import type { ReadFirm } from './firm.ts';
import { isTelling, type NameParts } from './names.ts';

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

/** Maximum number of firms with a word: a more frequent word is not used for the search. */
const MOST_PER_WORD = 400;

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

const sureKeys = ({ leis, numbers, domains, names }: ReadFirm): string[] => [
  ...leis.map((lei) => `lei ${lei}`),
  ...numbers.map(({ number }) => `num ${number}`),
  ...domains.flatMap(({ registered, stem }) => [`d ${registered}`, `t ${stem}`]),
  ...names.flatMap(({ parts }) => nameKeys(parts)),
];

const vagueKeys = ({ names }: ReadFirm): string[] => names.flatMap(({ parts }) => wordKeys(parts));

const SURE: ReadonlySet<string> = new Set(['lei', 'number']);

/** Returns whether a candidate shares an LEI or a licence number. */
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
  const byKey = new Map<string, number[]>();
  for (const [at, [, firm]] of entries.entries())
    for (const key of new Set([...sureKeys(firm), ...vagueKeys(firm)])) {
      const list = byKey.get(key);
      if (list) list.push(at);
      else byKey.set(key, [at]);
    }
  const akin = (firm: ReadFirm) => {
    const found = new Set<number>();
    for (const key of sureKeys(firm)) for (const at of byKey.get(key) ?? []) found.add(at);
    for (const key of vagueKeys(firm)) {
      const list = byKey.get(key) ?? [];
      if (list.length <= MOST_PER_WORD) for (const at of list) found.add(at);
    }
    return [...found].sort((a, b) => a - b).map((at) => entries[at] as readonly [Id, ReadFirm]);
  };
  const find = (firm: ReadFirm) =>
    markRivals(
      akin(firm)
        .map(([id, other]) => ({ id, ...decide(other, firm) }))
        .filter(({ verdict }) => verdict !== 'different')
        .sort((a, b) => b.points - a.points),
    );
  return { find, akin };
};
