import { type Html, html } from '../html.ts';

/** Text of the contract. Backquotes mark code. */
export const formatted = (text: string): Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** The same in paragraphs: a blank line parts them. */
export const paragraphs = (text: string): Html[] =>
  text.split(/\n{2,}/).map((paragraph) => html`<p>${formatted(paragraph)}</p>\n`);
