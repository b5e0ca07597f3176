import { expect, test } from 'vitest';
import { fitInSquare, hidesSides, isBlank, isCutOff } from './picture-file.rule.ts';

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
  ['jpg', 'its only head is small', 'ffd8ffc0000b080040004001', false],
  ['jpg', 'a head has exactly the largest side', 'ffd8ffc0000b080040100001', false],
  ['jpg', 'a head after a small one is wide', 'ffd8ffc0000b080040004001ffc0000b080040100101', true],
  ['jpg', 'a head with bytes to fill is high', 'ffd8ffffc20011081001004003', true],
  ['jpg', 'a table looks like a head', 'ffd8ffc4001f00ffffffff01', false],
  ['jpg', 'bytes look like a head of another length', 'ffd8ffc0001108ffffffff01', false],
  ['jpg', 'it ends within a head', 'ffd8ffc0000b08ffffffff', false],
  ['png', 'it begins with its head', '89504e470d0a1a0a0000000d49484452', false],
  ['png', 'another part precedes its head', '89504e470d0a1a0a000000044367424950002002', true],
  ['webp', 'its decoder compares all sides', '5249464604000000574542505650384c', false],
] as const)('%s: if %s, a file hides larger sides: %s → %s', (type, _, hex, expected) => {
  expect(hidesSides(bytes(hex), type, 4096)).toBe(expected);
});

test.each([
  ['white', [255, 255, 255, 255], true],
  ['nearly white', [251, 255, 255, 255], true],
  ['light grey', [250, 250, 250, 255], false],
  ['yellow', [255, 255, 0, 255], false],
])('a drawing with one %s pixel is blank: %s → %s', (_, pixel, expected) => {
  expect(isBlank(new Uint8ClampedArray([255, 255, 255, 255, ...pixel]))).toBe(expected);
});

test.each([
  [100, 100, { x: 0, y: 0, width: 96, height: 96 }],
  [200, 100, { x: 0, y: 24, width: 96, height: 48 }],
  [32, 64, { x: 24, y: 0, width: 48, height: 96 }],
])('a picture of %s × %s is whole in the middle of a square', (width, height, expected) => {
  expect(fitInSquare(width, height, 96)).toEqual(expected);
});
