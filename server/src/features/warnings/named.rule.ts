import { domainParts, findSite, isShared, isTelling, nameWords } from '@broker-transparency/matching';

/** The parties that a text of a list names, without annotations. */
export interface NamedParties {
  /** Names of the firms that it warns of. */
  readonly names: readonly string[];
  /** Names of impersonated firms. */
  readonly victims: readonly string[];
  /** Hosts in the text. */
  readonly domains: readonly string[];
}

const BRACKETS = /[([]([^()[\]]*)[)\]]/gu;

/** Words that a list adds to a name in brackets: the kind of warning, or a mark of a new row. */
const ANNOTATION =
  /^(?:new|updated?|site|website|scam|fake|no longer operational|(?:abn|acn|arbn|afsl|frn)[\s.:#\d-]+)$|\b(?:clone|cloned|impersonat\w*|impost[eo]r|fraudulent|usurpation|unauthorised|unauthorized)\b/iu;

/** Marks the name before it, in brackets, as the victim. */
const VICTIM = /^impersonated$/iu;

/** Words before the name of a victim. */
const IMPERSONATION =
  /^(?:(?:media|news|social|articles?|e-?mails?|abns?|web|sites?|websites?|pages?|apps?|documents?|persons?|people|someone|firm|entity)\s){0,3}(?:impersonat(?:ing|ion of|es|ors? of)|clone of|cloned version of|(?:claiming|pretending|purporting) to be(?: from)?|posing as)\s(.+)$/iu;

const EDGES = /^[\s/|,;:–-]+|(?<![\s/|,;:–-])[\s/|,;:–-]+$/gu;

const trimName = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(EDGES, '')
    .replace(/\s(?:and|or|&)(?:\s(?:others|more))?$/iu, '');

/** Returns the host of an address or a mail address, except platforms and mail services. */
const findHosts = (part: string): string[] => {
  const site = findSite(part.includes('@') ? part.slice(part.lastIndexOf('@') + 1) : part);
  const parts = site === undefined ? undefined : domainParts(site);
  return parts === undefined || isShared(parts) ? [] : [parts.host];
};

const isSite = (part: string): boolean => findSite(part.slice(part.lastIndexOf('@') + 1)) !== undefined;

/** Returns the parts of a word that may be addresses: `a.example/b.example` has two. */
const splitWord = (word: string): string[] =>
  /^[a-z]+:\/\//iu.test(word) ? [word] : word.split(/[/,;|]/u).filter((part) => part !== '');

interface SiteSplit {
  readonly rest: string;
  readonly sites: readonly string[];
  readonly hosts: readonly string[];
}

/** Splits a text into the words that are addresses and the others. */
const splitSites = (text: string): SiteSplit => {
  const rest: string[] = [];
  const sites: string[] = [];
  for (const word of text.split(/\s+/u)) {
    const bare = word.replace(/^[<"']+|(?<![>"'.,;:])[>"'.,;:]+$/gu, '');
    const found = splitWord(bare).filter(isSite);
    if (found.length === 0) rest.push(word);
    else sites.push(...found);
  }
  return { rest: trimName(rest.join(' ')), sites, hosts: sites.flatMap(findHosts) };
};

/** Returns true if a name is more than a legal form and words of the trade. */
const isIdentifying = (name: string): boolean =>
  nameWords(name).core.some((word) => isTelling(word) || /\d/u.test(word));

/** Splits the names of several firms that are joined by "and", each with its legal form. */
const splitFirms = (text: string): string[] => {
  const firms = text.split(/\sand\s/iu);
  return firms.length > 1 && firms.every((firm) => nameWords(firm).form !== undefined) ? firms : [text];
};

/**
 * Reads a name from an authority's list. Removes hosts and annotations: `Alpha (alpha.example and others)` names Alpha,
 * `Impersonation of Alpha Ltd (beta.example)` names a victim and a site.
 */
export const readNamed = (text: string): NamedParties => {
  const domains: string[] = [];
  let isVictim = false;
  const plain = text.replace(BRACKETS, (all: string, inner: string) => {
    const { sites, hosts } = splitSites(inner);
    domains.push(...hosts);
    isVictim ||= VICTIM.test(inner.trim());
    return sites.length > 0 || ANNOTATION.test(inner.trim()) ? ' ' : all;
  });
  const { rest, sites, hosts } = splitSites(plain);
  domains.push(...hosts);
  const unique = [...new Set(domains)];
  const victim = isVictim ? rest : IMPERSONATION.exec(rest)?.[1];
  if (victim !== undefined) return { names: [], victims: splitFirms(trimName(victim)), domains: unique };
  // a brand that is a site, such as "Alpha.example Ltd", keeps it in its name
  const name = sites.length > 0 && rest !== '' && !isIdentifying(rest) ? trimName(plain) : rest;
  return { names: /[\p{L}\p{N}]/u.test(name) ? [name] : [], victims: [], domains: unique };
};
