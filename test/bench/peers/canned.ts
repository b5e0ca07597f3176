/**
 * One ready answer of the API with all its headers, or 304 if the caller sends `If-None-Match`. Its broker is the one
 * of the client's test server.
 */
import { createServer } from 'node:http';
import { createTestServer } from '@broker-transparency/client/testing';
import { announce } from './peer.ts';

const api = createTestServer({ fixtures: { brokers: [{ slug: 'alpha-markets' }] } });
const answer = await api.fetch(`${api.baseUrl}/brokers/alpha-markets`);
const body = Buffer.from(await answer.arrayBuffer());
const headers = Object.fromEntries(answer.headers);
const { 'content-type': _, 'content-length': __, ...unchanged } = headers;

const server = createServer((req, res) => {
  if (req.headers['if-none-match'] === undefined) res.writeHead(200, headers).end(body);
  else res.writeHead(304, unchanged).end();
});
server.listen(0, '127.0.0.1', () => announce(server));
