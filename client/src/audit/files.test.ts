import { describe, expect, test } from 'vitest';
import { readFile } from './files.ts';

type Answer = () => Response | Promise<Response>;

const cut = (): Response =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.error(new Error('the connection was cut')),
    }),
  );
const busy =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response('', { status, headers });
const unreachable: Answer = () => Promise.reject(new Error('no route'));

/** Reads a file from a server that gives these answers. Returns what came, and how long was waited before each try. */
const read = async (...answers: Answer[]) => {
  const waits: number[] = [];
  const source = {
    url: 'https://log.example/a',
    fetch: async () => (answers.shift() as Answer)(),
    wait: async (ms: number) => {
      waits.push(ms);
    },
  };
  const bytes = await readFile(source, 'checkpoint').catch((error: Error) => error);
  return { waits, found: bytes instanceof Error ? bytes : new TextDecoder().decode(bytes) };
};
const file: Answer = () => new Response('text');

describe('a file of the log', () => {
  test('reads a file once if it comes', async () => {
    expect(await read(file)).toEqual({ found: 'text', waits: [] });
  });

  test('asks again for a file after the time that the server wants', async () => {
    expect(await read(busy(429, { 'Retry-After': '17' }), file)).toEqual({ found: 'text', waits: [17_000] });
    expect(await read(busy(503, { 'Retry-After': '86400' }), file)).toEqual({ found: 'text', waits: [120_000] });
  });

  test('asks again, later each time, if the server is busy, cannot be reached or cuts its answer', async () => {
    expect(await read(busy(503), unreachable, cut, file)).toEqual({ found: 'text', waits: [1000, 2000, 4000] });
  });

  test('gives up at once on a file that does not exist', async () => {
    const { found, waits } = await read(busy(404));
    expect(found).toMatchObject({
      message: expect.stringMatching(
        /^https:\/\/log\.example\/a\/checkpoint answers 404: the address of a log ends with its name/,
      ),
      isAnswered: true,
    });
    expect(waits).toEqual([]);
  });

  test.each([
    ['answers 429: its budget is exceeded, try again later', busy(429)],
    ['does not answer: no route', unreachable],
    ['does not answer: the connection was cut', cut],
  ])('gives up on a file after six tries of which each %s', async (message, answer) => {
    const { found, waits } = await read(...Array<Answer>(6).fill(answer));
    expect(found).toMatchObject({ message: `https://log.example/a/checkpoint ${message}`, isAnswered: false });
    expect(waits).toHaveLength(5);
  });
});
