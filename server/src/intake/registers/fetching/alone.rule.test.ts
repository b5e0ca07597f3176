import { expect, test } from 'vitest';
import type { Finding } from '../compare.rule.ts';
import { selectUnattended } from './alone.rule.ts';

const finding = (over: Partial<Finding> = {}): Finding => ({
  ours: { broker: 'alpha', license: { status: 'active' } } as Finding['ours'],
  changes: [],
  status: 'active',
  ...over,
});
const SAME = finding();
const SUSPENDED = finding({ changes: ['suspended'], status: 'suspended', newName: 'Other Ltd' });
const CEASED = finding({ changes: ['ceased'], status: 'withdrawn' });
const UNCLEAR = finding({ unclear: 'two rows' });
const waiting = expect.objectContaining({ changes: [], status: 'active', unclear: expect.stringMatching(/waits/) });

test('nothing is written by itself where nothing is configured', () => {
  expect(selectUnattended([SAME, SUSPENDED], 'nothing')).toBeUndefined();
});

test('writes only confirmations where only they are configured: a change counts as not confirmed', () => {
  const alone = selectUnattended([SAME, SUSPENDED, UNCLEAR], 'confirmed');
  expect(alone).toEqual({ findings: [SAME, waiting, UNCLEAR] });
  expect(alone?.findings[1]).not.toHaveProperty('newName');
});

test('writes what is clear where everything is configured', () => {
  const all = [SAME, SUSPENDED, UNCLEAR, CEASED];
  expect(selectUnattended(all, 'everything')).toEqual({ findings: all });
});

test.each([
  [2, 2, true],
  [3, 30, true],
  [3, 29, false],
  [4, 30, false],
])('a file that ends %d of %d licences of ours is written without a person: %s', (ended, of, isWritten) => {
  const all = Array.from({ length: of }, (_, n) => (n < ended ? CEASED : SAME));
  const alone = selectUnattended(all, 'everything');
  expect(alone?.waits === undefined).toBe(isWritten);
  if (!isWritten) expect(alone?.findings.every(({ changes }) => changes.length === 0)).toBe(true);
});

test('licences that have ended before do not count', () => {
  const over = finding({ ours: { license: { status: 'revoked' } } as Finding['ours'], changes: ['cancelled'] });
  expect(selectUnattended([over, over, over], 'everything')?.waits).toBeUndefined();
});
