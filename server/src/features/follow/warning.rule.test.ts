import { expect, test } from 'vitest';
import { decideTelling, type FollowedWarning, parseWarning } from './warning.rule.ts';

const warning = (more: Partial<FollowedWarning> = {}): FollowedWarning => ({
  source: 'Office',
  url: 'https://office.example/1',
  about: 'this_firm',
  ...more,
});
const TIME = '2026-01-05T00:00:00Z';
const clone = warning({ about: 'clone_of_it' });
const withdrawn = warning({ withdrawnAt: TIME });
const mistaken = warning({ about: 'not_this_firm' });

test.each([
  ['a new warning', undefined, warning(), 'follow.warning'],
  ['a new warning about a clone', undefined, clone, 'follow.warning'],
  ['a warning about a clone that turns out to be about the firm', clone, warning(), 'follow.warning'],
  ['a withdrawn warning that stands again', withdrawn, warning(), 'follow.warning'],
  ['a withdrawal', warning(), withdrawn, 'follow.correction'],
  ['a mistake', warning(), mistaken, 'follow.correction'],
  ['a warning that is not published any more', warning(), undefined, 'follow.correction'],
  ['a warning about the firm that turns out to be about a clone', warning(), clone, 'follow.correction'],
  ['a mistake with the time of its correction', warning(), warning({ correctedAt: TIME }), 'follow.correction'],
  ['a warning that a person confirms', warning({ match: 'unchecked' }), warning(), undefined],
  ['other words for the same', warning(), warning({ source: 'The office' }), undefined],
  ['a warning that was withdrawn before it was known', undefined, withdrawn, undefined],
  ['a mistake that is withdrawn', mistaken, withdrawn, undefined],
])('followers get the right message about %s', (_, before, after, told) => {
  expect(decideTelling(before, after)).toBe(told);
});

test('an entry that ends a warning has no value', () => {
  expect(parseWarning('null')).toBeUndefined();
  expect(parseWarning(JSON.stringify({ ...warning(), broker: 'alpha' }))).toEqual(warning());
});
