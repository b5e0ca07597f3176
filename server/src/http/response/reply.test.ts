import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { send } from './reply.ts';

const source = new URL('../../', import.meta.url);

/** Code that uses a response in any way beside handing it on. */
const TOUCHES = [
  /\bres\b\s*(\?\.|\.|\[)/,
  /\{[^{}]*\}: (Server)?Response\b/,
  /(?<!\bres\??): (Server)?Response\b/,
  /\.(writeHead|setHeaders?|appendHeader|removeHeader|flushHeaders|headersSent|writableEnded|sendStatus|vary)\b/,
];

/** The prober and the witness of a demo have servers of their own. */
const OTHERS = /^(prober\/|operate\/demo\/witness\.ts$)/;

test('this module alone touches a response: every other hands it on', async () => {
  const names = (await readdir(source, { recursive: true })).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && !OTHERS.test(name),
  );
  const touching: string[] = [];
  for (const name of names) {
    const text = (await readFile(new URL(name, source), 'utf8')).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    const isHttp = /from '(node:http|express)'/.test(text);
    if (TOUCHES.some((pattern) => (isHttp || pattern === TOUCHES[0]) && pattern.test(text))) touching.push(name);
  }
  expect(touching).toEqual(['http/response/reply.ts']);
});

test('writes only the first answer to a request', () => {
  const req = { context: { method: 'GET', headers: { 'X-Request-Id': 'id' } } } as unknown as IncomingMessage;
  const writeHead = vi.fn(() => Object.assign(res, { headersSent: true }));
  const res = { req, headersSent: false, writeHead, end: vi.fn() } as unknown as ServerResponse;
  send(res, { status: 503, body: 'late' });
  send(res, { status: 200, body: 'too late' });
  expect(writeHead).toHaveBeenCalledExactlyOnceWith(503, { 'X-Request-Id': 'id', 'Content-Length': '4' });
});
