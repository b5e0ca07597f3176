import { closeSync, openSync } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, fromFd, type ZipFile } from 'yauzl';
import { UnreadableFileError } from './unreadable-file.ts';

interface ZipMember {
  /** Ending of its name. */
  readonly member: string;
  /** Maximum number of unpacked bytes. */
  readonly maxBytes: number;
}

const openZip = (fd: number): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromFd(fd, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) =>
      zip ? resolve(zip) : reject(error),
    );
  });

/** Finds the only member whose name has this ending. Names are only compared, never used as paths. */
const findMember = (zip: ZipFile, { member }: ZipMember): Promise<Entry> =>
  new Promise((resolve, reject) => {
    const names: string[] = [];
    let found: Entry | undefined;
    zip.on('entry', (entry: Entry) => {
      names.push(entry.fileName);
      if (entry.fileName.toLowerCase().endsWith(member.toLowerCase())) {
        if (found)
          reject(
            new UnreadableFileError(`has "${found.fileName}" and "${entry.fileName}": one *${member} is expected`),
          );
        found ??= entry;
      }
      if (names.length > 1000) reject(new UnreadableFileError('has more than 1000 members'));
      else zip.readEntry();
    });
    zip.once('error', reject);
    zip.once('end', () =>
      found
        ? resolve(found)
        : reject(new UnreadableFileError(`has no member *${member} (but ${names.slice(0, 5).join(', ') || 'none'})`)),
    );
    zip.readEntry();
  });

const openMember = (zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream> =>
  new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)));
  });

/** Passes on up to `maxBytes` bytes. */
const createSizeLimit = (what: string, maxBytes: number): Transform => {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done(bytes > maxBytes ? new UnreadableFileError(`${what} unpacks to more than ${maxBytes} bytes`) : null, chunk);
    },
  });
};

/** Reads a stream through a transform; an error of either ends it. */
const pipeThrough = async function* (from: NodeJS.ReadableStream, to: Transform): AsyncGenerator<Buffer> {
  from.on('error', (error) => to.destroy(error));
  from.pipe(to);
  try {
    yield* to as AsyncIterable<Buffer>;
  } finally {
    (from as Readable).destroy();
  }
};

export const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b;

/** Unpacks GZIP, in constant memory and up to a limit. @throws UnreadableFileError */
export const unpackGzip = async function* (chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  const source = Readable.from(chunks);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  try {
    yield* pipeThrough(source.pipe(gunzip), createSizeLimit('The file', maxBytes));
  } catch (error) {
    throw toZipError(error, 'GZIP');
  } finally {
    source.destroy();
  }
};

const toZipError = (error: unknown, what: string): Error =>
  error instanceof UnreadableFileError
    ? error
    : new UnreadableFileError(`is no whole ${what} file: ${(error as Error).message}`);

/** Returns whether a file is a ZIP by its first bytes. */
export const isZip = (head: Buffer): boolean => head.subarray(0, 4).toString('latin1') === 'PK\x03\x04';

/** Reads one member of a ZIP, in constant memory and up to its limit. @throws UnreadableFileError */
export const readZipMember = async function* (file: string, wanted: ZipMember): AsyncGenerator<Buffer> {
  const fd = openSync(file, 'r');
  try {
    const zip = await openZip(fd);
    const entry = await findMember(zip, wanted);
    if (entry.uncompressedSize > wanted.maxBytes)
      throw new UnreadableFileError(`${entry.fileName} unpacks to more than ${wanted.maxBytes} bytes`);
    yield* pipeThrough(await openMember(zip, entry), createSizeLimit(entry.fileName, wanted.maxBytes));
  } catch (error) {
    throw toZipError(error, 'ZIP');
  } finally {
    closeSync(fd);
  }
};
