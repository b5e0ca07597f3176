import { ACCENT, MARK, MARK_SIZE } from './mark.ts';

/** A filled rectangle, in pixels. */
interface Rectangle {
  readonly kind: 'rectangle';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
  readonly color: string;
}

/** An SVG path, filled by the even-odd rule. */
interface Path {
  readonly kind: 'path';
  readonly path: string;
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly color: string;
}

/** Words on a few lines. Lines that have no room end with an ellipsis. */
export interface TextShape {
  readonly kind: 'words';
  readonly text: string;
  /** Replaces a text with a letter that no font has. Its letters are those of ASCII. */
  readonly otherwise?: string;
  readonly x: number;
  /** Baseline of the last line, with the other lines above it, or of the first line if the text grows downward. */
  readonly y: number;
  readonly growsDown?: boolean;
  /** Most pixels of a line. */
  readonly width: number;
  /** Most lines. */
  readonly lines: number;
  /** Height of the letters in pixels. */
  readonly size: number;
  readonly isBold: boolean;
  readonly color: string;
}

export type Shape = Rectangle | Path | TextShape;

/** A picture that the service draws as PNG, from the first shape at the back to the last one in front. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** Size of pictures that other services show beside a shared link. */
export const SHARED = { width: 1200, height: 630 } as const;

/** Returns the icon of the service as a picture without transparency, for systems that need one. */
export const iconPicture = (side: number): Picture => ({
  width: side,
  height: side,
  shapes: [
    { kind: 'rectangle', x: 0, y: 0, width: side, height: side, color: ACCENT },
    {
      kind: 'path',
      path: MARK,
      x: side * 0.15,
      y: side * 0.15,
      scale: (side * 0.7) / MARK_SIZE,
      color: '#ffffff',
    },
  ],
});
