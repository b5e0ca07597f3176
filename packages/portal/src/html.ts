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
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '', // HTML has no place for it, not even escaped
};

/** Text as HTML, in elements and in quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"'\0]/g, (char) => ESCAPES[char] as string);

const renderPart = (part: HtmlPart): string => {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(renderPart).join('');
};

/**
 * HTML with parts that are escaped unless they are HTML themselves. Attributes have to be quoted.
 * @example html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(strings.reduce((text, next, at) => text + renderPart(parts[at - 1]) + next));

/** Marks text as HTML. It must not come from anybody but this package. */
export const raw = (text: string): Html => new Html(text);

/** Signs that turn text or end an isolate, as the end of a paragraph does, and others that nobody can see. */
const TURNING = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Text that people or other services wrote: its direction is its own, and cannot turn what stands beside it. */
export const toBdi = (text: string): Html => html`<bdi>${text}</bdi>`;

/** Such text within a sentence or an attribute, where no element can stand: in Unicode isolates that it cannot end. */
export const isolateText = (text: string): string => `\u2068${text.replace(TURNING, '')}\u2069`;
