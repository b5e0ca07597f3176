/** A font file of the service. */
export interface BundledFont {
  readonly file: string;
  readonly isBold: boolean;
  /** First and last code point of each range of letters that it has, in ascending order, one after the other. */
  readonly ranges: readonly number[];
}

const hasLetter = ({ ranges }: BundledFont, point: number): boolean => {
  let [low, high] = [0, ranges.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[2 * middle + 1] as number) < point) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length / 2 && (ranges[2 * low] as number) <= point;
};

/**
 * Returns the fonts that draw a text, in the order in which they are tried; undefined if a letter is in none of them.
 * @param fonts the fonts of one weight; the first one that has a letter draws it
 */
export const chooseFonts = (text: string, fonts: readonly BundledFont[]): readonly BundledFont[] | undefined => {
  const chosen = new Set<BundledFont>();
  for (const letter of text) {
    const font = fonts.find((each) => hasLetter(each, letter.codePointAt(0) as number));
    if (!font) return undefined;
    chosen.add(font);
  }
  return fonts.filter((font) => chosen.has(font));
};
