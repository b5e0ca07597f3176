import { type FileHandle, open, readFile, rename } from 'node:fs/promises';

/** Lines are read by whoever ships or keeps the trail: its owner's group may, too. */
const MODE = 0o640;

/** Writes, and returns once it is on disk. */
const writeDurably = async (
  path: string,
  flags: 'a+' | 'w',
  write: (file: FileHandle) => Promise<void>,
): Promise<void> => {
  const file = await open(path, flags, MODE);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Whether the file ends in the middle of a line, such as where the disk was full. */
const isTorn = async (file: FileHandle): Promise<boolean> => {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
};

/** Adds lines. The file is opened anew each time, so that it may be renamed between: rotation needs no signal. */
export const appendLines = (path: string, lines: readonly string[]): Promise<void> =>
  writeDurably(path, 'a+', async (file) => {
    const text = lines.map((line) => `${line}\n`).join('');
    await file.writeFile((await isTorn(file)) ? `\n${text}` : text);
  });

/** How far the file follows the database. */
export interface Position {
  /** Where the change stream goes on. */
  readonly token: unknown;
  /** Everything that was committed before is in the file. */
  readonly at: string;
}

const positionFile = (path: string): string => `${path}.position`;

/** Undefined where nothing was ever followed. @throws Error where the file is there and says nothing */
export const readPosition = async (path: string): Promise<Position | undefined> => {
  const text = await readFile(positionFile(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const { token, at } = JSON.parse(text) as Position;
    if (token && !Number.isNaN(Date.parse(at))) return { token, at };
  } catch {} // said below
  throw new Error(`${positionFile(path)} cannot be read: remove it, and the whole trail is written again`);
};

export const savePosition = async (path: string, position: Position): Promise<void> => {
  const temporary = `${positionFile(path)}.${process.pid}`;
  await writeDurably(temporary, 'w', (file) => file.writeFile(`${JSON.stringify(position)}\n`));
  await rename(temporary, positionFile(path));
};
