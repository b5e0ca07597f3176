import type { Socket } from 'node:net';

/** Time in milliseconds for the caller to close its side after ours is closed. Node waits for ever. */
const LINGER_MS = 1000;

/**
 * Closes a connection a second after our end was sent, even if the caller keeps its side open, to free its place. Node
 * does not listen for errors of a connection that it hands over, for example for CONNECT: an error without a listener
 * would end the process.
 */
export const lingerBriefly = (socket: Socket): void => {
  socket.on('error', () => {});
  socket.once('finish', () => {
    const end = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(end));
  });
};
