import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { openSync } from 'fontkit';
import type { BundledFont } from '../src/pictures/fonts.rule.ts';

const require = createRequire(import.meta.url);

interface FontPackage {
  readonly name: string;
  /** Subsets of letters, in the order in which pictures try them. */
  readonly subsets: readonly string[];
  readonly weights: readonly string[];
}

const BOLD = '700';
/** Number of the subsets of Japanese, from 0; some numbers are missing. */
const JAPANESE = Array.from({ length: 130 }, (_, at) => String(at));

const PACKAGES: readonly FontPackage[] = [
  {
    name: 'noto-sans',
    subsets: ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'],
    weights: [BOLD, '400'],
  },
  { name: 'noto-sans-hebrew', subsets: ['hebrew'], weights: [BOLD] },
  { name: 'noto-sans-arabic', subsets: ['arabic'], weights: [BOLD] },
  { name: 'noto-sans-jp', subsets: JAPANESE, weights: [BOLD] },
];

/** Returns the first and last code point of each range of code points in a row, one after the other. */
const toRanges = (points: readonly number[]): number[] => {
  const ranges: number[] = [];
  for (const point of points.toSorted((a, b) => a - b)) {
    if (ranges.at(-1) === point - 1) ranges[ranges.length - 1] = point;
    else if (ranges.at(-1) !== point) ranges.push(point, point);
  }
  return ranges;
};

/** Returns the letters of a font file. @throws Error for a file with several fonts */
const listLetters = (path: string): number[] => {
  const font = openSync(path);
  if (!('characterSet' in font)) throw new Error(`${path} holds several fonts`);
  return font.characterSet;
};

/**
 * Returns the font files for pictures by name with their licences, and `index.json`, which says which letters each of
 * them has.
 */
export const siteFonts = (): Readonly<Record<string, string | Buffer>> => {
  const files: Record<string, Buffer> = {};
  const index: BundledFont[] = [];
  for (const { name, subsets, weights } of PACKAGES) {
    const root = dirname(require.resolve(`@fontsource/${name}/package.json`));
    files[`${name}.LICENSE.txt`] = readFileSync(join(root, 'LICENSE'));
    const folder = join(root, 'files');
    for (const [subset, weight] of subsets.flatMap((each) => weights.map((one) => [each, one] as const))) {
      const path = join(folder, `${name}-${subset}-${weight}-normal.woff`); // this older form is quicker to read
      if (!existsSync(path)) continue;
      const file = `${basename(path)}2`;
      files[file] = readFileSync(join(folder, file));
      index.push({ file, isBold: weight === BOLD, ranges: toRanges(listLetters(path)) });
    }
  }
  return { ...files, 'index.json': `${JSON.stringify(index)}\n` };
};
