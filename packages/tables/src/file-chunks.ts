import { createReadStream } from 'node:fs';

/** Reads a file in chunks, and passes each to `onChunk`, for example to compute a digest. */
export const readChunks = async function* (file: string, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    onChunk(chunk);
    yield chunk;
  }
};

/** Yields the start of a file, which is already read, and then the rest. */
export const prependHead = async function* (head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let part = await rest.next(); !part.done; part = await rest.next()) yield part.value;
  } finally {
    await rest.return?.();
  }
};
