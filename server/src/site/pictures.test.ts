import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../packages/portal/src/languages.ts';
import { drawBrokerCard, drawSiteCard } from '../../../packages/portal/src/pictures/cards.ts';
import { type BundledFont, chooseFonts } from '../../../packages/portal/src/pictures/fonts.rule.ts';
import type { Picture } from '../../../packages/portal/src/pictures/picture.ts';
import { drawStoryCard } from '../../../packages/portal/src/pictures/story-card.ts';
import { fontsFolder } from '../assets.ts';
import { createDrawing } from './pictures.ts';

const draw = createDrawing(fontsFolder);
const [english, german] = LANGUAGES;

const broker = {
  slug: 'alpha-markets',
  name: 'Alpha Markets',
  status: 'operating',
  warnings: [],
  color: 'green',
  score: { value: 81.9 },
  licenseCounts: { confirmed: 2, held: 2, claimed: 0 },
  bestTier: 1,
  website: 'https://alpha.example/',
  updatedAt: '2026-11-23T06:00:00.000Z',
} as never as Parameters<typeof drawBrokerCard>[0];

const card = (more: object, language = english): Picture =>
  drawBrokerCard({ ...broker, ...more } as typeof broker, language);

/** Width and height in the header of a PNG (RFC 2083 §4.1.1). */
const readSize = (png: Buffer): readonly [number, number] => {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

const keep = (name: string, png: Buffer): void => {
  const folder = process.env['PICTURES'];
  if (folder !== undefined) writeFileSync(`${folder}/${name}.png`, png);
};

describe('share pictures', () => {
  test.each<[string, Picture]>([
    ['a rated broker', card({})],
    ['a rated broker in German', card({}, german)],
    [
      'a warned broker',
      card({
        warnings: [{ about: 'this_firm', source: 'Financial Conduct Authority', publishedAt: '2026-11-02T00:00:00Z' }],
        website: 'https://alpha.test/',
      }),
    ],
    ['a suspected clone', card({ status: 'suspected_clone' })],
    ['a broker without a confirmed licence', card({ licenseCounts: { confirmed: 0, held: 0, claimed: 1 } })],
    [
      'a broker without a confirmed licence in German',
      card({ licenseCounts: { confirmed: 0, held: 0, claimed: 1 } }, german),
    ],
    ['a broker that has ceased', card({ status: 'ceased', score: { value: null } })],
    ['a name in Arabic', card({ name: 'شركة الوساطة المالية' })],
    ['a name in Hebrew and Latin', card({ name: 'שוק ההון Alpha' })],
    ['a name in Greek', card({ name: 'Ελληνική Χρηματιστηριακή' })],
    ['a name in Cyrillic', card({ name: 'Финансовый рынок' })],
    ['a name in Japanese', card({ name: '東京外国為替証券株式会社アルファ・マーケッツ・ホールディングス' })],
    ['a name of forty words', card({ name: 'Überweisungsgesellschaft für Devisen '.repeat(13) })],
    ['a name without a blank', card({ name: 'W'.repeat(5000) })],
    ['a name made of script', card({ name: '</text><script>alert(1)</script>&amp;\u202eevil' })],
    ['the site', drawSiteCard(english)],
    ['the site in German', drawSiteCard(german as typeof english)],
  ])('the picture of %s has 1200 × 630 pixels and at most 120 kB', async (name, picture) => {
    const png = await draw(picture);
    keep(name.replaceAll(' ', '-'), png);
    expect(readSize(png)).toEqual([1200, 630]);
    expect(png.length).toBeLessThan(120_000);
  });

  test('the picture of a story has 1200 × 630 pixels and at most 120 kB', async () => {
    const data = [60, null, 72.5, 81.9].map((value, at) => ({
      time: `2026-0${2 * at + 1}-01T00:00:00.000Z`,
      value,
      color: 'green' as const,
    }));
    const events = ['licence', 'warning', 'name', 'domain', 'company'].map((kind) => ({ kind, keys: [] }));
    const items = data.map(({ time }) => ({ step: { time }, events, fall: undefined }));
    const told = { history: { since: '2026-01-01T00:00:00.000Z', data }, items };
    for (const [name, language] of Object.entries({ english, german })) {
      const picture = drawStoryCard(broker as never, told as never, language as typeof english);
      const png = await draw(picture);
      keep(`story-${name}`, png);
      expect(readSize(png)).toEqual([1200, 630]);
      expect(png.length).toBeLessThan(120_000);
    }
  });

  test('a name with a letter that no font has is drawn as the slug', async () => {
    const named = await draw(card({ name: '한국 거래소' }));
    keep('Korean', named);
    expect(named.equals(await draw(card({ name: 'alpha-markets' })))).toBe(true);
    expect(named.equals(await draw(card({ name: 'beta-markets' })))).toBe(false);
  });

  test('the fonts have every letter of the texts of pictures', () => {
    const index: BundledFont[] = JSON.parse(readFileSync(new URL('index.json', fontsFolder), 'utf8'));
    for (const language of LANGUAGES)
      for (const shape of [...drawSiteCard(language).shapes, ...card({}, language).shapes])
        if (shape.kind === 'words') {
          const fonts = index.filter(({ isBold }) => isBold === shape.isBold);
          expect(chooseFonts(`${shape.text}…`, fonts), shape.text).toBeDefined();
        }
  });
});
