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

/** Returns the place of a picture in a square: whole, as large as possible, in the middle. */
export const fitInSquare = (width: number, height: number, side: number) => {
  const scale = side / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  return { x: (side - w) / 2, y: (side - h) / 2, width: w, height: h };
};
