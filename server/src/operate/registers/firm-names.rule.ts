/** Abbreviations of company forms. Names that differ only in these are the same. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['limited', 'ltd'],
  ['proprietary', 'pty'],
  ['propriety', 'pty'],
  ['incorporated', 'inc'],
  ['corporation', 'corp'],
  ['company', 'co'],
  ['and', '&'],
]);

/** Words that do not distinguish firms. */
const COMMON = new Set([
  'ltd',
  'pty',
  'inc',
  'corp',
  'co',
  'llc',
  'plc',
  'sa',
  's',
  'a',
  'ltda',
  'cctvm',
  'ctvm',
  'dtvm',
  '&',
  'the',
  'group',
  'australia',
  'brasil',
  'do',
  'de',
  'of',
  'holdings',
  'markets',
  'capital',
  'securities',
  'financial',
  'services',
  'trading',
  'brokers',
  'broker',
  'fx',
]);

const words = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`.]/g, '')
    .split(/[^\p{L}\p{N}&]+/u)
    .filter((word) => word !== '')
    .map((word) => FORMS.get(word) ?? word);

/** Normalises case, accents, punctuation and the spelling of the company form. */
export const normalName = (name: string): string => words(name).join(' ');

/** Returns true if two names share a word that distinguishes firms. */
export const areAkin = (a: string, b: string): boolean => {
  const known = new Set(words(a).filter((word) => !COMMON.has(word)));
  return words(b).some((word) => known.has(word));
};
