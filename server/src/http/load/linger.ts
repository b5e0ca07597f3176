import type { Socket } from 'node:net';

/** How long a caller has to close its side after ours is closed. Node waits for ever. */
const LINGER_MS = 1000;

/**
 * Closes a connection a second after our end was sent, even where the caller keeps its side open, so that its place is
 * free. Node does not listen for errors of a connection that it hands over, such as for CONNECT: an error without a
 * listener would end the process.
 */
export const lingerBriefly = (socket: Socket): void => {
  socket.on('error', () => {});
  socket.once('finish', () => {
    const end = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(end));
  });
};
