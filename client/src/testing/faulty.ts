import { DroppedError, type Fault } from './faults.ts';
import { type Reply, toBytes } from './reply.ts';
import type { World } from './world.ts';

const withBody = (reply: Reply, body: string | Uint8Array<ArrayBuffer>): Reply => {
  const { ETag: _, ...headers } = reply.headers as Readonly<Record<string, string>>;
  return { ...reply, headers: { ...headers, 'Content-Length': String(toBytes(body).length) }, body };
};

const cut = (reply: Reply): Reply => withBody(reply, reply.body?.slice(0, Math.floor(reply.body.length / 2)) ?? '');

/**
 * Changes the first field of the answer, or of its first item, to a value that no field of the contract has. Leaves a
 * file unchanged.
 */
const drift = (reply: Reply): Reply => {
  if (!/json/.test(reply.headers['Content-Type'] ?? '')) return reply;
  const body = JSON.parse(String(reply.body));
  const list: unknown = body.data;
  const target = Array.isArray(list) ? (list[0] ?? body) : body;
  const [field = 'data'] = Object.keys(target);
  target[field] = { drifted: true };
  return reply.status < 300 ? withBody(reply, JSON.stringify(body)) : reply;
};

const PIECES = 10;

const trickle = (reply: Reply, { delayMs }: Fault, { pauses }: World, signal: AbortSignal | undefined): Reply => {
  const bytes = toBytes(reply.body ?? '');
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) {
      await pauses.wait(delayMs, signal);
      if (signal?.aborted) throw new DroppedError(); // the reader has gone
      yield bytes.slice(at, at + size);
    }
  };
  return { ...reply, pieces };
};

/** Returns the answer as the fault damages it on its way. */
export const spoiled = (
  reply: Reply,
  fault: Fault | undefined,
  world: World,
  signal: AbortSignal | undefined,
): Reply => {
  switch (fault?.kind) {
    case 'cut':
      return cut(reply);
    case 'drift':
      return drift(reply);
    case 'trickle':
      return trickle(reply, fault, world, signal);
    default:
      return reply;
  }
};

/** The answer of a proxy in place of the service. */
export const proxyPage = ({ status, retryAfter }: Fault): Reply => ({
  status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    ...(status === 429 || status === 503 ? { 'Retry-After': String(retryAfter) } : {}),
  },
  body: `<!doctype html><title>${status}</title><h1>A proxy answered ${status}</h1>`,
});
