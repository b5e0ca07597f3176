/** The lower bound: `node:http` with a ready answer. */
import { createServer } from 'node:http';
import { announce, onAnswer } from './peer.ts';

let body = Buffer.alloc(0);
let headers: Record<string, string | number> = {};

const server = createServer((req, res) => {
  if (req.headers['if-none-match'] === undefined) res.writeHead(200, headers).end(body);
  else res.writeHead(304).end();
});

onAnswer((answer) => {
  body = answer.body;
  headers = { 'Content-Type': answer.contentType, 'Content-Length': body.length };
});
server.listen(0, '127.0.0.1', () => announce(server));
