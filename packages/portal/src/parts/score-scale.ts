import type { BrokerSummary } from '@broker-transparency/client';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';
import { COLOR_FROM } from '../score/colors.ts';
import { wordFor } from '../words.ts';

/** Beginnings of the colors on the scale; the style of its labels has the same shares. */
export const ZONES = [
  ['red', 0, COLOR_FROM.yellow],
  ['yellow', COLOR_FROM.yellow, COLOR_FROM.green],
  ['green', COLOR_FROM.green, 100],
] as const;

/** Renders the scale from 0 to 100 with the place of a score; without a place if there is no value. */
export const scoreScale = (
  { texts, format }: PageContext,
  { value, color }: Pick<BrokerSummary['score'], 'value' | 'color'>,
): Html => {
  const words = texts.colors;
  const { hero } = texts.broker;
  const label =
    value === null ? hero.emptyScale : hero.scale({ value: format.fixed(value, 1), word: wordFor(words, color) });
  return html`
<div class="scale">
<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>${label}</title>${ZONES.map(
    ([zone, from, to]) =>
      html`<rect class="zone${zone === color && ` zone-${zone}`}" x="${from + 0.2}" width="${to - from - 0.4}" y="2" height="6"/>`,
  )}${value !== null && html`<rect class="scale-mark" x="${Math.min(99, Math.max(0, value - 0.5))}" width="1" y="0" height="10"/>`}</svg>
<ol aria-hidden="true">${ZONES.map(
    ([zone, from]) => html`<li${zone === color && html` class="current"`}><span>${from}</span> ${words[zone]}</li>`,
  )}<li class="scale-end">100</li></ol>
</div>`;
};
