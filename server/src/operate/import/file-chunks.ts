import { createReadStream } from 'node:fs';

/** Reads a file in chunks, and passes each to `onChunk`, for example to compute a digest. */
export const fileChunks = async function* (file: string, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    onChunk(chunk);
    yield chunk;
  }
};
