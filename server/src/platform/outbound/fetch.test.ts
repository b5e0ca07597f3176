import type dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { expect, test, vi } from 'vitest';
import { checkedLookup, fetchDocument } from './fetch.ts';

const rules = { ports: [80, 443], allowLoopback: false };

/** Acts as a name server that gives another answer to each question. */
const changing = (...answers: string[][]) =>
  vi.fn((_host: string, _options: object, callback: (error: null, found: dns.LookupAddress[]) => void) => {
    const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });

const look = (resolve: unknown, all: boolean) =>
  new Promise((done) => {
    checkedLookup(rules, resolve as typeof dns.lookup)('feeds.example', { all }, (error, address, family) =>
      done(error ? error.message : [address, family]),
    );
  });

test('gives the connection exactly the public addresses that were checked', async () => {
  expect(await look(changing(['8.8.8.8']), false)).toEqual(['8.8.8.8', 4]);
  expect(await look(changing(['8.8.8.8', '2001:4860:4860::8888']), true)).toEqual([
    [
      { address: '8.8.8.8', family: 4 },
      { address: '2001:4860:4860::8888', family: 6 },
    ],
    undefined,
  ]);
});

test.each([true, false])('refuses a host with one private address among public ones (all: %s)', async (all) => {
  expect(await look(changing(['8.8.8.8', '10.0.0.1']), all)).toContain('10.0.0.1: not public');
});

test('resolves a name once per connection, so that a name cannot change between check and use', async () => {
  let asked = 0;
  const server = createServer((_req, res) => {
    asked++;
    res.end('here');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resolve = changing(['127.0.0.1'], ['10.255.255.1']);
  const lookup = checkedLookup({ ports: [port], allowLoopback: true }, resolve as unknown as typeof dns.lookup);
  const dispatcher = new Agent({ connect: { lookup } });
  try {
    const { body } = await request(`http://rebinding.example:${port}/`, { dispatcher });
    expect(await body.text()).toBe('here');
    expect(asked).toBe(1);
    expect(resolve).toHaveBeenCalledTimes(1);
  } finally {
    await dispatcher.destroy();
    server.close();
  }
});

test('refuses a name of this machine without opening a connection', async () => {
  let connections = 0;
  const server = createServer(() => {})
    .on('connection', () => connections++)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await expect(
      fetchDocument(`http://localhost:${port}/`, {
        headers: {},
        rules: { ports: [port], allowLoopback: false },
        maxBytes: 1000,
        timeoutMs: 5000,
      }),
    ).rejects.toThrow(/^leads to localhost, which is (127\.0\.0\.1|::1): not public$/);
    expect(connections).toBe(0);
  } finally {
    server.close();
  }
});
