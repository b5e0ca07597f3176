/** Callers that open connections, stay silent, keep their side open, and return after they are cut off. */
import { connect, type Socket } from 'node:net';
import { send } from '../support/http.ts';
import type { Service } from '../support/process.ts';

export interface Siege {
  /** Number of silent connections to hold. They use as few addresses as possible, each in its own /24 network. */
  readonly callers: number;
  readonly seconds: number;
}

export interface SiegeResult {
  /** Connections that the silent callers opened in total. */
  readonly opened: number;
  /** Answers to fresh callers by status, one caller every 50 ms on its own connection; 0 means no answer. */
  readonly answers: Readonly<Record<number, number>>;
  readonly worstMs: number;
}

const PER_ADDRESS = 256;
const EVERY_MS = 50;
/** The time that a caller keeps its side open after the service closes. The service waits less than that. */
const KEEPS_OPEN_MS = 2000;
const BACK_MS = 100;

/** Holds this number of connections. Call the returned function to stop; it returns how many were opened. */
const besiege = (port: number, callers: number): (() => number) => {
  const open = new Set<Socket>();
  let isOver = false;
  let opened = 0;
  const hold = (n: number): void => {
    if (isOver) return;
    opened++;
    const localAddress = `127.9.${1 + Math.floor(n / PER_ADDRESS)}.1`;
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    open.add(socket);
    socket.on('error', () => {});
    socket.once('end', () => setTimeout(() => socket.destroy(), KEEPS_OPEN_MS).unref());
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(hold, BACK_MS, n).unref();
    });
    socket.resume();
  };
  for (let n = 0; n < callers; n++) hold(n);
  return () => {
    isOver = true;
    for (const socket of open) socket.destroy();
    return opened;
  };
};

/** Sends requests of fresh callers while silent ones hold as many connections as they can. */
export const measureSiege = async ({ origin }: Service, { callers, seconds }: Siege): Promise<SiegeResult> => {
  const end = besiege(Number(new URL(origin).port), callers);
  const answers: Record<number, number> = {};
  let worstMs = 0;
  const ask = async (n: number): Promise<void> => {
    const start = performance.now();
    const asked = { from: `127.8.${n % 250}.1`, headers: { Connection: 'close' } };
    const { status } = await send(`${origin}/api/v1/news`, asked).catch(() => ({ status: 0 }));
    answers[status] = (answers[status] ?? 0) + 1;
    worstMs = Math.max(worstMs, Math.round(performance.now() - start));
  };
  const asking: Promise<void>[] = [];
  for (const over = performance.now() + seconds * 1000; performance.now() < over; ) {
    asking.push(ask(asking.length));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
  await Promise.all(asking);
  return { opened: end(), answers, worstMs };
};
