import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadTo } from './download.ts';

const TEXT = 'number,name\n'.repeat(20_000);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let server: Server;
let folder: string;
let answer: RequestListener;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'download-'));
  server = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const port = () => (server.address() as AddressInfo).port;
const path = () => join(folder, 'file');
const download = (
  over: {
    maxBytes?: number;
    timeoutMs?: number;
    headers?: Record<string, string>;
    ownHeaders?: Record<string, string>;
  } = {},
) =>
  downloadTo(path(), `http://127.0.0.1:${port()}/list`, {
    headers: {},
    rules: { ports: [80, port()], allowLoopback: true },
    maxBytes: 1_000_000,
    timeoutMs: 5000,
    ...over,
  });

test('writes what comes, with its size and SHA-256', async () => {
  answer = (_req, res) => void res.setHeader('etag', '"1"').end(TEXT);
  const { status, header, bytes, sha256: sum } = await download();
  expect([status, header('etag'), bytes, sum]).toEqual([200, '"1"', TEXT.length, sha256(TEXT)]);
  expect(readFileSync(path(), 'utf8')).toBe(TEXT);
});

test.each([
  ['gzip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
])('unpacks %s', async (coding, body) => {
  answer = (_req, res) => void res.writeHead(200, { 'content-encoding': coding }).end(body);
  expect((await download()).sha256).toBe(sha256(TEXT));
  expect(readFileSync(path(), 'utf8')).toBe(TEXT);
});

test('writes nothing for an answer without a new file', async () => {
  answer = (req, res) => void res.writeHead(req.headers['if-none-match'] === '"1"' ? 304 : 500).end();
  expect((await download({ headers: { 'if-none-match': '"1"' } })).status).toBe(304);
  expect(existsSync(path())).toBe(false);
});

test.each<[string, RequestListener, RegExp]>([
  [
    'that is cut off before its length',
    (_req, res) => {
      res.writeHead(200, { 'content-length': TEXT.length }).write(TEXT.slice(0, 100));
      setImmediate(() => res.destroy());
    },
    /^(cannot be read \(|ends after)/,
  ],
  [
    'of unknown length that is cut off',
    (_req, res) => {
      res.writeHead(200).write(TEXT.slice(0, 100));
      setImmediate(() => res.destroy());
    },
    /^(cannot be read \(|breaks off)/,
  ],
  [
    'whose gzip is cut off',
    (_req, res) => {
      const whole = gzipSync(TEXT);
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(whole.subarray(0, whole.length - 20));
    },
    /^is not the gzip it says it is, or not all of it$/,
  ],
  [
    'that says it is gzip and is not',
    (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(TEXT),
    /^is not the gzip it says it is/,
  ],
  [
    'in an encoding that was not asked for',
    (_req, res) => void res.writeHead(200, { 'content-encoding': 'zstd' }).end(TEXT),
    /^comes in an encoding/,
  ],
  ['that is too large', (_req, res) => void res.end('x'.repeat(1_000_001)), /^is larger than 1000000 bytes$/],
  [
    'that is too large once unpacked',
    (_req, res) => void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_001))),
    /^is larger than 1000000 bytes$/,
  ],
  [
    'that leads to an address that is not public',
    (_req, res) => void res.writeHead(302, { location: 'http://10.0.0.1/list' }).end(),
    /10\.0\.0\.1.*not public/,
  ],
])('refuses an answer %s', async (_, listener, message) => {
  answer = listener;
  await expect(download()).rejects.toThrow(message);
});

test('sends what only the publisher may see to no other host', async () => {
  const seen: unknown[] = [];
  answer = (req, res) => {
    seen.push(req.headers['x-key']);
    if (req.headers.host?.startsWith('127.0.0.1'))
      res.writeHead(302, { location: `http://localhost:${port()}/list` }).end();
    else res.end(TEXT);
  };
  await download({ ownHeaders: { 'x-key': 'secret' } });
  expect(seen).toEqual(['secret', undefined]);
});

test('refuses an answer that comes too slowly', async () => {
  answer = (_req, res) => void res.writeHead(200).write('number');
  await expect(download({ timeoutMs: 200 })).rejects.toThrow('takes longer than 0.2 s');
});
