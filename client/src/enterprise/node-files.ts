/** The names are composed at run time, so that bundlers for browsers do not look for the modules. */
const importNode = (name: string) => import(/* webpackIgnore: true */ /* @vite-ignore */ ['node', name].join(':'));

type Files = typeof import('node:fs/promises');
export type FileHandle = import('node:fs/promises').FileHandle;

/** Loads the parts of Node that a store in files needs. */
export const loadNodeFiles = async () => {
  const fs = (await importNode('fs/promises')) as Files;
  const crypto = (await importNode('crypto')) as typeof import('node:crypto');
  /** Syncs a folder, so that a renamed file keeps its name after a power failure. */
  const syncFolder = async (folder: string): Promise<void> => {
    const handle = await fs.open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  };
  return {
    fs,
    /** A SHA-256 that grows. */
    newHash: () => crypto.createHash('sha256'),
    syncFolder,
  };
};
export type NodeFiles = Awaited<ReturnType<typeof loadNodeFiles>>;

/** A line of a file, without its end, and where it is. */
export interface FileLine {
  readonly bytes: Uint8Array;
  readonly at: number;
}

const NEWLINE = 10;

/** Yields the complete lines of a file. */
export async function* readFileLines(handle: FileHandle): AsyncGenerator<FileLine, void, undefined> {
  let rest: Uint8Array = new Uint8Array();
  let at = 0;
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(2 ** 18), 0, 2 ** 18, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes = new Uint8Array(rest.length + bytesRead);
    bytes.set(rest);
    bytes.set(buffer.subarray(0, bytesRead), rest.length);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield { bytes: bytes.subarray(from, end), at: at + from };
      from = end + 1;
    }
    rest = bytes.subarray(from);
    at += from;
  }
}

/** Writes all bytes at a place of a file. */
export const writeAt = async (handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
};

/** Reads bytes at a place of a file. */
export const readAt = async (handle: FileHandle, at: number, length: number): Promise<string> => {
  const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, at);
  return new TextDecoder().decode(buffer.subarray(0, bytesRead));
};
