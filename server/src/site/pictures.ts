import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type BundledFont,
  chooseFonts,
  type Picture,
  type Shape,
  type TextShape,
  wrapWords,
} from '@broker-transparency/portal';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { type ResponseCache, toCachedAnswer } from '../http/cache/response-cache.ts';
import { lazy } from '../platform/lazy.ts';

/** Draws a picture as PNG. */
export type DrawPicture = (picture: Picture) => Promise<Buffer>;

/** Space between the baselines of two lines, as a multiple of the height of letters. */
const LINE_SPACE = 1.2;

/** The library that draws. It is loaded with the first picture: it takes 90 ms and 15 MB. */
const loadCanvas = lazy(() => import('@napi-rs/canvas'));
type Canvas = Awaited<ReturnType<typeof loadCanvas>>;

/** Gives the library the fonts of a text that it does not have yet, and returns their names in order. */
const useFonts = ({ GlobalFonts }: Canvas, folder: URL, fonts: readonly BundledFont[]): string => {
  for (const { file } of fonts)
    if (!GlobalFonts.has(file)) GlobalFonts.register(readFileSync(new URL(file, folder)), file);
  return fonts.map(({ file }) => `"${file}"`).join(',');
};

/** Creates the function that draws shapes with the fonts of a folder. */
const createPainter = (canvas: Canvas, folder: URL, index: readonly BundledFont[]) => {
  const drawWords = (context: SKRSContext2D, shape: TextShape): void => {
    const fonts = index.filter(({ isBold }) => isBold === shape.isBold);
    const ellipsis = chooseFonts('…', fonts) ?? [];
    const found = chooseFonts(shape.text, fonts);
    const text = found ? shape.text : (shape.otherwise ?? '');
    const used = new Set([...ellipsis, ...(found ?? chooseFonts(text, fonts) ?? [])]);
    context.font = `${shape.size}px ${useFonts(
      canvas,
      folder,
      index.filter((font) => used.has(font)),
    )}`;
    const lines = wrapWords(text, (line) => context.measureText(line).width <= shape.width, shape.lines);
    const first = shape.growsDown ? 0 : 1 - lines.length;
    for (const [at, line] of lines.entries())
      context.fillText(line, shape.x, shape.y + (first + at) * shape.size * LINE_SPACE);
  };
  return (context: SKRSContext2D, shape: Shape): void => {
    context.fillStyle = shape.color;
    if (shape.kind === 'words') drawWords(context, shape);
    else if (shape.kind === 'rectangle') context.fillRect(shape.x, shape.y, shape.width, shape.height);
    else {
      context.setTransform(shape.scale, 0, 0, shape.scale, shape.x, shape.y);
      context.fill(new canvas.Path2D(shape.path), 'evenodd');
      context.resetTransform();
    }
  };
};

/**
 * Creates the function that draws pictures. The drawing takes a few milliseconds; a thread of the pool compresses it.
 * @param folder the fonts with their index: `pnpm generate` makes it
 */
export const createDrawing = (folder: URL): DrawPicture => {
  const readIndex = lazy((): BundledFont[] => JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')));
  return async ({ width, height, shapes }) => {
    const library = await loadCanvas();
    const canvas = library.createCanvas(width, height);
    const context = canvas.getContext('2d');
    const paint = createPainter(library, folder, readIndex());
    for (const shape of shapes) paint(context, shape);
    return canvas.encode('png');
  };
};

/** Keeps drawn pictures among the prepared answers, each as long as there is room: another picture has another key. */
export const createPictures = (cache: ResponseCache, draw: DrawPicture): DrawPicture => {
  const made = { route: 'picture', limit: 'pages', headers: {} } as const;
  return async (picture) => {
    const key = `picture ${hash('sha256', JSON.stringify(picture), 'base64url')}`;
    const build = async () => toCachedAnswer({ ...made, builtAt: Date.now(), body: await draw(picture) });
    return (await cache.obtain(key, [], build)).plain;
  };
};
