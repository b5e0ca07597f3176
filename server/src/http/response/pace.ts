import type { Readable } from 'node:stream';

/** How far streams may be ahead of their pace before one rests, in milliseconds. */
const AHEAD_MS = 20;

/**
 * Keeps streams to so many bytes per second, all together: bulk downloads leave processor and network to others. While
 * they are ahead, no stream reads on from its source. To pause it would not do: whoever it is piped to resumes it.
 */
export const createPace = (bytesPerSecond: number) => {
  let until = 0;
  return (stream: Readable): void => {
    const read = stream._read.bind(stream);
    stream._read = (size) => {
      const ahead = until - performance.now();
      if (ahead > AHEAD_MS) setTimeout(() => stream.destroyed || read(size), ahead);
      else read(size);
    };
    stream.on('data', (chunk: Buffer) => {
      until = Math.max(until, performance.now()) + (chunk.length * 1000) / bytesPerSecond;
    });
  };
};
