import { looks, typosIn } from '@broker-transparency/matching';
import type { Fact } from './facts.rule.ts';
import type { NormalQuery } from './grade.rule.ts';
import { tellingWords } from './normal.rule.ts';

/** Letters at each end of a text that one typing error leaves as they are, at one of the two. */
const edgeOf = (length: number): number => (length >= 9 ? 4 : length >= 7 ? 3 : 2);

/** Where a text is found that has as many letters, and begins or ends the same. */
const edges = (kind: string, text: string, length = text.length): string[] => {
  const edge = edgeOf(length);
  return [`${kind}^${length}${text.slice(0, edge)}`, `${kind}$${length}${text.slice(-edge)}`];
};

/** The term of a word. Many have the same. */
const wordTerm = (word: string): string => `w ${word}`;

/** A text, as it looks, and without what look-alikes add to it. */
interface Looks {
  readonly plain: string;
  readonly look: string;
  readonly stem: string;
}

/** Returns a text's terms, and others for what look-alikes have in common with it: most have nothing else. */
const lookTerms = (kind: string, { plain, look, stem }: Looks): string[] => [
  `${kind} ${plain}`,
  ...(look === plain ? [] : [`${kind}l ${look}`]),
  ...(stem === plain ? [] : [`${kind}s ${stem}`]),
];

/** Returns the terms of whatever looks like a text. */
const alike = (kind: string, { plain, look, stem }: Looks): string[] => [
  ...new Set([`${kind} ${plain}`, `${kind} ${look}`, `${kind}l ${look}`, `${kind} ${stem}`, `${kind}s ${stem}`]),
  // what is added to the text itself
  `${kind}s ${plain}`,
];

/** Returns the terms under which a fact is found. */
export const termsOf = (fact: Fact): string[] => {
  switch (fact.field) {
    case 'lei':
      return [`l ${fact.normal}`];
    case 'licenseNumber':
      return [`i ${fact.normal}`, ...(fact.number === fact.normal ? [] : [`i ${fact.number}`])];
    case 'domain':
      return [`d ${fact.parts.registered}`, ...lookTerms('b', fact.parts), ...edges('b', fact.parts.plain)];
    case 'name': {
      const { compact, look } = fact.name;
      return [
        ...lookTerms('n', { plain: compact, look, stem: compact }),
        ...tellingWords(fact.name).map(wordTerm),
        ...edges('n', compact),
      ];
    }
  }
};

/** Returns the terms of names that are the same but for typing errors. */
const near = (kind: string, text: string): string[] => {
  const typos = typosIn(text);
  if (typos === 0) return [];
  return Array.from({ length: 2 * typos + 1 }, (_, at) => text.length - typos + at).flatMap((length) =>
    edges(kind, text, length),
  );
};

/** Returns the terms that are looked up for a query, the most telling ones first. */
export const lookups = ({ lei, name, telling, domain, licenseNumber, number }: NormalQuery): string[] => [
  ...(lei === undefined ? [] : [`l ${lei}`]),
  ...(licenseNumber === undefined ? [] : [`i ${licenseNumber}`, `i ${number ?? licenseNumber}`]),
  ...(domain ? [`d ${domain.registered}`, ...alike('b', domain)] : []),
  ...(name
    ? [...alike('n', { plain: name.compact, look: name.look, stem: name.compact }), ...telling.map(wordTerm)]
    : []),
  ...(domain ? domain.meant.flatMap((one) => [`b ${one}`, `bl ${looks(one)}`]) : []),
  ...(domain ? near('b', domain.plain) : []),
  ...(name ? near('n', name.compact) : []),
];
