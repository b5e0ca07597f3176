/** HTML text. Only {@link html} and {@link raw} create it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** Part of a template: text is escaped; `null`, `undefined` and `false` are empty. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '', // HTML cannot contain it, not even escaped
};

/** Escapes text for elements and quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"'\0]/g, (char) => ESCAPES[char] as string);

const renderPart = (part: HtmlPart): string => {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(renderPart).join('');
};

/**
 * Builds HTML from a template. Parts are escaped unless they are HTML. Attributes must be quoted.
 * @example html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(strings.reduce((text, next, at) => text + renderPart(parts[at - 1]) + next));

/** Marks text as HTML. The text must come from this package. */
export const raw = (text: string): Html => new Html(text);

/** Characters that change the text direction, and those that end such a change. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;
/** Characters that end an isolate, such as the end of a paragraph, and invisible ones. */
const ENDING = /[\p{Cc}\u2028\u2029]/gu;

/** Removes what changes the text direction. The direction of its letters stays. */
export const stripTurning = (text: string): string => text.replace(TURNING, '');

/**
 * Wraps text of people or other services: it has its own direction, and cannot change the direction of its
 * surroundings. It loses the characters that do so: Chromium does not end with the element what they begin.
 */
export const toBdi = (text: string): Html => html`<bdi>${stripTurning(text)}</bdi>`;

/**
 * Isolates such text in a sentence or attribute, where no element is possible, by Unicode isolates that it cannot end.
 */
export const isolateText = (text: string): string => `\u2068${stripTurning(text).replace(ENDING, '')}\u2069`;
