import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_VALIDATORS } from '../../../features/registers/policy.rule.ts';
import type { SourceFetch } from '../../sources/source.rule.ts';
import { fetchList } from './fetch.ts';

let server: Server;
let folder: string;
let answer: RequestListener;
let asked: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  asked = [];
  server = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    asked.push(`${req.method} ${req.url} ${body}`.trim());
    answer(req, res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'file');
const fetch = (over: Partial<SourceFetch>) => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/list?q=1`;
  return fetchList({
    fetch: { url, method: 'GET', headers: {}, everyHours: 24, maxBytes: 1000, pauseMs: 0, ...over },
    rules: { ports: [port], allowLoopback: true },
    validators: NO_VALIDATORS,
    path: path(),
    timeoutMs: 5000,
  });
};

/** Answers one page after another. */
const pages = (...all: object[]): string[] => {
  const texts = all.map((page) => JSON.stringify(page));
  let next = 0;
  answer = (_req, res) => void res.end(texts[next++]);
  return texts;
};
const CURSOR = { type: 'cursor', parameter: 'cursorMark', first: '*', next: 'next' } as const;

test('keeps the pages of a cursor one after another in one file', async () => {
  const texts = pages({ rows: [1], next: 'AB==' }, { rows: [2], next: 'CD==' }, { rows: [], next: 'CD==' });
  const whole = texts.map((text) => `${text}\n`).join('');
  expect(await fetch({ paging: CURSOR })).toMatchObject({
    bytes: whole.length,
    sha256: createHash('sha256').update(whole).digest('hex'),
    validators: NO_VALIDATORS,
  });
  expect(readFileSync(path(), 'utf8')).toBe(whole);
  expect(asked).toEqual(['*', 'AB%3D%3D', 'CD%3D%3D'].map((mark) => `GET /list?q=1&cursorMark=${mark}`));
});

test('asks for pages by number, in what is posted too', async () => {
  pages({ total: 3 }, { total: 3 });
  const paging = { type: 'page', parameter: 'page', first: 0, size: 2, total: 'total' } as const;
  await fetch({ paging, method: 'POST', body: '{"q":1}' });
  expect(asked).toEqual([0, 1].map((page) => `POST /list?q=1 {"q":1,"page":${page}}`));
});

test.each<[string, RequestListener, string]>([
  ['that is no JSON', (_req, res) => void res.end('<html>'), 'has a page that is no JSON'],
  ['that does not say how it goes on', (_req, res) => void res.end('{"rows":[]}'), 'has no next'],
  ['that is an error', (_req, res) => void res.writeHead(500).end('{}'), 'answers 500'],
  ['that is too large', (_req, res) => void res.end(`"${'x'.repeat(1000)}"`), 'is larger than 1000 bytes'],
])('refuses a page %s', async (_, listener, message) => {
  answer = listener;
  await expect(fetch({ paging: CURSOR })).rejects.toThrow(message);
});

test('posts a form as the mapping has it, and follows no redirect with it', async () => {
  answer = (_req, res) => void res.end('a,b');
  await fetch({ method: 'POST', body: 'ds=1&Order=1' });
  expect(asked).toEqual(['POST /list?q=1 ds=1&Order=1']);
  answer = (_req, res) => void res.writeHead(302, { location: '/other' }).end();
  await expect(fetch({ method: 'POST', body: '' })).rejects.toThrow('redirects are not followed');
});
