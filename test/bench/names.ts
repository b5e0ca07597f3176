/** Realistic broker names: invented first words, and last words that many names share. */

const FIRST = 'Al Ar Bel Bri Cal Cor Dar Del El Fal Fen Gar Hal Hol Is Jas Kel Kor Lan Lor Mar Mer Nar Nor Or Pel Per'
  .concat(' Quin Ral Ren Sal Ser Tal Tor Ul Val Ver Wel Wes Yar Zan Zel')
  .split(' ');
const SECOND =
  'ba bra can cer da den dri fa fen ga gor ka ken la lan lo mar men mo na nar no pa per ra ren ro sa sen ta'
    .concat(' ter to tra va ven vi wa xa za zo')
    .split(' ');
const THIRD = ['', 'bel', 'dor', 'fin', 'gate', 'lis', 'mont', 'nox', 'ridge', 'stone', 'tis', 'via'];
const LAST = [
  'Markets',
  'Capital',
  'FX',
  'Trading',
  'Brokers',
  'Financial',
  'Prime',
  'Securities',
  'Global Markets',
].concat(['Capital Markets', 'Investments', 'Trade', 'Global', 'Group', 'Futures']);

/** A stream of numbers in [0, 1) that depends only on its seed (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T;

export const toSlug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** `count` different names. */
export const brokerNames = (count: number): string[] => {
  const random = createRandom(1);
  const names = new Set<string>();
  while (names.size < count)
    names.add(`${pick(FIRST, random)}${pick(SECOND, random)}${pick(THIRD, random)} ${pick(LAST, random)}`);
  return [...names];
};

/** The name with one letter of its first word omitted, doubled or swapped with the next one. */
export const withTypo = (name: string, random: () => number): string => {
  const at = 2 + Math.floor(random() * (name.indexOf(' ') - 3));
  const [before, letter, after] = [name.slice(0, at), name[at] as string, name.slice(at + 1)];
  return pick([before + after, before + letter + letter + after, before + after[0] + letter + after.slice(1)], random);
};

/** The most expensive query for the search. */
export const COMMON_WORDS = 'markets capital fx trading brokers financial prime securities global group';
