/**
 * Ready answers of the API with all their headers, or 304 if the caller sends `If-None-Match`: a broker, and a page of
 * twenty. They are those of the client's test server.
 */
import { createServer } from 'node:http';
import { createTestServer } from '@broker-transparency/client/testing';
import { announce } from './peer.ts';

const slugs = Array.from({ length: 20 }, (_, at) => `alpha-markets${at || ''}`);
const api = createTestServer({ fixtures: { brokers: slugs.map((slug) => ({ slug })) } });

const keepAnswer = async (path: string) => {
  const answer = await api.fetch(`${api.baseUrl}${path}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const headers = Object.fromEntries(answer.headers);
  const { 'content-type': _, 'content-length': __, ...unchanged } = headers;
  return { body, headers, unchanged };
};
const [broker, page] = [await keepAnswer('/brokers/alpha-markets'), await keepAnswer('/brokers')];

const server = createServer((req, res) => {
  const { body, headers, unchanged } = req.url?.endsWith('/brokers') ? page : broker;
  if (req.headers['if-none-match'] === undefined) res.writeHead(200, headers).end(body);
  else res.writeHead(304, unchanged).end();
});
server.listen(0, '127.0.0.1', () => announce(server));
