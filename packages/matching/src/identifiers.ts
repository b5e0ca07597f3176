/** Returns the remainder by 97 of letters and digits, where A is 10 and Z is 35 (ISO 7064). */
const remainder = (text: string): number =>
  [...text].reduce((rest, sign) => {
    const value = Number.parseInt(sign, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

/** Returns a normalised LEI, or undefined if its check digits are wrong (ISO 17442, ISO 7064 MOD 97-10). */
export const parseLei = (text: string): string | undefined => {
  const lei = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s.-]/g, '');
  return /^[A-Z0-9]{18}\d{2}$/.test(lei) && remainder(lei) === 1 ? lei : undefined;
};

/** Returns the LEI that begins with these 18 letters and digits. */
export const completeLei = (start: string): string =>
  `${start}${String(98 - remainder(`${start}00`)).padStart(2, '0')}`;

/** Returns a number of a register without separators. */
export const plainNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Titles before numbers. */
const TITLES =
  /^(?:(?:financial|firm|company|reg(?:istration|istered|ister|\.)?|ref(?:erence|\.)?|licen[cs]e[ed]?|lic\.?|authori[sz]ation|permit|number|num\.?|nr\.?|no\.?|n[°º]|#|:|code|id|with|under|the)(?![\p{L}\p{N}])[\s:.#]*)+/iu;

/** Rule for the numbers of a register: its own titles, and the meaning of leading zeros and of a part after "/". */
interface NumberRule {
  readonly titles?: RegExp;
  /** Extracts the part that counts. */
  readonly read?: RegExp;
}

/** Registers with several spellings of a number, by code. */
const RULES: Readonly<Record<string, NumberRule>> = {
  adgm: {},
  'adgm-fsra': { titles: /^(?:fsp|fsra)/i },
  afm: { titles: /^afm/i },
  asic: { titles: /^(?:afsl?|afs licen[cs]e|asic)/i, read: /\d{6,9}/ },
  bafin: { titles: /^(?:bafin|bak)/i },
  cftc: { titles: /^(?:nfa|cftc)/i },
  cima: { titles: /^cima/i },
  cvm: { read: /\d[\d./-]*\d|\d/ },
  cysec: { titles: /^(?:cif|cysec)/i, read: /\d{1,4}\/\d{2}(?:\d{2})?/ },
  dfsa: { titles: /^dfsa/i },
  fca: { titles: /^(?:frn|fca|fsa)/i, read: /\d{6,7}/ },
  'fsa-sc': { titles: /^(?:fsa|seychelles)/i },
  fsca: { titles: /^(?:fsp|fsb|fsca)/i, read: /\d{3,6}/ },
  'fsc-vg': { titles: /^(?:bvi|fsc)/i },
  lfsa: { titles: /^(?:labuan|lfsa)/i },
  mas: { titles: /^(?:cms|mas)(?=\s|:)/i },
  nfa: { titles: /^nfa/i },
  sfc: { titles: /^(?:ce|sfc)(?:\s|\b)/i },
};

const withoutTitles = (text: string, own?: RegExp): string => {
  const short = text.replace(TITLES, '').replace(/^[\s:.#-]+/, '');
  const shorter = own ? short.replace(own, '').replace(/^[\s:.#-]+/, '') : short;
  return shorter === text || shorter === '' ? (shorter === '' ? short : shorter) : withoutTitles(shorter, own);
};

/**
 * Returns a number normalised by the register's rules: without titles, blanks, dashes and leading zeros. The
 * year of a number like `123/12` stays separate, since 12/312 is another number.
 */
export const registerNumber = (number: string, register?: string): string => {
  const rule = register === undefined ? undefined : RULES[register];
  const text = withoutTitles(number.normalize('NFKC').trim(), rule?.titles);
  const read = rule?.read?.exec(text)?.[0] ?? text;
  return read
    .toUpperCase()
    .split('/')
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .filter((part) => part !== '')
    .join('/')
    .replace(/^0+(?=[^/])/, '');
};
