import { openApiDocument } from '@broker-transparency/contract/openapi';
import { expect, test } from 'vitest';
import { type Call, listCalls } from './calls.ts';

const document = () => openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' });
const call = (id: string): Call | undefined => listCalls(document()).find((each) => each.id === id);

test.each([
  ['search', { kind: 'whole', item: 'BrokerSummary' }],
  ['brokers.list', { kind: 'offset', item: 'BrokerSummary' }],
  ['brokers.get', undefined],
  ['reviews.list', { kind: 'cursor', item: 'Review' }],
  ['reviews.create', undefined],
])('recognises from parameters and answer whether %s is a list', (id, list) => {
  expect(call(id)?.list).toEqual(list);
});

test('refuses a list whose items have no id to tell them apart', () => {
  const changed = document();
  delete changed.components.schemas['BrokerSummary']?.properties?.['id'];
  expect(() => listCalls(changed)).toThrow(new TypeError('brokers.list is a list by offset without id'));
});

test('gives a call the problem codes of its answers', () => {
  expect(call('brokers.get')?.codes).toContain('broker_not_found');
  expect(call('brokers.get')?.codes).not.toContain('kyc_required');
  expect(call('reviews.create')?.codes).toContain('kyc_required');
});
