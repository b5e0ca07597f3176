/**
 * Takes webhooks as cheaply as it can, and prints its port. For each line on its standard input it prints what came
 * since the last one: a JSON object with the number of events and percentiles of their ages in milliseconds. What is
 * sent to
 * `/hangs` is never answered.
 */
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
let ages: number[] = [];

/** Takes one request, which has come as a whole: one follows the other on each connection. */
const take = (request: string, socket: Socket): void => {
  if (request.startsWith('POST /hangs')) return;
  const time = /"timestamp":"([^"]+)"/.exec(request)?.[1] ?? '';
  ages.push(Date.now() - Date.parse(time));
  socket.write(ANSWER);
};

const server = createServer((socket) => {
  let waiting = '';
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('data', (chunk: string) => {
    waiting += chunk;
    if (!waiting.endsWith('}}')) return;
    take(waiting, socket);
    waiting = '';
  });
}).listen(0, '0.0.0.0', 4096, () => console.log((server.address() as { port: number }).port));

const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;

createInterface({ input: process.stdin }).on('line', () => {
  const sorted = ages.toSorted((a, b) => a - b);
  ages = [];
  const [p50, p99, most] = [percentile(sorted, 0.5), percentile(sorted, 0.99), percentile(sorted, 1)];
  console.log(JSON.stringify({ events: sorted.length, p50, p99, most }));
});
