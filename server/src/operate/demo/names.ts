import { createRandom } from './random.ts';
import { ACCENTED_NAMES, BUSINESSES, FIRST_HALVES, SECOND_HALVES } from './words.ts';

/** Letters that do not decompose into a plain letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ı: 'i' };

/** Returns the form of a name for paths and domains. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[øłı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-');

/** Returns `count` invented names with different first words. The documentation uses the first one. */
export const createBrokerNames = (seed: string, count: number): string[] => {
  const random = createRandom(seed, 'names');
  const stems = FIRST_HALVES.flatMap((first) => SECOND_HALVES.map((second) => first + second));
  const compounds = random.shuffled(stems).map((stem) => `${stem} ${random.pick(BUSINESSES)}`);
  const plain = compounds.slice(0, count - 1 - ACCENTED_NAMES.length);
  return ['Alpha Markets', ...random.shuffled([...ACCENTED_NAMES, ...plain])];
};
