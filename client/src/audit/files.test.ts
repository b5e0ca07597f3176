import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Answerer, serve } from '../../scripts/test-server.ts';
import { createFileSource } from '../transfer.ts';
import { readFile } from './files.ts';

const cut: Answerer = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('te', () => response.destroy());
};
const busy =
  (status: number, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    response.writeHead(status, headers).end();
const dropped: Answerer = (response) => response.destroy();
const file: Answerer = (response) => response.end('text');

/** Reads a file from a server that gives these answers. Returns what came, and how long was waited before each try. */
const read = async (...answers: Answerer[]) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { server, baseUrl } = await serve((...asked) => answers.shift()?.(...asked));
  const waits: number[] = [];
  const source = createFileSource('audit', new URL('/a', baseUrl).href, {
    hooks: {
      retry: ({ delayMs }) => {
        waits.push(delayMs);
        queueMicrotask(() => vi.advanceTimersByTime(delayMs)); // the wait begins after this hook
      },
    },
  });
  const bytes = await readFile(source, '/checkpoint').catch((error: Error) => error);
  server.close();
  const found = bytes instanceof Error ? bytes : new TextDecoder().decode(bytes);
  return { waits, found, address: new URL('/a/checkpoint', baseUrl).href };
};

describe('a file of the log', () => {
  test('reads a file once if it comes', async () => {
    expect(await read(file)).toMatchObject({ found: 'text', waits: [] });
  });

  test('asks for a file again after the time that the server wants', async () => {
    expect(await read(busy(429, { 'Retry-After': '17' }), file)).toMatchObject({ found: 'text', waits: [17_000] });
  });

  test('counts a date in Retry-After from the Date of the answer', async () => {
    const headers = { Date: 'Mon, 02 Nov 2026 09:30:00 GMT', 'Retry-After': 'Mon, 02 Nov 2026 09:30:05 GMT' };
    expect(await read(busy(503, headers), file)).toMatchObject({ found: 'text', waits: [5_000] });
  });

  test('asks for a file again, later each time, if the server is busy, drops the connection or cuts its answer', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    expect(await read(busy(503), dropped, cut, file)).toMatchObject({ found: 'text', waits: [500, 1000, 2000] });
  });

  test('ends a file at once if the server wants a longer wait than its time', async () => {
    const { found, waits } = await read(busy(503, { 'Retry-After': '86400' }));
    expect(found).toMatchObject({ name: 'DownloadError', status: 503, isAnswered: false });
    expect(waits).toEqual([]);
  });

  test('gives up at once on a file that does not exist', async () => {
    const { found, waits, address } = await read(busy(404));
    expect(found).toMatchObject({
      message: `${address} answers 404: the address of a log ends with its name, as in https://brokers.example/transparency/v1/log/a`,
      isAnswered: true,
    });
    expect(waits).toEqual([]);
  });

  test.each([
    ['answers 429: its budget is exceeded, try again later', busy(429)],
    ['got no complete answer: other side closed', dropped],
    ['got no complete answer: other side closed', cut],
  ])('gives up on a file after six tries of which each %s', async (message, answer) => {
    const { found, waits } = await read(...Array<Answerer>(6).fill(answer));
    expect(found).toMatchObject({ message: expect.stringContaining(message), isAnswered: false });
    expect(found).toHaveProperty('cause.request.url');
    expect(waits).toHaveLength(5);
  });
});
