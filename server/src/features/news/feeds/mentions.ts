import { AMBIGUOUS_ACRONYMS, GENERIC_WORDS, SHORTEST } from './policy.rule.ts';

/** The names of a broker or a regulator. */
export interface BrokerNames {
  readonly slug: string;
  readonly names: readonly string[];
  readonly domains: readonly string[];
}
export interface RegulatorNames {
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export interface Mentions {
  readonly brokerSlugs: string[];
  readonly regulatorCodes: string[];
}

/** A word or a sign, as written and in the normalised form for comparisons. */
interface WordToken {
  readonly written: string;
  readonly folded: string;
}

interface Term {
  readonly tokens: readonly WordToken[];
  readonly kind: 'broker' | 'regulator';
  readonly id: string;
  /** The country that the texts must name as well. */
  readonly country?: string | undefined;
  /** True for an acronym that must be in capitals, in a text that is not all capitals. */
  readonly capitals?: boolean;
}

const foldText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const tokenize = (text: string): WordToken[] =>
  (text.replace(/[’‘]/g, "'").match(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu) ?? []).map((written) => ({
    written,
    folded: foldText(written),
  }));

/** Matches a name as written or in capitals: `trading point` is no name, but `ALPHA MARKETS` is. */
const isWrittenLike = (text: WordToken, name: WordToken): boolean =>
  text.folded === name.folded && (!/^\p{Ll}/u.test(text.written) || /^\p{Ll}/u.test(name.written));

const isGeneric = (tokens: readonly WordToken[]): boolean =>
  tokens.every(({ folded }) => GENERIC_WORDS.has(folded) || !/[\p{L}\p{N}]/u.test(folded));

const countLetters = (tokens: readonly WordToken[]): number =>
  Array.from(tokens.map(({ folded }) => folded.replace(/[^\p{L}\p{N}]/gu, '')).join('')).length;

const toBrokerTerms = ({ slug, names }: BrokerNames): Term[] =>
  names
    .map((name) => tokenize(name.trim().replace(/\.$/, '')))
    .filter((tokens) => countLetters(tokens) >= SHORTEST.name && !isGeneric(tokens))
    .map((tokens) => ({ tokens, kind: 'broker', id: slug }));

/** Returns the acronym in a code. If several regulators share it, the texts must name the country too. */
const toAcronymTerms = ({ code, country }: RegulatorNames): Term[] => {
  const suffix = `-${country.toLowerCase()}`;
  const shared = code.endsWith(suffix);
  const tokens = tokenize((shared ? code.slice(0, -suffix.length) : code).replaceAll('-', ' ').toUpperCase());
  const [first] = tokens;
  if (first === undefined || countLetters(tokens) < SHORTEST.acronym) return [];
  const capitals = tokens.length > 1 || first.folded.length < SHORTEST.word;
  const needsCountry = shared || AMBIGUOUS_ACRONYMS.has(code);
  return [{ tokens, kind: 'regulator', id: code, capitals, country: needsCountry ? country : undefined }];
};

/** Returns the terms for a regulator. `Latvijas Banka (Bank of Latvia)` contains two names. */
const toRegulatorTerms = (regulator: RegulatorNames): Term[] => {
  const { code, name, country } = regulator;
  const [, outside = name, inside] = /^(.*?)\s*\(([^()]+)\)$/.exec(name) ?? [];
  const names = [outside, ...(inside === undefined ? [] : [inside])].map((text) => tokenize(text));
  return [
    ...names.map(
      (tokens): Term => ({
        tokens,
        kind: 'regulator',
        id: code,
        country: isGeneric(tokens) || tokens.length === 1 ? country : undefined,
      }),
    ),
    ...toAcronymTerms(regulator),
  ];
};

const toTermKey = (tokens: readonly WordToken[]): string => tokens.map(({ folded }) => folded).join(' ');

/**
 * Indexes terms by their first word, longest first. A name that two brokers share is left out. A name that a broker and
 * a regulator share means the regulator.
 */
const indexTerms = (terms: readonly Term[]): ReadonlyMap<string, readonly Term[]> => {
  const clear = [...Map.groupBy(terms, ({ tokens }) => toTermKey(tokens)).values()].flatMap((same) => {
    const ids = new Set(same.map(({ kind, id, country }) => `${kind} ${id} ${country ?? ''}`));
    if (ids.size === 1) return same; // one name in several spellings
    return same.every(({ country }) => country !== undefined) ? same : same.filter(({ kind }) => kind === 'regulator');
  });
  const byFirst = Map.groupBy(clear, ({ tokens }) => tokens[0]?.folded ?? '');
  for (const same of byFirst.values()) same.sort((a, b) => b.tokens.length - a.tokens.length);
  return byFirst;
};

/**
 * Returns true for `Alpha-Beta`, which is another name than `Alpha`, but not for `FCA-regulated`, which is about the
 * FCA.
 */
const isInCompound = (tokens: readonly WordToken[], start: number, end: number): boolean => {
  const capital = (token: WordToken | undefined) => token !== undefined && /^[\p{Lu}\p{N}]/u.test(token.written);
  const hyphen = (token: WordToken | undefined) => token?.written === '-';
  return (hyphen(tokens[end]) && capital(tokens[end + 1])) || (hyphen(tokens[start - 1]) && capital(tokens[start - 2]));
};

const isAt = (
  tokens: readonly WordToken[],
  start: number,
  { tokens: name, capitals }: Term,
  shouting: boolean,
): boolean =>
  name.every((part, offset) => {
    const token = tokens[start + offset];
    if (token === undefined) return false;
    return capitals ? !shouting && token.written === part.written : isWrittenLike(token, part);
  });

/** Returns the names of a country in English and in the language of the text. */
const toCountryTokens = (country: string, language: string): WordToken[][] =>
  ['en', language].flatMap((locale) => {
    const name = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' }).of(country);
    return name === undefined ? [] : [tokenize(name.replace(/\s*\(.*\)$/, '').replace(/ SAR .*$/, ''))];
  });

const contains = (tokens: readonly WordToken[], name: readonly WordToken[]): boolean =>
  tokens.some((_, start) => name.every((part, offset) => tokens[start + offset]?.folded === part.folded));

/** Returns a domain and its parents: `www.alpha.example` belongs to `alpha.example`. */
const listDomainLevels = (domain: string): string[] => {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
};

const findDomains = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}.-]+/gu) ?? [])
    .map((run) => run.replace(/^[.-]+|(?<![.-])[.-]+$/g, ''))
    .filter((run) => run.includes('.') && run.length <= 253)
    .flatMap(listDomainLevels);

const indexDomains = (brokers: readonly BrokerNames[]): ReadonlyMap<string, string> => {
  const pairs = brokers.flatMap(({ slug, domains }) =>
    domains.map((domain) => ({ domain: domain.toLowerCase(), slug })),
  );
  const groups = Map.groupBy(pairs, ({ domain }) => domain);
  return new Map(
    [...groups].flatMap(([domain, owners]) => {
      const slugs = new Set(owners.map(({ slug }) => slug));
      return slugs.size === 1 ? [[domain, [...slugs][0] as string] as const] : [];
    }),
  );
};

/** Returns the longest name that starts here: `Vanuatu Financial Services Commission` is one regulator, not two. */
const findLongestAt = (
  index: ReadonlyMap<string, readonly Term[]>,
  tokens: readonly WordToken[],
  at: number,
  shouting: boolean,
) => {
  const here = (index.get(tokens[at]?.folded ?? '') ?? []).filter((term) => isAt(tokens, at, term, shouting));
  const longest = here[0]?.tokens.length ?? 0;
  return { terms: here.filter(({ tokens: name }) => name.length === longest), length: longest };
};

const findTerms = (index: ReadonlyMap<string, readonly Term[]>, tokens: readonly WordToken[]): Term[] => {
  const shouting = !tokens.some(({ written }) => /\p{Ll}/u.test(written));
  const found: Term[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { terms, length } = findLongestAt(index, tokens, at, shouting);
    if (length > 0 && !isInCompound(tokens, at, at + length)) found.push(...terms);
    at += Math.max(length, 1);
  }
  return found;
};

/**
 * Finds the brokers and regulators that texts name, by whole words. Ambiguous names, such as short or common ones, are
 * not linked, because a wrong link harms the broker or regulator that it names.
 */
export const createMentions = (brokers: readonly BrokerNames[], regulators: readonly RegulatorNames[]) => {
  const index = indexTerms([...brokers.flatMap(toBrokerTerms), ...regulators.flatMap(toRegulatorTerms)]);
  const slugByDomain = indexDomains(brokers);
  return (texts: readonly string[], language: string): Mentions => {
    const tokenized = texts.map(tokenize);
    const namesCountry = (country: string | undefined): boolean =>
      country === undefined ||
      toCountryTokens(country, language).some((name) => tokenized.some((tokens) => contains(tokens, name)));
    const found = tokenized
      .flatMap((tokens) => findTerms(index, tokens))
      .filter(({ country }) => namesCountry(country));
    const ids = (kind: Term['kind']) => found.filter((term) => term.kind === kind).map(({ id }) => id);
    const byDomain = texts.flatMap(findDomains).flatMap((domain) => slugByDomain.get(domain) ?? []);
    return {
      brokerSlugs: [...new Set([...ids('broker'), ...byDomain])],
      regulatorCodes: [...new Set(ids('regulator'))],
    };
  };
};
