import { expect, test } from 'vitest';
import { readText } from './read.rule.ts';

test.each([
  ['Alpha Markets', { name: 'Alpha Markets' }],
  ['  Alpha\tMarkets\u3000Ltd. ', { name: 'Alpha Markets Ltd.' }],
  ['alpha-markets.vip', { domain: 'alpha-markets.vip', namesInDomain: ['alpha markets'] }],
  ['https://login.alpha.co.uk/x?y=1', { domain: 'https://login.alpha.co.uk/x?y=1', namesInDomain: ['alpha', 'login'] }],
  ['help@alpha-fx.com', { domain: 'help@alpha-fx.com', namesInDomain: ['alpha fx'] }],
  ['Alpha Markets alpha.vip', { name: 'Alpha Markets', domain: 'alpha.vip' }],
  [
    'Alpha a-fx.com b-fx.com a-fx.com b-fx.com c-fx.com',
    { name: 'Alpha', domain: 'a-fx.com', otherDomains: ['b-fx.com', 'c-fx.com'] },
  ],
  ['аlphа.com', { domain: 'аlphа.com', namesInDomain: ['alpha'] }],
  ['alpha-fx.co.uk.evil.com', { domain: 'alpha-fx.co.uk.evil.com', namesInDomain: ['evil', 'alpha fx'] }],
  ['https://alpha.co.uk@abc.com', { domain: 'https://alpha.co.uk@abc.com', namesInDomain: ['alpha'] }],
  ['730729', { licenseNumber: '730729' }],
  ['FRN 730 729', { name: 'FRN 730 729', licenseNumber: '730 729' }],
  ['123/12', { licenseNumber: '123/12' }],
  ['529900T8BM49AURSDO55', { lei: '529900T8BM49AURSDO55' }],
  ['24option', { name: '24option' }],
  ['t.me/alpha', { name: 't.me/alpha' }],
  ['株式会社アルファ', { name: '株式会社アルファ' }],
  ['', {}],
  ['\u202e', {}],
  ['!!!', {}],
])('%j is read as %j', (text, read) => {
  expect(readText(text)).toEqual(read);
});

test('the first 200 characters of a long text count', () => {
  expect(readText('x'.repeat(5000)).name).toHaveLength(200);
});
