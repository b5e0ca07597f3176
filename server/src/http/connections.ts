import type { Socket } from 'node:net';

/** Connections beyond the bound, so that health can be asked for, and how long each may take. */
const RESERVE = { connections: 64, forMs: 1000 } as const;

/** Counts open connections. One beyond `bound` gets one answer: a refusal, or how the service is. */
export const createConnections = (bound: number) => {
  const beyond = new Set<Socket>();
  let open = 0;
  return {
    open: (): number => open,
    opened: (socket: Socket): void => {
      open++;
      socket.once('close', () => open--);
      if (open <= bound) return;
      if (open > bound + RESERVE.connections) {
        socket.destroy();
        return;
      }
      beyond.add(socket);
      const end = setTimeout(() => socket.destroy(), RESERVE.forMs);
      socket.once('close', () => {
        clearTimeout(end);
        beyond.delete(socket);
      });
    },
    isBeyond: (socket: Socket): boolean => beyond.size > 0 && beyond.has(socket),
  };
};
