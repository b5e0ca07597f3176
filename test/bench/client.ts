import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createClient } from '@broker-transparency/client';
import { endProcess } from './processes.ts';
import { computeSpread } from './spread.ts';

/**
 * Compares the cost of a call by the built client with a bare `fetch` that parses JSON, and with one that can be
 * aborted. It does the same with a page of a list. The calls run one after another against a server on this machine.
 * `node bench/client.ts [ROUNDS]`
 */
const rounds = Number(process.argv[2] ?? 400);
/** Few enough that a disturbance of the machine affects the rounds of all alike. */
const CALLS = 25;

const server = spawn(process.execPath, [fileURLToPath(new URL('./peers/canned.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(server.stdout, 'data');
const baseUrl = String(line).trim().split(/\s+/).at(-1) as string;

const client = createClient({ baseUrl, store: false });
const keeping = createClient({ baseUrl });

const headers = { accept: 'application/json, application/problem+json', 'x-client-version': 'bench/0.0.0' };

/** The minimum for a client that sends its version, follows no redirect and has a timeout. */
const fetchInTime = async (): Promise<unknown> => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 10_000);
  try {
    const { signal } = controller;
    const response = await fetch(`${baseUrl}/brokers/alpha-markets`, { headers, redirect: 'manual', signal });
    return await response.json();
  } finally {
    clearTimeout(timer);
  }
};

const WAYS: Readonly<Record<string, () => Promise<unknown>>> = {
  'fetch, JSON parsed': async () => (await fetch(`${baseUrl}/brokers/alpha-markets`)).json(),
  'fetch with headers, signal, timer': fetchInTime,
  client: () => client.brokers.get('alpha-markets'),
  'client, unchanged answer (304)': () => keeping.brokers.get('alpha-markets'),
  'fetch of a page, JSON parsed': async () => (await fetch(`${baseUrl}/brokers`)).json(),
  'client, a page of a list': async () => await client.brokers.list(),
};

/** Microseconds of processor time per call in a round: user and system, all threads. */
const measureCost = async (call: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
};

const costs = new Map(Object.keys(WAYS).map((name) => [name, [] as number[]]));
for (let round = -rounds / 4; round < rounds; round++)
  for (const [name, call] of Object.entries(WAYS)) {
    const cost = await measureCost(call);
    if (round >= 0) costs.get(name)?.push(cost);
  }
await endProcess(server, 'SIGTERM');

// Other work on the machine can only add to a round, so the lower quartile is closest to the actual cost.
const quartiles = [...costs].map(([name, list]) => ({ name, cost: computeSpread(list).low }));
let bare = Number.NaN;
for (const { name, cost } of quartiles) {
  if (name.endsWith('JSON parsed')) bare = cost;
  console.log(`${name.padEnd(34)} ${cost.toFixed(0)} µs  ${(cost / bare).toFixed(2)}`);
}
process.exit(); // the connections of fetch stay open for a while
