import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { lacksPixels } from './png-pixels.ts';

const toPart = (name: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
};

/** A PNG of 8 × 8 pixels with as many bytes of pixels, in two parts. */
const toPng = (depth: number, color: number, interlace: number, bytes: number): Buffer => {
  const head = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, depth, color, 0, 0, interlace]);
  const pixels = deflateSync(Buffer.alloc(bytes));
  const parts = [pixels.subarray(0, 5), pixels.subarray(5)].map((data) => toPart('IDAT', data));
  return Buffer.concat([Buffer.alloc(8), toPart('IHDR', head), ...parts, toPart('IEND', Buffer.alloc(0))]);
};

test.each([
  ['black and white', 1, 0, 0, 8 * (1 + 1)],
  ['gray', 8, 0, 0, 8 * (1 + 8)],
  ['colors of a list', 4, 3, 0, 8 * (1 + 4)],
  ['colors with 16 bits and transparency', 16, 6, 0, 8 * (1 + 64)],
  ['gray in seven passes', 8, 0, 1, 2 + 2 + 3 + 2 * 3 + 2 * 5 + 4 * 5 + 4 * 9],
] as const)('a PNG in %s lacks pixels if one byte of them is missing', (_, depth, color, interlace, bytes) => {
  expect(lacksPixels(toPng(depth, color, interlace, bytes))).toBe(false);
  expect(lacksPixels(toPng(depth, color, interlace, bytes + 1))).toBe(false);
  expect(lacksPixels(toPng(depth, color, interlace, bytes - 1))).toBe(true);
});

test('a PNG without pixels, or with damaged ones, lacks pixels', () => {
  const whole = toPng(8, 0, 0, 72);
  expect(lacksPixels(Buffer.from(whole.toString('latin1').replaceAll('IDAT', 'oDAT'), 'latin1'))).toBe(true);
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(0xff, damaged.indexOf('IDAT') + 6);
  expect(lacksPixels(damaged)).toBe(true);
});
