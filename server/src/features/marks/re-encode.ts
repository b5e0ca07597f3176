import { imageSize } from 'image-size';
import { DomainError } from '../../platform/domain-error.ts';
import { fitInSquare, hidesSides, isBlank, isCutOff, PICTURE_TYPES, type PictureType } from './picture-file.rule.ts';
import { lacksPixels } from './png-pixels.ts';
import { BOUNDS, MARK_SIDE } from './policy.rule.ts';

const refuse = (fault: string): never => {
  throw new DomainError('invalid_input', fault);
};

const NOT_READ = 'The file is not a PNG, JPEG or WebP picture. Save the mark as one of these.';
const CUT_OFF = 'The file is cut off or damaged. Save or copy it again.';

const isPictureType = (type: string | undefined): type is PictureType =>
  (PICTURE_TYPES as readonly (string | undefined)[]).includes(type);

/** Reads the sides of a picture before anything decodes it. @throws DomainError invalid_input */
const readSides = (bytes: Buffer) => {
  try {
    return imageSize(bytes);
  } catch {
    return refuse(bytes.subarray(0, 2).equals(Buffer.from('ffd8', 'hex')) ? CUT_OFF : NOT_READ);
  }
};

/**
 * Draws an uploaded picture anew: a small PNG on white, which has nothing of the file but its pixels.
 * @throws DomainError invalid_input with the fault and its cure
 */
export const reencodeMark = async (bytes: Buffer): Promise<Buffer> => {
  if (bytes.length > BOUNDS.bytes) refuse(`The file has more than ${BOUNDS.bytes / 1024} KiB. Save it smaller.`);
  const { type, width, height } = readSides(bytes);
  if (!isPictureType(type)) return refuse(NOT_READ);
  if (isCutOff(bytes, type)) refuse(CUT_OFF);
  if (Math.min(width, height) < BOUNDS.leastSide || Math.max(width, height) > BOUNDS.mostSide)
    refuse(
      `The picture has ${width} × ${height} pixels. Each side must have ${BOUNDS.leastSide} to ${BOUNDS.mostSide}: save it in another size.`,
    );
  if (hidesSides(bytes, type, BOUNDS.mostSide) || (type === 'png' && lacksPixels(bytes))) refuse(CUT_OFF);
  const { createCanvas, loadImage } = await import('@napi-rs/canvas'); // 90 ms and 15 MB
  const picture = await loadImage(bytes).catch(() => refuse(CUT_OFF));
  const canvas = createCanvas(MARK_SIDE, MARK_SIDE);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, MARK_SIDE, MARK_SIDE);
  const at = fitInSquare(picture.width, picture.height, MARK_SIDE);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, at.x, at.y, at.width, at.height);
  if (isBlank(context.getImageData(0, 0, MARK_SIDE, MARK_SIDE).data))
    refuse('Nothing of the picture can be seen on white. Save the mark in darker colors.');
  return canvas.encode('png');
};
