import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Transform } from 'node:stream';
import { constants, createGunzip, createGzip, createZstdCompress } from 'node:zlib';

const NEWLINE = 10;

/** Reads the lines of a gzip file. */
export async function* readLines(path: string): AsyncIterable<string> {
  const gunzip = createGunzip();
  pipeline(createReadStream(path), gunzip, () => {}); // an error ends the walk below
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of gunzip) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
  }
}

export type Compression = 'gzip' | 'zstd';

/** Fixed levels: the same lines give the same bytes. */
const COMPRESS: Readonly<Record<Compression, () => Transform>> = {
  gzip: () => createGzip({ level: 6 }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
};

/** The byte of a gzip header that names the operating system, and its value for `unknown`. */
const [SYSTEM_AT, UNKNOWN_SYSTEM] = [9, 255];

/** A file that was written. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes the output of a compressor. */
const writeOutput = async (compressor: Transform, path: string, compression: Compression): Promise<WrittenFile> => {
  const file = await open(path, 'w', 0o600);
  const sha256 = createHash('sha256');
  let bytes = 0;
  try {
    for await (const part of compressor) {
      const chunk = part as Buffer;
      if (bytes === 0 && compression === 'gzip') chunk[SYSTEM_AT] = UNKNOWN_SYSTEM;
      sha256.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: sha256.digest('hex') };
};

/** Opens a compressed file for writing. */
const openOutput = (path: string, compression: Compression) => {
  const compressor = COMPRESS[compression]();
  const written = writeOutput(compressor, path, compression);
  written.catch(() => compressor.destroy()); // the next write fails
  return {
    write: async (block: Buffer): Promise<void> => {
      const taken = Promise.withResolvers<void>();
      compressor.write(block, (error) => (error ? taken.reject(error) : taken.resolve()));
      await Promise.race([taken.promise, written]);
    },
    end: async (): Promise<WrittenFile> => {
      compressor.end();
      return written;
    },
    abort: async (): Promise<void> => {
      if (!compressor.destroyed) {
        compressor.destroy();
        await once(compressor, 'close');
      }
      await written.catch(() => {});
    },
  };
};

/** Size of the blocks given to compressors, so that the same lines give the same bytes, however they arrive. */
const BLOCK = 65_536;

/** Writes lines to several files, each with its compression. Needs memory for one block. */
export const createLineWriter = (outputs: readonly { readonly path: string; readonly compression: Compression }[]) => {
  const files = outputs.map(({ path, compression }) => openOutput(path, compression));
  const block = Buffer.allocUnsafe(BLOCK);
  let used = 0;
  const flush = async (): Promise<void> => {
    const full = block.subarray(0, used);
    used = 0;
    await Promise.all(files.map((file) => file.write(full)));
  };
  const writeAcrossBlocks = async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.copy(block, used, at);
      [used, at] = [used + taken, at + taken];
      if (used === BLOCK) await flush();
    }
  };
  return {
    /** Returns a promise only if the next line has to wait for it. */
    write: (text: string): Promise<void> | undefined => {
      const bytes = Buffer.from(text);
      if (used + bytes.length >= BLOCK) return writeAcrossBlocks(bytes);
      used += bytes.copy(block, used);
      return undefined;
    },
    /** Ends the files. Returns what was written, in the order of the outputs. */
    end: async (): Promise<WrittenFile[]> => {
      if (used > 0) await flush();
      return Promise.all(files.map((file) => file.end()));
    },
    abort: async (): Promise<void> => {
      await Promise.all(files.map((file) => file.abort()));
    },
  };
};
export type LineWriter = ReturnType<typeof createLineWriter>;
