import { completeLei, type Firm, readFirm } from '@broker-transparency/matching';
import { expect, test } from 'vitest';
import { findSharedIdentifiers } from './shared.rule.ts';

const LEI = completeLei('984500ALPHA0000000');

const name = (text: string): Firm['names'] => [{ text, kind: 'legal' }];
const number = (text: string, register: string) => [{ register, number: text }];

test('names what two brokers cannot both have, each with its holders', () => {
  const brokers: readonly (readonly [string, Firm])[] = [
    ['alpha', { names: name('Alpha'), leis: [LEI], domains: ['alpha.example'], numbers: number('123456', 'fca') }],
    ['alpha-clone', { names: name('Alpha'), domains: ['clone.example'], numbers: number('FRN 123456', 'fca') }],
    ['beta', { names: name('Beta'), leis: [LEI], domains: ['trade.alpha.example', 't.me/beta'] }],
    ['gamma', { names: name('Gamma'), domains: ['t.me/gamma'], numbers: number('123456', 'asic') }],
  ];
  expect(findSharedIdentifiers(brokers.map(([key, firm]) => [key, readFirm(firm)] as const))).toEqual([
    { field: 'domain', value: 'alpha.example', brokers: ['alpha', 'beta'] },
    { field: 'lei', value: LEI, brokers: ['alpha', 'beta'] },
    { field: 'number', value: '123456', regulator: 'fca', brokers: ['alpha', 'alpha-clone'] },
  ]);
});
