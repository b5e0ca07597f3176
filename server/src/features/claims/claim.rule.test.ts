import { expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { type Claim, createClaim, findHolder, isFreeFor, requireFree } from './claim.rule.ts';

const start = new Date('2026-11-02T09:00:00Z');
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const claim = createClaim('alice', start);

test.each([
  [0, 'alice', true],
  [0, 'bob', false],
  [14.99, 'alice', true],
  [14.99, 'bob', false],
  [15, 'bob', true],
  [60, 'bob', true],
])('%s minutes after a claim, %s may work on the review: %s', (minutes, who, free) => {
  expect(findHolder(claim, after(minutes))).toBe(minutes < 15 ? 'alice' : undefined);
  const go = () => requireFree('Review r1', claim, who, after(minutes));
  if (free) expect(go).not.toThrow();
  else
    expect(go).toThrow(
      new DomainError('state_conflict', 'Review r1 is claimed by alice until 2026-11-02T09:15:00.000Z.'),
    );
});

test('a review without a claim is free', () => {
  expect(findHolder(undefined, start)).toBeUndefined();
  expect(() => requireFree('Review r1', undefined, 'bob', start)).not.toThrow();
});

test.each<[string, Claim | undefined, boolean]>([
  ['one that nobody holds', undefined, true],
  ['one whose claim has expired', { by: 'ben', until: new Date(0), terminal: 'b' }, true],
  ['its own', createClaim('anna', new Date(), 'a'), true],
  ['one that its moderator claimed without a terminal', createClaim('anna', new Date()), true],
  ['one of its moderator in another terminal', createClaim('anna', new Date(), 'b'), false],
  ['one of another moderator', createClaim('ben', new Date()), false],
  ['one of another moderator in a terminal', createClaim('ben', new Date(), 'a'), false],
])('a terminal takes up %s: %s', (_, claim, isFree) => {
  expect(isFreeFor(claim, 'anna', 'a', new Date())).toBe(isFree);
});
