/**
 * Measures the first start of the demo: `node test/bench/demo.ts [rounds]` after `pnpm build`. Prints the processor
 * time of the server and of its mongod until the service has announced itself, and half a minute later, when it has
 * done everything that the start left to do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEmbedded } from '../support/database.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { readCpuTicks, TICKS_PER_SECOND } from './processes.ts';

const REST_MS = 30_000;
const seconds = (ticks: number): string => (ticks / TICKS_PER_SECOND).toFixed(1);

for (let round = Number(process.argv[2] ?? 1); round > 0; round--) {
  const begin = performance.now();
  const service = await startProcess({ ...EMBEDDED, JOBS: undefined }, ['--demo']);
  try {
    const wall = (performance.now() - begin) / 1000;
    const { mongodPid } = await readEmbedded(service);
    const spent = async (): Promise<string> => {
      const [server, mongod] = [await readCpuTicks([service.pid]), await readCpuTicks([mongodPid])];
      return `${seconds(server + mongod)} s (server ${seconds(server)}, mongod ${seconds(mongod)})`;
    };
    const announced = await spent();
    await sleep(REST_MS);
    console.log(`announced after ${wall.toFixed(1)} s and ${announced}; at rest ${await spent()}`);
  } finally {
    await service.remove();
  }
}
