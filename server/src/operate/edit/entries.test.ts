import { expect, test } from 'vitest';
import { changeList, type EntryChange } from './entries.ts';

const A = { code: 'a', number: '1', entity: { name: 'One Ltd' } };
const B = { code: 'b', number: '1', entity: { name: 'Two Ltd' }, until: '2026' };
const takesNull = () => false;

test.each<[string, readonly unknown[], EntryChange, readonly unknown[]]>([
  ['adds at the end', ['x'], { what: 'add', entries: ['y', 'z'] }, ['x', 'y', 'z']],
  ['adds nothing that is there', ['x'], { what: 'add', entries: ['x'] }, ['x']],
  ['removes what is named', ['x', 'y', 'z'], { what: 'remove', like: ['x', 'z'] }, ['y']],
  ['removes an entry by a part', [A, B], { what: 'remove', like: [{ code: 'a' }] }, [B]],
  ['removes an entry by a part of a part', [A, B], { what: 'remove', like: [{ entity: { name: 'Two Ltd' } }] }, [A]],
  ['tells an entry by what it lacks', [A, B], { what: 'remove', like: [{ number: '1', until: null }] }, [B]],
  [
    'changes one part of an entry',
    [A, B],
    { what: 'change', like: { code: 'b' }, to: { entity: { name: 'Three Ltd' } }, takesNull },
    [A, { ...B, entity: { name: 'Three Ltd' } }],
  ],
  [
    'takes a part out of an entry',
    [A, B],
    { what: 'change', like: { code: 'b' }, to: { until: null }, takesNull },
    [A, { code: 'b', number: '1', entity: { name: 'Two Ltd' } }],
  ],
  [
    'keeps null where a part can be null',
    [B],
    { what: 'change', like: { code: 'b' }, to: { until: null }, takesNull: ([name]) => name === 'until' },
    [{ ...B, until: null }],
  ],
])('%s', (_, list, change, expected) => {
  expect(changeList(list, change, 'licences')).toEqual(expected);
});

test.each<[string, EntryChange, RegExp]>([
  [
    'none',
    { what: 'remove', like: [{ code: 'c' }] },
    /^No entry of licences that this source states is \{"code":"c"\}/,
  ],
  ['several', { what: 'remove', like: [{ number: '1' }] }, /^2 entries of licences are .*: say more of the one\.$/],
])('refuses a description that fits %s', (_, change, message) => {
  expect(() => changeList([A, B], change, 'licences')).toThrow(message);
});
