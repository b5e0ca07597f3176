import { createReadStream } from 'node:fs';

/** Reads a file in parts, and shows each to `onChunk`, such as for a digest. */
export const fileChunks = async function* (file: string, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    onChunk(chunk);
    yield chunk;
  }
};
