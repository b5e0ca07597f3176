import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

test('SHA-256 is that of Node, for every length around the ends of blocks', () => {
  for (const length of [...Array(200).keys(), 1000, 65_535]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256);
    expect(Buffer.from(sha256(bytes)).toString('hex'), String(length)).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  }
});
