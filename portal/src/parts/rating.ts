import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';

/** The word for a color; a color that this version does not know is shown by its name. */
export const colorWord = ({ texts }: Pick<PageContext, 'texts'>, color: string): string =>
  texts.colors[color as 'green'] ?? color;

/** A score with its word. The color never stands alone. */
export const rating = (
  context: Pick<PageContext, 'texts' | 'format'>,
  { color, value }: { readonly color: string; readonly value: number | null },
): Html =>
  html`<span class="rated" data-color="${color}">${value !== null && html`<b>${context.format.fixed(value, 1)}</b> `}${colorWord(context, color)}</span>`;
