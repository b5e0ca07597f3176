import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fetchKeys, parseKeySet } from './jwks.ts';

const KEY = { kty: 'EC', crv: 'P-256', kid: 'one', x: 'x', y: 'y', use: 'sig', alg: 'ES256' };
const SET = JSON.stringify({ keys: [KEY] });

/** Fetches keys from a local server with this handler. */
const ask = async (answer: RequestListener, host = '127.0.0.1', networks: readonly string[] = []) => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await fetchKeys({ jwksUrl: `http://${host}:${port}/jwks`, networks });
  } finally {
    server.closeAllConnections();
    server.close();
  }
};

describe('the keys of a provider', () => {
  test('reads the keys from JSON, compressed or not', async () => {
    expect(await ask((_req, res) => res.end(SET))).toEqual({ keys: [KEY] });
    const packed = gzipSync(SET);
    const zip: RequestListener = (_req, res) => res.setHeader('Content-Encoding', 'gzip').end(packed);
    expect(await ask(zip)).toEqual({ keys: [KEY] });
  });

  test('refuses keys above a size, both as sent and decompressed', async () => {
    const large = JSON.stringify({ keys: [KEY], padding: 'x'.repeat(200_000) });
    await expect(ask((_req, res) => res.end(large))).rejects.toThrow(/is larger than \d+ bytes/);
    const bomb = gzipSync(large);
    const zip: RequestListener = (_req, res) => res.setHeader('Content-Encoding', 'gzip').end(bomb);
    await expect(ask(zip)).rejects.toThrow(/is larger than \d+ bytes/);
  });

  test('fetching the keys times out after 1.5 s, even if the server sends slowly', async () => {
    const drip: RequestListener = (_req, res) => {
      const timer = setInterval(() => res.write(' '), 100);
      res.on('close', () => clearInterval(timer));
    };
    await expect(ask(drip)).rejects.toThrow(/takes longer than 1\.5 s/);
  });

  test('follows no redirect to the keys', async () => {
    const elsewhere: RequestListener = (req, res) =>
      req.url === '/jwks' ? res.writeHead(302, { Location: '/elsewhere' }).end() : res.end(SET);
    await expect(ask(elsewhere)).rejects.toThrow(/redirects/);
  });

  test.each([
    [404, SET],
    [204, ''],
    [200, '<html>'],
    [200, '[]'],
    [200, '{"keys":{}}'],
    [200, 'null'],
  ])('reads no keys from the answer %d %j, and the error names the address', async (status, body) => {
    await expect(ask((_req, res) => res.writeHead(status).end(body))).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:\d+\/jwks /,
    );
  });

  test('fetches no keys from an address that is not public, unless its network is allowed', async () => {
    const here: RequestListener = (_req, res) => res.end(SET);
    // a form of 127.0.0.1 that hides it, as an internal name does
    await expect(ask(here, '[::ffff:127.0.0.1]', ['10.0.0.0/8'])).rejects.toThrow(/not public.*JWT_JWKS_NETWORKS/);
    expect(await ask(here, '[::ffff:127.0.0.1]', ['127.0.0.0/8'])).toEqual({ keys: [KEY] });
  });
});

describe('a key set', () => {
  const usable = (...keys: unknown[]) => parseKeySet(Buffer.from(JSON.stringify({ keys }))).keys.map(({ kid }) => kid);

  test('keeps signature keys with a known algorithm, and ignores other entries', () => {
    expect(usable(KEY, { kty: 'RSA', kid: 'two' }, { kty: 'OKP', kid: 'three', alg: 'EdDSA' })).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  test.each([
    ['a shared secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a private key', { ...KEY, d: 'd' }],
    ['a key for encryption', { ...KEY, use: 'enc' }],
    ['an algorithm for encryption', { kty: 'RSA', alg: 'RSA-OAEP' }],
    ['a shared algorithm', { ...KEY, alg: 'HS256' }],
    ['an unknown type', { kty: 'AKP' }],
    ['no key at all', null],
    ['a list', []],
  ])('leaves out %s', (_, key) => {
    expect(usable(key, KEY)).toEqual(['one']);
  });

  test('refuses a key set with more than a hundred keys', () => {
    expect(usable(...Array(100).fill(KEY))).toHaveLength(100);
    expect(() => usable(...Array(101).fill(KEY))).toThrow('more than 100 keys');
  });
});
