import { expect, test } from 'vitest';
import type { IdentityEntry } from '../sources/entry.rule.ts';
import { listLeiFaults } from './leis.rule.ts';

const LEI = '5493001KJTIIGC8Y1R12';
const ours = { broker: 'alpha', legalName: 'Alpha Markets Ltd', lei: LEI };
const entry = (over: Partial<IdentityEntry>): IdentityEntry => ({
  at: 'line 2',
  lei: LEI,
  legalName: 'ALPHA MARKETS LIMITED',
  otherNames: [],
  country: 'CY',
  registeredAt: null,
  registeredAs: null,
  entityStatus: 'ACTIVE',
  leiStatus: 'ISSUED',
  successor: null,
  nextRenewal: null,
  ...over,
});

test.each<[string, Partial<IdentityEntry>, string[]]>([
  ['the same name', {}, []],
  ['our name among its others', { legalName: 'Omega AG', otherNames: ['Alpha Markets Ltd'] }, []],
  ['another name', { legalName: 'Omega AG' }, ['belongs to "Omega AG"']],
  ['a merger', { entityStatus: 'INACTIVE', leiStatus: 'MERGED', successor: 'X' }, ['is MERGED, its successor is X']],
  ['a firm that ended', { entityStatus: 'INACTIVE' }, ['stands for a firm that is INACTIVE']],
  [
    'a fee that was not paid',
    { leiStatus: 'LAPSED' },
    ['is LAPSED: it was not renewed, which says nothing of a licence'],
  ],
])('an LEI with %s', (_, over, said) => {
  expect(listLeiFaults(ours, entry(over))).toEqual(said);
});
