import { expect, test } from 'vitest';
import { createLog } from './log.ts';

const lineOf = (fields: object, write: (log: ReturnType<typeof createLog>) => void) => {
  const written: string[] = [];
  write(createLog('info', fields, { write: (text) => written.push(text) }));
  return written.map((text) => text.replace(/"time":"[^"]+"/, '"time":"…"'));
};

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

test.each([
  ['plain', {}, '/api/v1/brokers', {}],
  ['of a worker', { worker: 2 }, '/api/v1/brokers', {}],
  ['of a trace', {}, '/api/v1/brokers', TRACE],
  ['with all that JSON escapes', { worker: 2 }, '/"\\\n\u0000\ud800é', TRACE],
])('the line of a request is what pino makes of it: %s', (_, fields, path, trace) => {
  const request = { requestId: 'abcdefgh', method: 'GET', path, status: 200, ms: 0.1 };
  const mine = lineOf(fields, (log) => log.request({ ...request, trace }));
  expect(mine).toEqual(lineOf(fields, (log) => log.info({ ...request, ...trace }, 'request')));
  expect(JSON.parse(mine[0] as string)).toMatchObject({ ...request, ...fields, ...trace, msg: 'request' });
});
