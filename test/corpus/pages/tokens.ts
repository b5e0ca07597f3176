import { toToken } from '../../support/people.ts';
import { complaintBody, reviewBody } from '../../support/records.ts';
import { tokenLine } from '../cast.ts';
import type { Ask } from '../wire.ts';
import { READS } from './addresses.ts';

const JSON_BODY = 'Content-Type: application/json';

const WRONG = [
  'Bearer',
  'Bearer ',
  'Bearer wrong',
  'Bearer a b',
  `Bearer  ${toToken('cora')}`,
  'Basic YTpi',
  '',
  'Digest x',
  `Bearer ${toToken('nobody')}`,
  `Bearer ${toToken('cora')}x`,
  `Bearer ${toToken('cora').toUpperCase()}`,
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  `Bearer ${'x'.repeat(5000)}`,
  `Token ${toToken('cora')}`,
].map((value) => `Authorization: ${value}`);

/** Routes that need a token, each with a request that is valid except for its credential. */
const GUARDED = [
  { method: 'GET', target: '/account/v1/reviews' },
  { method: 'POST', target: '/api/v1/reviews', body: JSON.stringify(reviewBody('nobody')) },
  { method: 'POST', target: '/api/v1/complaints', body: JSON.stringify(complaintBody('nobody')) },
  { method: 'POST', target: `/account/v1/reviews/${'0'.repeat(24)}/withdrawal` },
];

/** Sends credentials of all kinds, valid ones included, to routes with and without authentication. */
export const tokens = async (ask: Ask, jwtLines: readonly string[]): Promise<void> => {
  const people = ['cora', 'lia', 'olga', 'nora', 'eve', 'rex', 'bea'].map(tokenLine);
  const credentials = [[], ...[...WRONG, ...people, ...jwtLines].map((line) => [line])];
  const odd = [[tokenLine('cora'), tokenLine('ana')], [tokenLine('cora').replace('Bearer', 'bearer')]];
  for (const credential of [...credentials, ...odd]) {
    for (const request of GUARDED)
      await ask('tokens', { ...request, headers: [...credential, ...(request.body ? [JSON_BODY] : [])] });
    for (const target of [READS[0] as string, '/nothing', '/openapi.json'])
      await ask('tokens', { target, headers: credential });
  }
  await ask('tokens', { target: `/account/v1/reviews?access_token=${toToken('cora')}` });
};
