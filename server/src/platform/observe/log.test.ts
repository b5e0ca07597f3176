import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createLog } from './log.ts';

const captureLines = (fields: object, write: (log: ReturnType<typeof createLog>) => void) => {
  const written: string[] = [];
  write(createLog('info', fields, { write: (text) => written.push(text) }));
  return written.map((text) => text.replace(/"time":"[^"]+"/, '"time":"…"'));
};

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

test.each([
  ['plain', {}, '/api/v1/brokers', {}],
  ['of a worker', { worker: 2 }, '/api/v1/brokers', {}],
  ['of a trace', {}, '/api/v1/brokers', TRACE],
  ['with characters that JSON escapes', { worker: 2 }, '/"\\\n\u0000\ud800é', TRACE],
])('writes the line of a request exactly as pino would: %s', (_, fields, path, trace) => {
  const request = { requestId: 'abcdefgh', method: 'GET', path, status: 200, ms: 0.1 };
  const mine = captureLines(fields, (log) => log.request({ ...request, trace }));
  expect(mine).toEqual(captureLines(fields, (log) => log.info({ ...request, ...trace }, 'request')));
  expect(JSON.parse(mine[0] as string)).toMatchObject({ ...request, ...fields, ...trace, msg: 'request' });
});

describe('a process that ends at once after its last line', () => {
  const LINES = 2000;
  /** Writes request lines over several turns of the event loop, and every tenth line through pino. */
  const script = `
    const { createLog, standardOutput, flushLog } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)});
    const [name, use] = process.argv.slice(1);
    const log = createLog('info', { name }, standardOutput(use));
    const turn = (n) => {
      for (const end = n + 50; n < end; n++)
        if (n % 10 === 0) log.info({ path: '/' + n });
        else log.request({ requestId: 'abcdefgh', method: 'GET', path: '/' + n, status: 200, ms: 0.1, trace: {} });
      if (n < ${LINES}) setImmediate(turn, n);
      else flushLog(log).then(() => process.exit());
    };
    turn(0);`;
  const run = async (use: 'alone' | 'shared', names: readonly string[]): Promise<{ name: string; path: string }[]> => {
    const node = `"${process.execPath}" --input-type=module -e "$SCRIPT"`;
    // a slow reader: the pipe is full most of the time
    const command = `{ ${names.map((name) => `${node} ${name} ${use} &`).join(' ')} wait; } | dd bs=64 status=none`;
    const env = { ...process.env, SCRIPT: script };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const listPaths = (lines: readonly { path: string }[]) => lines.map(({ path }) => path);
  const paths = Array.from({ length: LINES }, (_, n) => `/${n}`);

  test('a process that ends at once has written all its lines in order', async () => {
    expect(listPaths(await run('alone', ['one']))).toEqual(paths);
  });

  test('three processes that share one pipe have written whole lines when they end', async () => {
    const names = ['one', 'two', 'three'];
    const lines = await run('shared', names);
    for (const name of names) expect(listPaths(lines.filter((line) => line.name === name))).toEqual(paths);
  });
});
