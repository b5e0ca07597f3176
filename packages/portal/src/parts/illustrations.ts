import { METHODOLOGIES, type Methodology } from '@broker-transparency/contract/score';
import { type Html, html } from '../html.ts';
import type { TextContext } from '../page.ts';
import { wordFor } from '../words.ts';

const inForce = METHODOLOGIES.at(-1) as Methodology;

/** Removes the places at which a word may break. */
const toWholeWord = (text: string): string => text.replaceAll('\u00AD', '');

/** Returns a place in a drawing, to a hundredth. */
const toPlace = (value: number): number => Math.round(value * 100) / 100;

/** Draws how much of 100 points each part of a score can give: a bar whose pieces are as wide as their weights. */
export const drawWeights = (
  { texts, format }: TextContext,
  { weights }: Pick<Methodology, 'weights'> = inForce,
): Html => {
  const said = texts.find.drawings;
  let from = 0;
  const parts = Object.entries(weights).map(([key, weight], at) => {
    const x = from;
    from += weight * 100;
    return { name: wordFor(texts.score.components, key), weight: format.percent(weight), x, width: weight * 100, at };
  });
  const label = `${said.weights} ${format.list(parts.map(({ name, weight }) => `${toWholeWord(name)} ${weight}`))}`;
  return html`<figure class="drawing drawing-weights">
<svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img"><title>${label}</title>${parts.map(
    ({ x, width, at }) =>
      html`<rect class="piece-${at + 1}" x="${toPlace(x + 0.3)}" width="${toPlace(width - 0.6)}" y="0" height="8"/>`,
  )}</svg>
<figcaption>${said.weights}</figcaption>
<ol aria-hidden="true">${parts.map(
    ({ name, weight, at }) =>
      html`<li><svg viewBox="0 0 8 8"><rect class="piece-${at + 1}" width="8" height="8"/></svg> ${name} <b>${weight}</b></li>`,
  )}</ol>
</figure>
`;
};

/** Draws how much a licence counts by the tier of its regulator: a bar for each tier, as long as its strength. */
export const drawTiers = (
  { texts, format }: TextContext,
  { tierStrength }: Pick<Methodology, 'tierStrength'> = inForce,
): Html => {
  const said = texts.find.drawings;
  const tiers = Object.entries(tierStrength).map(([tier, strength]) => ({
    name: texts.find.tier({ tier }),
    strength: format.percent(strength),
    width: strength * 100,
  }));
  const label = `${said.tiers} ${format.list(tiers.map(({ name, strength }) => `${name}: ${strength}`))}`;
  return html`<figure class="drawing drawing-tiers">
<figcaption>${said.tiers}</figcaption>
<svg class="unseen" role="img"><title>${label}</title></svg>
<ol aria-hidden="true">${tiers.map(
    ({ name, strength, width }) =>
      html`<li><span>${name}</span> <svg viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="piece-0" width="100" height="8"/><rect class="piece-1" width="${toPlace(width)}" height="8"/></svg> <b>${strength}</b></li>`,
  )}</ol>
</figure>
`;
};
