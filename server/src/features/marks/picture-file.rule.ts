const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');

/** Returns true if the bytes have the end of the file: its last part, or as many bytes as it says that it has. */
const HAS_END: Readonly<Record<PictureType, (bytes: Buffer) => boolean>> = {
  png: (bytes) => bytes.includes(PNG_END),
  jpg: (bytes) => bytes.subarray(-64).includes(JPEG_END), // some programs add a few bytes
  webp: (bytes) => bytes.length >= 8 && bytes.readUInt32LE(4) + 8 <= bytes.length,
};

/** The kinds of pictures that are read. SVG is none: it can have script, and links to other sites. */
export const PICTURE_TYPES = ['png', 'jpg', 'webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** Returns true if a file of this kind was cut off. Decoders draw what is left of it. */
export const isCutOff = (bytes: Buffer, type: PictureType): boolean => !HAS_END[type](bytes);

/** Returns the sides in every head of a JPEG (ITU T.81 §B.2.2): its own, and those of its previews. */
const listJpegSides = (bytes: Buffer): number[] => {
  const sides: number[] = [];
  for (let at = bytes.indexOf(0xff); at >= 0 && at + 10 <= bytes.length; at = bytes.indexOf(0xff, at + 1))
    if (
      bytes.readUInt8(at + 1) >> 4 === 0xc &&
      bytes.readUInt16BE(at + 2) === 8 + 3 * bytes.readUInt8(at + 9) &&
      bytes.readUInt8(at + 4) === 8
    )
      sides.push(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
  return sides;
};

/**
 * Returns true if a decoder could find larger sides than whoever reads them first: a JPEG has a head with a side above
 * `most`, or a PNG begins with anything but its head.
 */
export const hidesSides = (bytes: Buffer, type: PictureType, most: number): boolean => {
  if (type === 'jpg') return listJpegSides(bytes).some((side) => side > most);
  return type === 'png' && bytes.toString('latin1', 12, 16) !== 'IHDR';
};

/** Returns true if a drawing on white shows nothing. @param pixels red, green, blue and alpha of each */
export const isBlank = (pixels: Uint8ClampedArray): boolean => pixels.every((value) => value > 250);

/** Returns the place of a picture in a square: whole, as large as possible, in the middle. */
export const fitInSquare = (width: number, height: number, side: number) => {
  const scale = side / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  return { x: (side - w) / 2, y: (side - h) / 2, width: w, height: h };
};
