import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Share } from './connection-shares.ts';
import { createConnections } from './connections.ts';
import { CALLER, SITE } from './networks.ts';

const MOST = 10;
let connections: ReturnType<typeof createConnections>;

const create = (shares: readonly Share[] = [], isProxy = (_address: string) => false): void => {
  connections?.stop();
  connections = createConnections({ maxConnections: MOST, shares, isProxy });
};
beforeEach(() => {
  vi.useFakeTimers();
  create();
});
afterEach(() => {
  connections.stop();
  vi.useRealTimers();
});

/** A caller's connection, as far as it is looked at. */
const connectFrom = (remoteAddress: string): Socket => {
  const socket = Object.assign(new PassThrough(), { remoteAddress, bytesWritten: 0 }) as unknown as Socket;
  connections.opened(socket);
  return socket;
};
const connectMany = (count: number, address = '192.0.2.1'): Socket[] =>
  Array.from({ length: count }, () => connectFrom(address));
/** A request that is being answered. */
const ask = (socket: Socket): ServerResponse => {
  const answer = { writableFinished: false, destroyed: false } as ServerResponse;
  connections.asked(socket, answer);
  return answer;
};
const isClosed = ({ destroyed }: Socket): boolean => destroyed;
/** Waits for the events that a destroyed stream emits later. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('a full house', () => {
  test('makes room for a new connection by closing the one that has been silent for longest', () => {
    const sockets = connectMany(MOST);
    ask(sockets[0] as Socket);
    const [first, second] = [connectFrom('198.51.100.1'), connectFrom('198.51.100.2')];
    expect(sockets.map(isClosed)).toEqual([false, true, true, ...Array(MOST - 3).fill(false)]);
    expect([first, second].map((socket) => [socket.destroyed, connections.isBeyond(socket)])).toEqual([
      [false, false],
      [false, false],
    ]);
    expect([connections.open(), connections.closed()]).toEqual([MOST, { share: 0, room: 2, full: 0 }]);
  });

  test('closes one of the caller who holds most, not the only one of another who is about to ask', () => {
    create([{ prefix: CALLER, connections: MOST }]);
    const patient = connectFrom('198.51.100.1');
    const sockets = connectMany(MOST - 1);
    connectFrom('198.51.100.2');
    expect([patient, ...sockets].map(isClosed)).toEqual([false, true, ...Array(MOST - 2).fill(false)]);
  });

  test('a full house closes the answered connection whose last request is longest ago', () => {
    const sockets = connectMany(MOST);
    const answers = sockets.map(ask);
    const end = (n: number): void => {
      Object.assign(answers[n] as object, { writableFinished: true });
      vi.advanceTimersByTime(1000);
    };
    for (const n of [5, 3, 0]) end(n);
    for (const expected of [5, 3, 0]) {
      connectFrom('198.51.100.1');
      expect(sockets.map(isClosed).lastIndexOf(true)).toBeGreaterThanOrEqual(expected);
      expect(sockets[expected]?.destroyed).toBe(true);
    }
    expect(sockets.filter(isClosed)).toHaveLength(3);
  });

  test('a full house with no silent connection gives newcomers one more answer, and far beyond it none', async () => {
    const sockets = connectMany(MOST);
    for (const socket of sockets) ask(socket);
    const more = connectMany(70);
    expect(more.filter(isClosed)).toHaveLength(70 - 64);
    expect(more.slice(0, 64).every(connections.isBeyond)).toBe(true);
    expect(sockets.some(connections.isBeyond)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([more.every(isClosed), sockets.some(isClosed)]).toEqual([true, false]);
    await settle();
    expect([connections.open(), connections.closed()]).toEqual([MOST, { share: 0, room: 0, full: 6 }]);
  });

  test('closes a caller who takes nothing of an answer for five seconds; with room left one has thirty', () => {
    const [slow, ...others] = connectMany(MOST - 1) as [Socket, ...Socket[]];
    for (const socket of [slow, ...others]) ask(socket);
    for (const socket of [slow, others[0] as Socket]) Object.assign(socket, { bytesWritten: 1000 });
    for (const socket of [slow, others[0] as Socket]) Object.defineProperty(socket, 'writableLength', { value: 500 });
    vi.advanceTimersByTime(4000);
    Object.assign(others[0] as Socket, { bytesWritten: 1001 }); // it takes something
    vi.advanceTimersByTime(3000);
    ask(connectFrom('198.51.100.1'));
    expect(slow.destroyed).toBe(false);
    connectFrom('198.51.100.2');
    expect([slow, ...others].map(isClosed)).toEqual([true, ...Array(MOST - 2).fill(false)]);
    vi.advanceTimersByTime(30_000);
    expect(others.map(isClosed)).toEqual([true, ...Array(MOST - 3).fill(false)]);
  });
});

describe('a share', () => {
  const shares = [
    { prefix: CALLER, connections: 2 },
    { prefix: SITE, connections: 3 },
  ];

  test('a caller and a site have a limited share of connections, and get new ones once some have closed', async () => {
    create(shares);
    const [first, , third] = connectMany(3, '192.0.2.1') as [Socket, Socket, Socket];
    expect([first.destroyed, third.destroyed]).toEqual([false, true]);
    expect([connectFrom('192.0.2.2'), connectFrom('192.0.2.3'), connectFrom('192.0.3.1')].map(isClosed)).toEqual([
      false,
      true,
      false,
    ]);
    expect(connectMany(3, '2001:db8::1').map(isClosed)).toEqual([false, false, true]);
    expect(connections.closed().share).toBe(3);
    first.destroy();
    await settle();
    expect(connectMany(2, '192.0.2.9').map(isClosed)).toEqual([false, true]);
  });

  test('a proxy has no share: its connections are those of all its callers', () => {
    create(shares, (address) => address === '192.0.2.1');
    expect(connectMany(MOST, '192.0.2.1').some(isClosed)).toBe(false);
  });
});
