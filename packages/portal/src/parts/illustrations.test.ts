import { METHODOLOGIES, type Methodology } from '@broker-transparency/contract/score';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../languages.ts';
import { drawTiers, drawWeights } from './illustrations.ts';

const inForce = METHODOLOGIES.at(-1) as Methodology;
const readWidths = (text: string, piece: string): number[] =>
  [...text.matchAll(new RegExp(`class="${piece}"(?: x="[^"]*")? width="([^"]*)"`, 'g'))].map(([, width]) =>
    Number(width),
  );

describe.each(LANGUAGES)('in $texts.name', (language) => {
  test('each piece of the bar is as wide as the weight of its part, and the text has the same numbers', () => {
    const { text } = drawWeights(language);
    const title = /<title>([^<]*)/.exec(text)?.[1] ?? '';
    for (const [at, weight] of Object.values(inForce.weights).entries()) {
      expect(readWidths(text, `piece-${at + 1}`)[0]).toBeCloseTo(weight * 100 - 0.6, 5);
      expect(title).toContain(language.format.percent(weight));
    }
    expect(title).not.toContain('\u00AD');
  });

  test('each tier has a bar as long as its strength, and the text has the same numbers', () => {
    const { text } = drawTiers(language);
    expect(readWidths(text, 'piece-1')).toEqual(Object.values(inForce.tierStrength).map((strength) => strength * 100));
    for (const strength of Object.values(inForce.tierStrength))
      expect(/<title>([^<]*)/.exec(text)?.[1]).toContain(language.format.percent(strength));
  });
});
