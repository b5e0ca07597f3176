import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatPublication,
  makePublication,
  PUBLICATION_TERMS,
  type PublicationFacts,
  publicationPage,
  publicationText,
  type Republication,
} from './publication.ts';

/** Texts as people write them, and such as would end a script or an element. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('</script><b>', '<!--', '"><img src=x>', '&lt;'));

const anyFacts: fc.Arbitrary<PublicationFacts> = fc.record({
  broker: fc.record({ slug: fc.constant('alpha'), name: text, entry: fc.nat() }),
  rating: fc.record({
    date: fc.constant('2026-11-23'),
    value: fc.option(fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10)),
    color: fc.constantFrom('green', 'yellow', 'red', 'unrated'),
    entry: fc.nat(),
  }),
  methodology: fc.record({ version: fc.constant('2026-1'), sha256: fc.constant('00'), entry: fc.nat() }),
  log: fc.record({ origin: fc.constant('a.example/log'), size: fc.nat(), keys: fc.array(text) }),
  proofs: fc.record({ rating: text, broker: text, methodology: text }),
});
const anyTerms = fc.constantFrom(...(Object.keys(PUBLICATION_TERMS) as Republication[]));

describe('a publication', () => {
  test('the file and the page have the same JSON, whatever the texts are', () => {
    fc.assert(
      fc.property(anyFacts, anyTerms, (facts, terms) => {
        const publication = makePublication(facts, terms);
        const file = formatPublication(publication);
        expect(publicationText(file)).toBe(file);
        expect(JSON.parse(publicationText(publicationPage(publication)) as string)).toEqual(JSON.parse(file));
      }),
    );
  });

  test('a text becomes no element of the page', () => {
    fc.assert(
      fc.property(anyFacts, anyTerms, (facts, terms) => {
        const page = publicationPage(makePublication(facts, terms));
        const tags = [...page.matchAll(/<\/?([a-z!][a-z]*)/gi)].map(([, name = '']) => name.toLowerCase());
        expect(tags.filter((name) => ['b', 'img'].includes(name))).toEqual([]);
        expect(tags.filter((name) => name === 'script')).toHaveLength(2);
      }),
    );
  });

  test('a page without a publication has no JSON', () => {
    expect(publicationText('<!doctype html><p>Alpha</p>')).toBeUndefined();
  });
});
