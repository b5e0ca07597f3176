const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A part of a text that stays on one line, with the blank before it. */
interface Piece {
  readonly text: string;
  readonly blank: '' | ' ';
}

/** Splits a text at its blanks, and words that have no room on any line into their letters. */
const splitPieces = (text: string, fits: (line: string) => boolean): Piece[] =>
  text
    .split(' ')
    .flatMap((word): Piece[] =>
      fits(word)
        ? [{ text: word, blank: ' ' }]
        : [...graphemes.segment(word)].map(({ segment }, at) => ({ text: segment, blank: at === 0 ? ' ' : '' })),
    );

const joinPieces = (pieces: readonly Piece[]): string =>
  pieces.map(({ text, blank }, at) => (at === 0 ? text : blank + text)).join('');

/**
 * Sets a text in at most `most` lines. It breaks at blanks, inside a word only if the word has no room on a line of its
 * own. A text that goes on ends with an ellipsis.
 * @param fits whether a line has room
 */
export const wrapWords = (text: string, fits: (line: string) => boolean, most: number): string[] => {
  const pieces = splitPieces(text, fits);
  const lines: string[] = [];
  let at = 0;
  while (at < pieces.length && lines.length < most) {
    let end = at + 1;
    while (end < pieces.length && fits(joinPieces(pieces.slice(at, end + 1)))) end++;
    if (lines.length === most - 1 && end < pieces.length) {
      while (end > at + 1 && !fits(`${joinPieces(pieces.slice(at, end))}…`)) end--;
      return [...lines, `${joinPieces(pieces.slice(at, end))}…`];
    }
    lines.push(joinPieces(pieces.slice(at, end)));
    at = end;
  }
  return lines;
};
