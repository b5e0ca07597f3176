import { type Html, html } from '../html.ts';

/** Formats text of the contract. Backquotes mark code. */
export const formatted = (text: string): Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** Formats text in paragraphs, which blank lines separate. */
export const paragraphs = (text: string): Html[] =>
  text.split(/\n{2,}/).map((paragraph) => html`<p>${formatted(paragraph)}</p>\n`);
