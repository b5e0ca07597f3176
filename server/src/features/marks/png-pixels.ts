import { inflateSync } from 'node:zlib';

/** Samples of a pixel by the color type of a PNG (RFC 2083 §4.1.1). */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The first column and row of each pass of a PNG, and its steps (§2.6). */
const WHOLE = [[0, 0, 1, 1]] as const;
const INTERLACED = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Returns the bytes of pixels that the head of a PNG announces: in each row of each pass, one and its pixels. */
const countAnnounced = (png: Buffer): number => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const bits = png.readUInt8(24) * (SAMPLES[png.readUInt8(25)] ?? 0);
  const passes = png.readUInt8(28) === 1 ? INTERLACED : WHOLE;
  return passes
    .map(([x, y, across, down]) => {
      const [columns, rows] = [Math.ceil((width - x) / across), Math.ceil((height - y) / down)];
      return columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bits) / 8)) : 0;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
};

/** Returns the parts of a PNG that hold its pixels. */
const joinPixels = (png: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
};

/**
 * Returns true if a PNG has fewer pixels than its head announces, or none that can be read: decoders leave the others
 * empty. The sides in its head must have been checked, since as many pixels are held in memory.
 */
export const lacksPixels = (png: Buffer): boolean => {
  const announced = countAnnounced(png);
  try {
    return inflateSync(joinPixels(png), { maxOutputLength: Math.max(1, announced) }).length < announced;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE'; // more of them are no fault
  }
};
