import { type FileHandle, open, readFile } from 'node:fs/promises';
import { replaceFile } from '../../platform/replace-file.ts';

/** The group may read, for log shippers and archives. */
const MODE = 0o640;

/** Returns whether the file ends in the middle of a line, for example because the disk was full. */
const isTorn = async (file: FileHandle): Promise<boolean> => {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
};

/** Appends lines. Opens the file each time, so that log rotation can rename it without a signal. */
export const appendLines = async (path: string, lines: readonly string[]): Promise<void> => {
  const file = await open(path, 'a+', MODE);
  try {
    const text = lines.map((line) => `${line}\n`).join('');
    await file.writeFile((await isTorn(file)) ? `\n${text}` : text);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Position in the database up to which the file is complete. */
export interface TrailPosition {
  /** Resume token of the change stream. */
  readonly token: unknown;
  /** ISO time; everything committed before it is in the file. */
  readonly at: string;
}

const positionFile = (path: string): string => `${path}.position`;

/** Returns the saved position; undefined before the first one. @throws Error if the file exists but cannot be used */
export const readPosition = async (path: string): Promise<TrailPosition | undefined> => {
  const text = await readFile(positionFile(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { token, at } = JSON.parse(text) as TrailPosition;
    if (token && !Number.isNaN(Date.parse(at))) return { token, at };
  } catch {} // falls through to the error below
  throw new Error(`${positionFile(path)} cannot be read: remove it, and the whole trail is written again`);
};

export const savePosition = async (path: string, position: TrailPosition): Promise<void> => {
  await replaceFile(positionFile(path), `${JSON.stringify(position)}\n`, MODE);
};
