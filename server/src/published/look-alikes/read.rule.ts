import { domainParts, isShared, parseLei } from '@broker-transparency/matching';
import type { FirmQuery } from './grade.rule.ts';

/** Maximum length of a text. */
const MOST_LETTERS = 200;

/** The interpretation of a typed text. */
export interface ReadText extends FirmQuery {
  /** Names in the domain only, the registered one first: they hint at the imitated firm. */
  readonly namesInDomain?: readonly string[] | undefined;
  /** Further domains: only one is looked for. */
  readonly otherDomains?: readonly string[] | undefined;
}

/** Pattern of domains and addresses: a dot, slash or at sign between characters, but no number of a register. */
const SITE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]+@)?[^\s/@]+\.[\p{L}\d-]{2,}(?:[/?#:].*)?$/iu;

const isSite = (word: string): boolean => {
  if (!SITE.test(word) || /^[\d.,/-]+$/.test(word)) return false;
  const parts = domainParts(word);
  return parts !== undefined && !isShared(parts);
};

/** Maximum number of names taken from a domain, and minimum length of one. */
const MOST_NAMES = 4;
const FEWEST_LETTERS = 4;
/** Text before the host that only misleads the eye: `https://alpha.example@evil.example`. */
const BEFORE_HOST = /:\/\/([^/?#]*)@/u;

/** Returns the names in a domain: the registered one, and those before it, such as the whole domain of another firm. */
const namesIn = (site: string): string[] => {
  const parts = domainParts(site);
  if (!parts) return [];
  const before = `${BEFORE_HOST.exec(site)?.[1] ?? ''}.${parts.host.slice(0, -parts.registered.length)}`;
  return [parts.label, ...before.split(/[.:@]/u)]
    .map((label) => label.replaceAll('-', ' '))
    .filter((label) => label.length >= FEWEST_LETTERS)
    .slice(0, MOST_NAMES);
};

/** Returns the number of a register: it has at least three digits, and few letters. */
const numberIn = (words: readonly string[]): string | undefined => {
  const isNumber = (word: string): boolean => (word.match(/\d/g)?.length ?? 0) >= 3;
  const first = words.findIndex(isNumber);
  if (first < 0) return undefined;
  const last = words.findLastIndex((word) => /\d/.test(word));
  return words
    .slice(first, last + 1)
    .join(' ')
    .slice(0, 80);
};

/** Interprets a typed text: a name, a domain or address, a number of a register, an LEI, or several of them. */
export const readText = (text: string): ReadText => {
  const words = text.normalize('NFC').slice(0, MOST_LETTERS).trim().split(/\s+/u).filter(Boolean);
  const [site, ...otherDomains] = [...new Set(words.filter(isSite))];
  const others = words.filter((word) => word !== site && !otherDomains.includes(word));
  const lei = others.map(parseLei).find((one) => one !== undefined);
  const rest = others.filter((word) => parseLei(word) === undefined).join(' ');
  const licenseNumber = numberIn(rest.split(' '));
  const namesInDomain = site === undefined || rest !== '' ? [] : namesIn(site);
  return {
    ...(lei === undefined ? {} : { lei }),
    ...(site === undefined ? {} : { domain: site }),
    ...(/\p{L}/u.test(rest) ? { name: rest } : {}),
    ...(licenseNumber === undefined ? {} : { licenseNumber }),
    ...(namesInDomain.length === 0 ? {} : { namesInDomain }),
    ...(otherDomains.length === 0 ? {} : { otherDomains }),
  };
};
