import type { Socket } from 'node:net';

/** How long a caller has to close its side once ours is closed. Node waits for ever. */
const LINGER_MS = 1000;

/**
 * Gives a connection up a second after its end was sent, whoever sent it. Its place is free then, though the caller keeps its side open.
 * Node stops listening for faults of a connection that it hands over, such as that of CONNECT: a fault without a listener ends the process.
 */
export const lingerBriefly = (socket: Socket): void => {
  socket.on('error', () => {});
  socket.once('finish', () => {
    const end = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(end));
  });
};
