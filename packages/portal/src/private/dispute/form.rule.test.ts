import { DISPUTE_FIELDS } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOUNDS, findConflict, parseDispute } from './form.rule.ts';

const GOOD = { field: 'licenses', text: 'Our licence is active since 2020.', evidence: 'https://register.example/1' };

describe('a form that disputes a fact', () => {
  test.each([
    [GOOD, []],
    [{ ...GOOD, evidence: '' }, []],
    [{ ...GOOD, evidence: ' \r\nhttps://register.example/1\r\n\r\nhttps://register.example/2 ' }, []],
    [{ ...GOOD, field: '' }, ['field']],
    [{ ...GOOD, field: 'score' }, ['field']],
    [{ ...GOOD, field: '__proto__' }, ['field']],
    [{ ...GOOD, text: ' '.repeat(30) }, ['text']],
    [{ ...GOOD, text: 'x'.repeat(4001) }, ['text']],
    [{ ...GOOD, text: `${'\r\n'.repeat(1000)}${'x'.repeat(20)}` }, []],
    [{ ...GOOD, evidence: 'register.example' }, ['evidence']],
    [{ ...GOOD, evidence: 'javascript:alert(1)' }, ['evidence']],
    [{ ...GOOD, evidence: 'https://register.example/1\n'.repeat(11) }, ['evidence']],
    [{ field: '', text: '', evidence: 'x' }, ['field', 'text', 'evidence']],
  ])('%j has the faults %j', (form, faults) => {
    expect(parseDispute(form).faults).toEqual(faults);
  });

  test('a form is taken exactly if it has no fault, and then names a known fact', () => {
    const form = fc.record({
      field: fc.oneof(fc.constantFrom(...DISPUTE_FIELDS), fc.string()),
      text: fc.string({ maxLength: 60 }),
      evidence: fc.oneof(fc.constant('https://register.example/1'), fc.string()),
    });
    fc.assert(
      fc.property(form, (sent) => {
        const { given, faults } = parseDispute(sent);
        expect(given === undefined).toBe(faults.length > 0);
        if (given) {
          expect(DISPUTE_FIELDS).toContain(given.field);
          expect(given.evidence.length).toBeLessThanOrEqual(BOUNDS.links);
        }
      }),
    );
  });
});

test.each([
  [[{ field: 'name', status: 'open' }], 'same'],
  [[{ field: 'name', status: 'rejected' }], 'other'],
  [Array.from({ length: BOUNDS.open }, (_, at) => ({ field: `f${at}`, status: 'open' })), 'many'],
  [[], 'other'],
])('a refused dispute of the name, beside the disputes %j, has the cause %s', (disputes, cause) =>
  expect(findConflict(disputes, 'name')).toBe(cause),
);
