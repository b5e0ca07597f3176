/** Characters of a shingle: about two words. */
const SHINGLE = 9;
/** Keys that are kept of a text: two texts that share half of their shingles share a key almost surely. */
const KEYS = 12;

/** Letters and digits only, without case and accents, words parted by one blank. */
const normalise = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** FNV-1a, 32 bits, of part of a text. */
const hash = (text: string, from: number, to: number): number => {
  let value = 0x811c9dc5;
  for (let index = from; index < to; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
};

/** All overlapping runs of characters, as numbers. A text that is shorter is one run. */
const shingles = (text: string): Set<number> => {
  const plain = normalise(text);
  const found = new Set<number>();
  for (let start = 0; start === 0 || start + SHINGLE <= plain.length; start++)
    found.add(hash(plain, start, Math.min(plain.length, start + SHINGLE)));
  return found;
};

/** The smallest shingles of a text (a bottom-k sketch): texts that are alike have some in common, and an index finds them. */
export const textKeys = (text: string): number[] => [...shingles(text)].sort((a, b) => a - b).slice(0, KEYS);

/** Share of shingles that two texts have in common, 0 to 1. */
export const similarity = (a: string, b: string): number => {
  const [one, other] = [shingles(a), shingles(b)];
  const common = one.intersection(other).size;
  return common / (one.size + other.size - common);
};
