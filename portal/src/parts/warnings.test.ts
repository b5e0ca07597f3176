import { expect, test } from 'vitest';
import { standingWarnings } from './warnings.ts';

const warning = (over: object) => ({
  source: 'Authority',
  url: 'https://authority.example/1',
  title: 'A warning',
  publishedAt: '2026-01-01T00:00:00Z',
  about: 'this_firm' as const,
  ...over,
});
const at = '2026-02-01T00:00:00Z';

test.each([
  [{}, 'confirmed'],
  [{ match: 'confirmed' }, 'confirmed'],
  [{ match: 'unchecked' }, 'unchecked'],
  [{ about: 'clone_of_it' }, 'clones'],
  [{ about: 'clone_of_it', match: 'unchecked' }, 'clones'],
  [{ about: 'something new' }, 'confirmed'],
  [{ withdrawnAt: at }, undefined],
  [{ match: 'unchecked', correctedAt: at }, undefined],
  [{ about: 'not_this_firm', correctedAt: at }, undefined],
  [{ about: 'not_this_firm' }, undefined],
  [{ about: 'clone_of_it', withdrawnAt: at }, undefined],
])('a warning with %j stands as %s', (over, kind) => {
  const sorted = standingWarnings([warning(over)]);
  const found = (['confirmed', 'unchecked', 'clones'] as const).filter((each) => sorted[each].length > 0);
  expect(found).toEqual(kind === undefined ? [] : [kind]);
});
