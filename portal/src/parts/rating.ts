import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';
import { wordFor } from '../words.ts';

/** A score with its word. The color never stands alone. */
export const rating = (
  context: Pick<PageContext, 'texts' | 'format'>,
  { color, value }: { readonly color: string; readonly value: number | null },
): Html =>
  html`<span class="rated" data-color="${color}">${value !== null && html`<b>${context.format.fixed(value, 1)}</b> `}${wordFor(context.texts.colors, color)}</span>`;
