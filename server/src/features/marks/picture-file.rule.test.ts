import { expect, test } from 'vitest';
import { fitInSquare, isCutOff } from './picture-file.rule.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const PNG_END = '0000000049454e44ae426082';

test.each([
  ['png', 'a PNG with its last part', `89504e47${PNG_END}`, false],
  ['png', 'a PNG with bytes after its last part', `89504e47${PNG_END}0a`, false],
  ['png', 'a PNG without its last byte', `89504e47${PNG_END.slice(0, -2)}`, true],
  ['jpg', 'a JPEG with its end', 'ffd8ffe0ffd9', false],
  ['jpg', 'a JPEG with a few bytes after its end', 'ffd8ffe0ffd90000', false],
  ['jpg', 'a JPEG without its end', 'ffd8ffe0ff', true],
  ['jpg', 'a JPEG that ends long after the end of its preview', `ffd8ffd9${'11'.repeat(100)}`, true],
  ['webp', 'a WebP as long as it says', '524946460400000057454250', false],
  ['webp', 'a WebP shorter than it says', '524946460500000057454250', true],
  ['webp', 'a WebP without a length', '52494646', true],
] as const)('%s: %s is cut off: %s → %s', (type, _, hex, expected) => {
  expect(isCutOff(bytes(hex), type)).toBe(expected);
});

test.each([
  [100, 100, { x: 0, y: 0, width: 96, height: 96 }],
  [200, 100, { x: 0, y: 24, width: 96, height: 48 }],
  [32, 64, { x: 24, y: 0, width: 48, height: 96 }],
])('a picture of %s × %s is whole in the middle of a square', (width, height, expected) => {
  expect(fitInSquare(width, height, 96)).toEqual(expected);
});
