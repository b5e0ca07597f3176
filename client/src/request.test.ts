import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPreparer } from './request.ts';
import { createSettings } from './settings.ts';

const settings = createSettings({ baseUrl: 'https://brokers.example/api/v1' });
const prepare = createPreparer('x', { method: 'GET', path: '/brokers/{slug}/x', query: true, body: false }, settings);

test.each(['', '.', '..', '\ud800', 'a\udc00b', undefined, 7])('%j is refused as a path segment', (slug) => {
  expect(() => prepare([slug])).toThrow(new TypeError('slug must be a non-empty string that can stand in a path'));
});

test('every argument arrives unchanged at its own route', () => {
  const trap = fc.constantFrom('.', '/', '%', '?', '#', '\\', '2', 'e', 'F', ' ', '\0', '\n', ';');
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), trap),
    minLength: 1,
  });
  const query = fc.dictionary(fc.string({ minLength: 1 }), text);
  fc.assert(
    fc.property(text, query, (slug, given) => {
      fc.pre(slug !== '.' && slug !== '..');
      const url = new URL(prepare([slug, given]).sent.url);
      const [, ...parts] = url.pathname.split('/');
      expect([url.origin, url.hash]).toEqual(['https://brokers.example', '']);
      expect(parts.map(decodeURIComponent)).toEqual(['api', 'v1', 'brokers', slug, 'x']);
      expect(Object.fromEntries(url.searchParams)).toEqual({ ...given });
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
