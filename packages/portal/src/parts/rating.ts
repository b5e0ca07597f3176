import { type Html, html } from '../html.ts';
import type { TextContext } from '../page.ts';
import { wordFor } from '../words.ts';

/**
 * Renders a score with its word, never the color alone. A suspected clone has no score here: it would add credibility.
 */
export const rating = (
  { texts, format }: TextContext,
  { color, value, status }: { readonly color: string; readonly value: number | null; readonly status: string },
): Html =>
  status === 'suspected_clone'
    ? html`<strong class="alarm">${texts.find.row.suspectedClone}</strong>`
    : html`<span class="rated" data-color="${color}">${value !== null && html`<b>${format.fixed(value, 1)}</b> `}${wordFor(texts.colors, color)}</span>`;
