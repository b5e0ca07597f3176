import { crc32 } from 'node:zlib';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { BOUNDS, MARK_SIDE } from './policy.rule.ts';
import { reencodeMark } from './re-encode.ts';

type Format = 'png' | 'jpeg' | 'webp';
const FORMATS: readonly Format[] = ['png', 'jpeg', 'webp'];

/** A picture with a red upper left quarter on nothing. */
const draw = (format: Format, width = 200, height = 200): Promise<Buffer> => {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, width / 2, height / 2);
  return format === 'png' ? canvas.encode('png') : canvas.encode(format, 95);
};

/** Returns a PNG with one more part (RFC 2083 §3.2), by default before its end. */
const withPart = (png: Buffer, name: string, data: Buffer, at = png.length - 12): Buffer => {
  const typed = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([png.subarray(0, at), length, typed, sum, png.subarray(at)]);
};

const readPixel = async (png: Buffer, x: number, y: number): Promise<number[]> => {
  const picture = await loadImage(png);
  const context = createCanvas(picture.width, picture.height).getContext('2d');
  context.drawImage(picture, 0, 0);
  return [...context.getImageData(x, y, 1, 1).data];
};

const refusal = async (bytes: Buffer): Promise<string> => {
  const error = await reencodeMark(bytes).then(
    () => 'it was taken',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DomainError);
  return (error as DomainError).message;
};

const NOT_READ = 'The file is not a PNG, JPEG or WebP picture. Save the mark as one of these.';
const CUT_OFF = 'The file is cut off or damaged. Save or copy it again.';

describe.each(FORMATS)('a picture as %s', (format) => {
  test('becomes a small PNG, whole and on white', async () => {
    const mark = await reencodeMark(await draw(format, 400, 200));
    const { width, height } = await loadImage(mark);
    expect([width, height]).toEqual([MARK_SIDE, MARK_SIDE]);
    expect(mark.length).toBeLessThan(2048);
    const [red, green, blue, alpha] = await readPixel(mark, 10, 30);
    expect([Number(red) > 240, Number(green) < 20, Number(blue) < 20, alpha]).toEqual([true, true, true, 255]);
    expect(await readPixel(mark, 10, 5)).toEqual([255, 255, 255, 255]); // above a picture that is wider than high
  });

  test('a file is refused wherever it is cut off', async () => {
    const whole = await draw(format);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        expect([NOT_READ, CUT_OFF]).toContain(await refusal(whole.subarray(0, length)));
      }),
    );
  });

  test('a file with changed bytes is taken or refused in words', async () => {
    const whole = await draw(format);
    const change = fc.tuple(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        const result = await reencodeMark(bytes).catch((error: unknown) => error);
        if (!Buffer.isBuffer(result)) expect(result).toBeInstanceOf(DomainError);
      }),
    );
  });
});

test('nothing but the pixels of a file is stored', async () => {
  const secret = 'taken at 52.5200 N by somebody';
  const png = withPart(await draw('png'), 'tEXt', Buffer.from(`Comment\0${secret}`));
  const mark = await reencodeMark(png);
  expect(png.includes(secret)).toBe(true);
  expect(mark.includes(secret)).toBe(false);
  expect(mark).toEqual(await reencodeMark(await draw('png')));
});

/** The head of a PNG with these sides (RFC 2083 §4.1.1). */
const withSides = async (width: number, height: number): Promise<Buffer> => {
  const png = Buffer.from(await draw('png'));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
};

/** A PNG of 5000 × 40 pixels. A program that reads only its first part finds 64 × 64. */
const withFalseSides = async (): Promise<Buffer> => {
  const png = await draw('png', 5000, 40);
  const part = Buffer.alloc(40);
  part.write('IHDR', 12);
  part.writeUInt32BE(64, 16);
  part.writeUInt32BE(64, 20);
  return withPart(png, 'CgBI', part, 8);
};

/** A JPEG of 5000 × 40 pixels. A program that does not skip fill bytes finds 64 × 64 in a comment. */
const withFalseHead = async (): Promise<Buffer> => {
  const jpeg = await draw('jpeg', 5000, 40);
  const comments = Buffer.alloc(3 + 0x7ff0 + 2 + 0xfff0);
  comments.write('fffffe7ff0', 'hex');
  comments.write('fffefff0', 3 + 0x7ff0, 'hex');
  comments.write('ffc00011080040004003', 2 + 0xfe7f, 'hex'); // where a segment of 0xFE7F bytes would end
  return Buffer.concat([jpeg.subarray(0, 2), comments, jpeg.subarray(2)]);
};

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['an empty file', () => Buffer.alloc(0), NOT_READ],
  ['a text', () => Buffer.from('hello'), NOT_READ],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"></svg>'), NOT_READ],
  ['a GIF', () => Buffer.from('GIF89a\x40\x00\x40\x00;', 'latin1'), NOT_READ],
  ['a file above the bound', () => Buffer.alloc(BOUNDS.bytes + 1), 'The file has more than 1024 KiB. Save it smaller.'],
  [
    'a picture that would fill the memory',
    () => withSides(60_000, 60_000),
    'The picture has 60000 × 60000 pixels. Each side must have 32 to 4096: save it in another size.',
  ],
  ['a PNG that hides its sides', withFalseSides, CUT_OFF],
  ['a JPEG that hides its sides', withFalseHead, CUT_OFF],
  ['a PNG with fewer pixels than its head says', () => withSides(200, 400), CUT_OFF],
  [
    'a white mark on nothing',
    async () => {
      const canvas = createCanvas(64, 64);
      const context = canvas.getContext('2d');
      context.fillStyle = '#fff';
      context.fillRect(16, 16, 32, 32);
      return canvas.encode('png');
    },
    'Nothing of the picture can be seen on white. Save the mark in darker colors.',
  ],
  [
    'a picture of one pixel',
    () => withSides(1, 1),
    'The picture has 1 × 1 pixels. Each side must have 32 to 4096: save it in another size.',
  ],
])('refuses %s with the cure', async (_, make, message) => {
  expect(await refusal(await make())).toBe(message);
});
