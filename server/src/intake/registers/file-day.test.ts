import { expect, test } from 'vitest';
import { findFileDay } from './file-day.ts';

const SAVED = new Date('2026-11-20T23:10:00Z');

test.each([
  ['afs_lic_20261118.csv', '2026-11-18'],
  ['register-2026-01-05.csv', '2026-01-05'],
  ['afs_lic_202611.csv', '2026-11-20'],
  ['cad_intermed.csv', '2026-11-20'],
  ['20261131.csv', '2026-11-20'],
])('%s describes %s', (name, day) => {
  expect(findFileDay(name, SAVED).toISOString()).toBe(`${day}T00:00:00.000Z`);
});

test('refuses a file that names another month than the one it was saved in', () => {
  expect(() => findFileDay('afs_lic_202607.csv', SAVED)).toThrow('add --as-of');
});
