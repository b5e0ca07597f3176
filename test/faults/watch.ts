/** Watches the memory, files, timers and listeners that a process holds. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { readResidentMb } from '../bench/processes.ts';

export interface ResourceUsage {
  /** After garbage was collected, in MB. */
  readonly heap: number;
  readonly resident: number;
  /** Open files and sockets. */
  readonly files: number;
  /** Number of things that keep its event loop alive: timers, sockets, requests. */
  readonly resources: number;
}

interface Reply {
  readonly id: number;
  readonly result: { readonly usedSize?: number; readonly result?: { readonly value?: unknown } };
}

/** Settings that open a process for being watched. */
export const WATCHABLE = { NODE_OPTIONS: '--inspect=127.0.0.1:0' } as const;

const MB = 2 ** 20;

const findAddress = (output: string): string => {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1];
  if (address === undefined) throw new Error('the process was not started to be watched');
  return address;
};

/** Watches a process that was started with `WATCHABLE`, by its inspector. */
export const watch = async ({ pid, output }: { readonly pid: number; readonly output: () => string }) => {
  const socket = new WebSocket(findAddress(output()));
  await once(socket, 'open');
  let last = 0;
  const call = async (method: string, params: object = {}): Promise<Reply['result']> => {
    const id = ++last;
    socket.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const [event] = (await once(socket, 'message')) as [{ readonly data: string }];
      const reply: Reply = JSON.parse(event.data);
      if (reply.id === id) return reply.result;
    }
  };
  return {
    held: async (): Promise<ResourceUsage> => {
      await call('HeapProfiler.collectGarbage');
      const { usedSize = Number.NaN } = await call('Runtime.getHeapUsage');
      const expression = 'process.getActiveResourcesInfo().length';
      const { result } = await call('Runtime.evaluate', { expression });
      return {
        heap: usedSize / MB,
        resident: await readResidentMb(pid),
        files: (await readdir(`/proc/${pid}/fd`)).length,
        resources: Number(result?.value),
      };
    },
    close: (): void => socket.close(),
  };
};
