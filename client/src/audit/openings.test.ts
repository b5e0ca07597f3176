import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createFileSource } from '../transfer.ts';
import { isCommitted, readOpenings } from './openings.ts';
import { createOpener } from './texts.ts';

const SALT = Buffer.alloc(32, 7).toString('base64');
const commitment = createHash('sha256').update(Buffer.alloc(32, 7)).update('Grüße').digest('base64');
const opening = { commitments: { title: commitment }, salts: { title: SALT } };

test.each([
  ['the text that the entry commits to', 'Grüße', opening, 'Grüße'],
  ['another text', 'Grüsse', opening, { unopened: 'a commitment to another text' }],
  ['no text', undefined, opening, { unopened: 'a commitment to a text' }],
  [
    'a text without random bytes',
    'Grüße',
    { ...opening, salts: undefined },
    { unopened: 'a commitment whose random bytes are missing' },
  ],
  [
    'a text with random bytes that are not base64',
    'Grüße',
    { ...opening, salts: { title: '?' } },
    { unopened: 'a commitment to another text' },
  ],
  ['a text that the entry knows nothing of', 'Grüße', { commitments: {}, salts: {} }, undefined],
  ['an empty text that the entry knows nothing of', '', { commitments: undefined, salts: undefined }, ''],
])('%s is compared with the commitment', (_, text, { commitments, salts }, expected) => {
  const open = createOpener(new Map(salts && [['review/1', salts]]), isCommitted);
  expect(open('review/1', commitments, 'title', text)).toEqual(expected);
});

test('openings are asked for a hundred at a time', async () => {
  const asked: number[] = [];
  const source = createFileSource('audit', 'https://brokers.example/transparency/v1/openings', {
    fetch: async (address) => {
      const keys = new URL(address).searchParams.get('keys')?.split(',') ?? [];
      asked.push(keys.length);
      return Response.json({ data: keys.map((key) => ({ key, salts: { title: key } })) });
    },
  });
  const keys = Array.from({ length: 101 }, (_, at) => `review/${at}`);
  const openings = await readOpenings(source, keys);
  expect(asked).toEqual([100, 1]);
  expect(openings.get('review/100')).toEqual({ title: 'review/100' });
});

test('a service without openings is named by its address alone', async () => {
  const url = 'https://brokers.example/transparency/v1/openings';
  const source = createFileSource('audit', url, { fetch: async () => new Response(null, { status: 404 }) });
  await expect(readOpenings(source, ['review/1'])).rejects.toMatchObject({
    message: `${url} answers 404`,
    status: 404,
  });
});
