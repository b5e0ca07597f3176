/** Text that is HTML already. Only {@link html} and {@link raw} make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** What a template takes: text is escaped, `null`, `undefined` and `false` are nothing. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, in elements and in quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] as string);

const textOf = (part: Part): string => {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(textOf).join('');
};

/**
 * HTML with parts that are escaped unless they are HTML themselves. Attributes have to be quoted.
 * @example html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, next, at) => text + textOf(parts[at - 1]) + next));

/** Marks text as HTML. It must not come from anybody but this package. */
export const raw = (text: string): Html => new Html(text);

/** Such text within a sentence or an attribute, where no element can stand: Unicode isolates. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** Text that people or other services wrote: its direction is its own, and cannot turn what stands beside it. */
export const written = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A sentence about such text, which cannot turn the rest of it, whatever signs it has. */
export const sentenceAbout = (sentence: (text: string) => string, text: string): Html => {
  const [before = '', after = ''] = sentence('\0').split('\0');
  return html`${before}${written(text)}${after}`;
};
