import { expect, test } from 'vitest';
import { type FieldName, readFields } from './fields.rule.ts';

const SHOWN: readonly FieldName[] = ['reason', 'note', 'days', 'at', 'statement'];
const takes = { takes: SHOWN, needs: ['reason'] } as const;

test.each<[string, Record<string, string>, object]>([
  ['a reason', { reason: 'insult' }, { given: { reason: 'insult' } }],
  [
    'a note, without the blanks around it',
    { reason: 'insult', note: ' It shouts.\r\n' },
    { given: { reason: 'insult', note: 'It shouts.' } },
  ],
  ['days', { reason: 'insult', days: '14' }, { given: { reason: 'insult', days: 14 } }],
  ['no reason', {}, { fault: { field: 'reason', text: 'This decision needs it.' } }],
  ['an unknown reason', { reason: '<script>' }, { fault: { field: 'reason', text: 'Choose one of the list.' } }],
  ['a note that is too short', { reason: 'insult', note: 'ab' }, { fault: { field: 'note' } }],
  ['a note of bytes that are no text', { reason: 'insult', note: 'abc\0' }, { fault: { field: 'note' } }],
  ['too many days', { reason: 'insult', days: '61' }, { fault: { field: 'days' } }],
  ['days that are no number', { reason: 'insult', days: '1e1' }, { fault: { field: 'days' } }],
  ['a time without a zone', { reason: 'insult', at: '2026-11-28T10:00' }, { fault: { field: 'at' } }],
  ['a statement that is no number', { reason: 'insult', statement: '-1' }, { fault: { field: 'statement' } }],
])('reads %s', (_, fields, expected) => {
  expect(readFields(takes, SHOWN, fields)).toMatchObject(expected);
});

test('a field that a decision does not take has to be empty, so that nobody publishes what they meant to reject', () => {
  expect(readFields({ takes: ['note'] }, ['reason', 'note'], { reason: 'insult' })).toEqual({
    fault: { field: 'reason', text: 'This decision takes none: leave it empty, or decide otherwise.' },
  });
});

test('a field that the form does not have is not read', () => {
  expect(readFields({ takes: [] }, [], { reason: 'insult' })).toEqual({ given: {} });
});
