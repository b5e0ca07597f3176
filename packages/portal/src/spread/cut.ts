/** Characters that are invisible, or change the direction of their surroundings. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;
/** More than two marks on one letter would cover its neighbours. */
const PILED = /(\p{M}{2})\p{M}+/gu;
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const measureWidth = (grapheme: string): number => (WIDE.test(grapheme) ? 2 : /^[\p{Lu}@%&]/u.test(grapheme) ? 1.3 : 1);

/**
 * Returns foreign text for an image: on one line, in letters that keep their place, cut at a width that is measured in
 * small letters.
 */
export const cut = (text: string, width: number): string => {
  const plain = text.replaceAll(UNSEEN, ' ').replaceAll(PILED, '$1').replaceAll(/\s+/g, ' ').trim();
  let [kept, used] = ['', 0];
  for (const { segment } of graphemes.segment(plain.slice(0, 20 * width))) {
    used += measureWidth(segment);
    if (used > width) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept;
};
