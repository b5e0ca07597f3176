import { compile } from 'html-to-text';

/** Number of characters of markup that are read. No excerpt reaches further. */
const MAX_MARKUP = 20_000;

const block = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'hr', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { ...block, uppercase: false } })),
    ...['ul', 'ol', 'li', 'dt', 'dd', 'table', 'tr', 'td', 'th'].map((selector) => ({
      selector,
      format: 'block',
      options: block,
    })),
    ...['script', 'style', 'iframe', 'noscript', 'object', 'svg', 'template', 'title'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
  limits: { maxDepth: 50, maxChildNodes: 2000, ellipsis: '' },
});

/** Characters that a line of text must not contain: controls, line ends, bidirectional marks, broken characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD\uFFFE\uFFFF]|\p{Cs}/gu;

/** Returns the text of a piece of HTML in one line. Plain text stays as it is. */
export const plainText = (markup: string): string => {
  const start = markup.slice(0, MAX_MARKUP).replace(/[\uD800-\uDBFF]$/, '');
  return toText(start).replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
};

/** Cuts a text to `max` characters, after a word if one ends in the second half. */
export const cut = (text: string, max: number): string => {
  const points = Array.from(text);
  if (points.length <= max) return text;
  const kept = points.slice(0, max - 1);
  const space = points[max - 1] === ' ' ? max - 1 : kept.lastIndexOf(' ');
  const words = space > max / 2 ? kept.slice(0, space) : kept;
  return `${words.join('').replace(/(?<![\s\p{P}])[\s\p{P}]+$/u, '')}…`;
};
