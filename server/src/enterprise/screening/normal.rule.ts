import { words } from '../../published/search/terms.rule.ts';

/** Legal forms as they end names, each as the words that it is written with. The longest come first. */
const LEGAL_FORMS: readonly (readonly string[])[] = [
  'sp z o o',
  'pty limited',
  'pty ltd',
  'pte ltd',
  'pvt ltd',
  'co ltd',
  'company limited',
  's a r l',
  's r l',
  's p a',
  's r o',
  'd o o',
  'l l c',
  'l l p',
  'p l c',
  'g m b h',
  'gmbh co kg',
  'sa de cv',
  's a',
  'a g',
  'n v',
  'b v',
  'a s',
  'a b',
  'o y',
  'l p',
  ...(
    'ltd limited llc llp plc inc incorporated corp corporation co company gmbh ag sa sarl srl spa sas bv nv ab as asa ' +
    'aps oy oyj kg kft zrt nyrt doo dd ad ood eood sro jsc ooo pjsc lda ltda sl slu se lp pty pte pvt bhd kk fze fzc'
  ).split(' '),
]
  .map((form) => form.split(' '))
  .sort((a, b) => b.length - a.length);

/** Words that many names have: one of them alone says nothing. */
const COMMON = new Set(
  (
    'the and of for group holding holdings global international worldwide europe european uk eu us usa asia africa ' +
    'australia markets market trading trade trader traders capital fx forex finance financial invest investment ' +
    'investments investor securities broker brokers brokerage bank banking asset assets management partners services ' +
    'solutions online digital pro prime first royal star one options option futures crypto exchange wealth fund funds'
  ).split(' '),
);

/** A name as it is compared. */
export interface NormalName {
  /** Its words without case and accents, joined by blanks. */
  readonly whole: string;
  /** The same without the legal form at the end. */
  readonly core: string;
  /** The core without blanks: "Alpha FX" and "AlphaFX" are one. */
  readonly compact: string;
}

const endsWith = (text: readonly string[], end: readonly string[]): boolean =>
  text.length > end.length && end.every((word, at) => text[text.length - end.length + at] === word);

/** Takes legal forms off the end, of which a name can have several. What is nothing else stays. */
const withoutForm = (all: readonly string[]): readonly string[] => {
  const form = LEGAL_FORMS.find((one) => endsWith(all, one));
  return form ? withoutForm(all.slice(0, -form.length)) : all;
};

/** Returns a name without case, accents and punctuation, and without its legal form. */
export const normalName = (name: string): NormalName => {
  const all = words(name.replaceAll('&', ' and ').replaceAll(/['’`]/g, ''));
  const core = withoutForm(all);
  return { whole: all.join(' '), core: core.join(' '), compact: core.join('') };
};

/** Whether a word of a name tells brokers apart. */
const isTelling = (word: string): boolean => word.length >= 4 && !COMMON.has(word);

/** Returns the words of a name that tell it from others. */
export const tellingWords = ({ core }: NormalName): string[] => core.split(' ').filter(isTelling);

/** Returns the host in a domain name or an address, without `www`; undefined if there is none. */
export const normalHost = (domain: string): string | undefined => {
  const text = domain.trim();
  try {
    const { hostname } = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    const host = hostname.replace(/\.$/, '').replace(/^www\d?\./, '');
    return host.includes('.') && !/^[\d.]+$/.test(host) ? host : undefined;
  } catch {
    return undefined;
  }
};

/** Endings of two labels under which domains are given to anybody. */
const SECOND_LEVEL = new Set(['co', 'com', 'org', 'net', 'gov', 'ac', 'edu', 'ltd', 'plc']);

/** Returns the part of a host that its owner chose: `alpha` of `trade.alpha.co.uk`. */
export const labelOf = (host: string): string => {
  const labels = host.split('.');
  const ending = labels.length > 2 && SECOND_LEVEL.has(labels.at(-2) as string) ? 2 : 1;
  return labels.at(-1 - ending) ?? host;
};

/** Returns the same without dashes, which look-alikes leave out or put in. */
export const plainLabel = (host: string): string => labelOf(host).replaceAll('-', '');

/** Returns a host and the ones above it, down to two labels. */
export const hostsAbove = (host: string): string[] => {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
};

/** Returns a number of a register without what people write between its digits. */
export const normalNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
