import { countAllowedTypos, looks } from '@broker-transparency/matching';
import type { Fact } from './facts.rule.ts';
import type { NormalQuery } from './grade.rule.ts';
import { tellingWords } from './normal.rule.ts';

/** Returns the number of letters that one typing error leaves unchanged at one of the two ends. */
const computeEdgeLength = (length: number): number => (length >= 9 ? 4 : length >= 7 ? 3 : 2);

/** Returns the terms of a text by its ends: similar texts of this length share one of them. */
const listEdgeTerms = (kind: string, text: string, length = text.length): string[] => {
  const edge = computeEdgeLength(length);
  return [`${kind}^${length}${text.slice(0, edge)}`, `${kind}$${length}${text.slice(-edge)}`];
};

/** Returns the term of a word. Words can be common. */
const toWordTerm = (word: string): string => `w ${word}`;

/** A text, its visual form, and its form without the additions of look-alikes. */
interface Looks {
  readonly plain: string;
  readonly look: string;
  readonly stem: string;
}

/** Returns the terms of a text, and those that it shares with look-alikes: most share nothing else. */
const listLookTerms = (kind: string, { plain, look, stem }: Looks): string[] => [
  `${kind} ${plain}`,
  ...(look === plain ? [] : [`${kind}l ${look}`]),
  ...(stem === plain ? [] : [`${kind}s ${stem}`]),
];

/** Returns the terms of look-alikes of a text. */
const listLookAlikeTerms = (kind: string, { plain, look, stem }: Looks): string[] => [
  ...new Set([`${kind} ${plain}`, `${kind} ${look}`, `${kind}l ${look}`, `${kind} ${stem}`, `${kind}s ${stem}`]),
  // texts that extend this one
  `${kind}s ${plain}`,
];

/** Returns the index terms of a fact. */
export const listFactTerms = (fact: Fact): string[] => {
  switch (fact.field) {
    case 'lei':
      return [`l ${fact.normal}`];
    case 'licenseNumber':
      return [`i ${fact.normal}`, ...(fact.number === fact.normal ? [] : [`i ${fact.number}`])];
    case 'domain':
      return [`d ${fact.parts.registered}`, ...listLookTerms('b', fact.parts), ...listEdgeTerms('b', fact.parts.plain)];
    case 'name': {
      const { compact, look } = fact.name;
      return [
        ...listLookTerms('n', { plain: compact, look, stem: compact }),
        ...tellingWords(fact.name).map(toWordTerm),
        ...listEdgeTerms('n', compact),
      ];
    }
  }
};

/** Returns the terms of names that differ only by typing errors. */
const listTypoTerms = (kind: string, text: string): string[] => {
  const typos = countAllowedTypos(text);
  if (typos === 0) return [];
  return Array.from({ length: 2 * typos + 1 }, (_, at) => text.length - typos + at).flatMap((length) =>
    listEdgeTerms(kind, text, length),
  );
};

/** Returns the lookup terms of a query, the most telling ones first. */
export const listQueryTerms = ({ lei, name, telling, domain, licenseNumber, number }: NormalQuery): string[] => [
  ...(lei === undefined ? [] : [`l ${lei}`]),
  ...(licenseNumber === undefined ? [] : [`i ${licenseNumber}`, `i ${number ?? licenseNumber}`]),
  ...(domain ? [`d ${domain.registered}`, ...listLookAlikeTerms('b', domain)] : []),
  ...(name
    ? [
        ...listLookAlikeTerms('n', { plain: name.compact, look: name.look, stem: name.compact }),
        ...telling.map(toWordTerm),
      ]
    : []),
  ...(domain ? domain.meant.flatMap((one) => [`b ${one}`, `bl ${looks(one)}`]) : []),
  ...(domain ? listTypoTerms('b', domain.plain) : []),
  ...(name ? listTypoTerms('n', name.compact) : []),
];
