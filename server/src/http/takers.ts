import type { Socket } from 'node:net';

/** How long a caller may take nothing of an answer, and how often that is looked at. Node waits for ever. Milliseconds. */
const TAKEN_WITHIN = 30_000;
const LOOK_EVERY = 1000;

/** An answer, or a part of it, that waits for its caller. */
interface Waiting {
  readonly taken: number;
  readonly since: number;
}

/** What is waiting on a connection now; since when, if nothing was taken in between. */
const waitingOn = (socket: Socket, before: Waiting | undefined, now: number): Waiting | undefined => {
  if (socket.writableLength === 0) return undefined;
  const taken = socket.bytesWritten - socket.writableLength;
  return before?.taken === taken ? before : { taken, since: now };
};

/** Ends connections on which an answer is not taken, whatever the caller goes on sending. Returns what to tell of a new one. */
export const watchTakers = (): ((socket: Socket) => void) => {
  const open = new Map<Socket, Waiting | undefined>();
  setInterval(() => {
    const now = performance.now();
    for (const [socket, before] of open) {
      const waiting = waitingOn(socket, before, now);
      if (waiting && now - waiting.since >= TAKEN_WITHIN) socket.destroy();
      else open.set(socket, waiting);
    }
  }, LOOK_EVERY).unref();
  return (socket) => {
    open.set(socket, undefined);
    socket.once('close', () => open.delete(socket));
  };
};
