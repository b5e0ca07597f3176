/** Characters per shingle, about two words. */
const SHINGLE = 9;
/** Number of keys per text. Two texts that share half of their shingles almost certainly share a key. */
const KEYS = 12;

/** Keeps letters and digits, without case and accents, with one blank between words. */
const normalise = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Returns the 32-bit FNV-1a hash of a part of a text. */
const hash = (text: string, from: number, to: number): number => {
  let value = 0x811c9dc5;
  for (let index = from; index < to; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
};

/** Returns the hashes of all overlapping runs of characters. A shorter text is one run. */
const shingles = (text: string): Set<number> => {
  const plain = normalise(text);
  const found = new Set<number>();
  for (let start = 0; start === 0 || start + SHINGLE <= plain.length; start++)
    found.add(hash(plain, start, Math.min(plain.length, start + SHINGLE)));
  return found;
};

/**
 * Returns the smallest shingles of a text (a bottom-k sketch). Similar texts share some of them, so that an index finds
 * candidates.
 */
export const textKeys = (text: string): number[] => [...shingles(text)].sort((a, b) => a - b).slice(0, KEYS);

/** Returns the Jaccard similarity of two texts' shingles, 0–1. */
export const similarity = (a: string, b: string): number => {
  const [one, other] = [shingles(a), shingles(b)];
  const common = one.intersection(other).size;
  return common / (one.size + other.size - common);
};
