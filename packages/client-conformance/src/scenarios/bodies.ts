import { brotliCompressSync, gzipSync } from 'node:zlib';
import { answers, answersOrFails, endsWithin, fails, must, readsAtMost, should } from '../checks.ts';
import {
  BROKER,
  buildAnswer,
  buildHead,
  GET,
  JSON_TYPE,
  NAME,
  type Scenario,
  sendBroker,
  sendJson,
  TIMEOUT_MS,
} from './scenario.ts';

const TEXT = JSON.stringify(BROKER);
const HALF = TEXT.slice(0, TEXT.length / 2);
const MIB = 2 ** 20;

/** Bodies that are cut, foreign, damaged, compressed or larger than anybody wants. */
export const BODIES: readonly Scenario[] = [
  {
    name: 'body-truncated',
    server: 'The server announces a length, sends half of it and closes.',
    why: 'Half of a broker must not pass as a broker.',
    task: GET,
    answer: ({ socket }) => {
      socket.end(`${buildHead(200, { ...JSON_TYPE, 'Content-Length': String(TEXT.length) })}${HALF}`);
      return undefined;
    },
    checks: [must(fails()), should(fails('network', 'unexpected'))],
  },
  {
    name: 'chunks-truncated',
    server: 'The server sends chunks that are a whole body, and closes without the last, empty one.',
    why: 'Without the last chunk nobody knows whether more was to come.',
    task: GET,
    answer: ({ socket }) => {
      const chunk = `${Buffer.byteLength(TEXT).toString(16)}\r\n${TEXT}\r\n`;
      socket.end(`${buildHead(200, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })}${chunk}`);
      return undefined;
    },
    checks: [must(fails()), should(fails('network', 'unexpected'))],
  },
  {
    name: 'json-cut',
    server: 'The length is right, but the JSON ends in the middle.',
    why: 'A cache or proxy that kept half an answer gives it out as a whole one.',
    task: GET,
    answer: () => buildAnswer(200, JSON_TYPE, HALF),
    checks: [must(fails()), should(fails('unexpected'))],
  },
  {
    name: 'html-200',
    server: 'The server answers 200 with a page of HTML.',
    why: 'Portals of hotels and airports answer so to everything.',
    task: GET,
    answer: () => buildAnswer(200, { 'Content-Type': 'text/html' }, '<!doctype html><title>Log in</title>'),
    checks: [must(fails()), should(fails('unexpected'))],
  },
  {
    name: 'type-wrong',
    server: 'The body is right, and its media type is `text/plain`.',
    why: 'Who reads JSON out of any type reads it out of foreign servers, too.',
    task: GET,
    answer: () => buildAnswer(200, { 'Content-Type': 'text/plain' }, TEXT),
    checks: [must(answersOrFails(NAME)), should(fails('unexpected'))],
  },
  {
    name: 'body-empty',
    server: 'The server answers 200 without a body.',
    why: 'An absent broker must not pass as a value.',
    task: GET,
    answer: () => buildAnswer(200, JSON_TYPE),
    checks: [must(fails()), should(fails('unexpected'))],
  },
  {
    name: 'no-content',
    server: 'The server answers 204.',
    why: 'No call of this API is answered by nothing.',
    task: GET,
    answer: () => Buffer.from(buildHead(204, {})),
    checks: [must(fails()), should(fails('unexpected'))],
  },
  {
    name: 'json-other',
    server: 'The body is `[]`, which is JSON and no broker.',
    why: 'A program that reads fields of it fails far from the cause.',
    task: GET,
    answer: () => buildAnswer(200, JSON_TYPE, '[]'),
    checks: [must(fails()), should(fails('unexpected'))],
  },
  {
    name: 'byte-order-mark',
    server: 'The body begins with a byte order mark.',
    why: 'RFC 8259 lets a reader ignore it or refuse it, but not stumble.',
    task: GET,
    answer: () => buildAnswer(200, JSON_TYPE, `\uFEFF${TEXT}`),
    checks: [must(answersOrFails(NAME))],
  },
  {
    name: 'utf8-invalid',
    server: 'The name of the broker contains a byte that is no UTF-8.',
    why: 'A name with a replacement character is another name, and nobody notices.',
    task: GET,
    answer: () => {
      const bytes = Buffer.from(TEXT);
      bytes[bytes.indexOf(NAME)] = 0xff;
      return buildAnswer(200, JSON_TYPE, bytes);
    },
    checks: [should(fails('unexpected'))],
  },
  {
    name: 'proto-in-body',
    server: 'The body has members named `__proto__` and `constructor`.',
    why: 'In some languages such names change other objects.',
    task: GET,
    answer: () =>
      buildAnswer(
        200,
        JSON_TYPE,
        `{"__proto__":{"name":"Mallory","isAdmin":true},"constructor":{"prototype":{"name":"Mallory"}},${TEXT.slice(1)}`,
      ),
    checks: [must(answers(NAME))],
  },
  {
    name: 'fields-unknown',
    server: 'The broker has fields and values of enumerations that did not exist when the client was made.',
    why: 'They come within v1: a client that refuses them stops on the day of a release.',
    task: GET,
    answer: () => sendJson(200, { ...BROKER, color: 'violet', status: 'dormant', novelty: { of: ['2030'] } }),
    checks: [must(answers(NAME))],
  },
  {
    name: 'gzip',
    server: 'The server compresses by gzip or Brotli if the client accepts one of them.',
    why: 'A client must read what it says it can.',
    task: GET,
    answer: ({ request }) => {
      const accepted = request.headers['accept-encoding']?.join() ?? '';
      if (/\bbr\b/.test(accepted))
        return buildAnswer(200, { ...JSON_TYPE, 'Content-Encoding': 'br' }, brotliCompressSync(TEXT));
      if (accepted.includes('gzip'))
        return buildAnswer(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(TEXT));
      return sendBroker();
    },
    checks: [must(answers(NAME))],
  },
  {
    name: 'gzip-damaged',
    server: 'The compressed body is cut, under a length that fits.',
    why: 'What could be unpacked of it must not pass as the whole.',
    task: GET,
    answer: () =>
      buildAnswer(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(TEXT).subarray(0, -TEXT.length / 20)),
    checks: [must(fails())],
  },
  {
    name: 'body-100-mb',
    server: 'The body is JSON of 100 MiB.',
    why: 'One broken server must not take the memory of its callers.',
    task: GET,
    answer: async ({ socket }) => {
      const [before, after] = [TEXT.slice(0, -1), '}'];
      const filler = `,"filler":"${'x'.repeat(100 * MIB)}"`;
      const length = Buffer.byteLength(before) + filler.length + after.length;
      socket.write(`${buildHead(200, { ...JSON_TYPE, 'Content-Length': String(length) })}${before}`);
      for (let at = 0; at < filler.length && !socket.destroyed; at += MIB)
        if (!socket.write(filler.slice(at, at + MIB)))
          await new Promise<void>((resolve) => {
            const go = (): void => {
              socket.off('drain', go).off('close', go);
              resolve();
            };
            socket.once('drain', go).once('close', go);
          });
      socket.write(after);
      return undefined;
    },
    checks: [must(answersOrFails(NAME)), should(endsWithin(TIMEOUT_MS + 2_000)), should(readsAtMost(80 * MIB))],
  },
];
