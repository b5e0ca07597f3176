import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runWhileAwaited } from '../../platform/waiting.ts';
import { createHeavyWork, TooMuchHeavyWork } from './heavy-work.ts';

const BOUNDS = { atOnce: 2, places: 3, perPlace: 2, mostRestMs: 0 };

/** Heavy work that ends when it is told to, each named by its caller and number. */
const start = () => {
  const heavy = createHeavyWork(BOUNDS);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, signal = new AbortController().signal): Promise<string> =>
    runWhileAwaited(signal, () =>
      heavy
        .run(name[0] as string, async () => {
          begun.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return name;
        })
        .catch((error: Error) => (error instanceof TooMuchHeavyWork ? error.code : error.name)),
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };
  return { heavy, begun, ask, end };
};

test('a limited number of jobs run at a time, one for each caller, and the next begins when one ends', async () => {
  const { heavy, begun, ask, end } = start();
  const asked = ['a1', 'a2', 'b1', 'c1', 'd1'].map((name) => ask(name));
  await turn();
  expect(begun).toEqual(['a1', 'b1']);
  expect(heavy.state()).toEqual({ running: 2, waiting: 3 });
  await end('b1');
  expect(begun, 'a still works').toEqual(['a1', 'b1', 'c1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
  for (const name of ['a2', 'c1', 'd1']) await end(name);
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
  expect(heavy.state()).toEqual({ running: 0, waiting: 0 });
});

test('a caller who asks for much goes behind those who ask for little', async () => {
  const { begun, ask, end } = start();
  const asked = ['a1', 'b1', 'a2', 'a3', 'c1', 'd1'].map((name) => ask(name));
  await turn();
  for (const name of ['a1', 'a2', 'b1', 'c1', 'd1', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'd1', 'a3']);
  await Promise.all(asked);
});

test('a caller who finds no place is refused before any work, and told when to come back', async () => {
  const { heavy, begun, ask, end } = start();
  const asked = ['a1', 'b1', 'a2', 'a3', 'c1', 'd1'].map((name) => ask(name));
  expect(await ask('a4'), 'two of a wait').toBe('unavailable');
  expect(await ask('e1'), 'three callers wait').toBe('unavailable');
  const refused = await heavy.run('e', async () => 'done').catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': expect.stringMatching(/^[123]$/) } });
  expect(begun).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'b1', 'a2', 'c1', 'd1', 'a3']) await end(name);
  expect(await Promise.all(asked)).toHaveLength(6);
  const late = ask('e1');
  await turn();
  await end('e1');
  expect(await late).toBe('e1');
});

test('a caller who stops waiting loses their place, and no work is done for them', async () => {
  const { heavy, begun, ask, end } = start();
  const gone = new AbortController();
  const asked = [ask('a1'), ask('b1'), ask('c1', gone.signal), ask('c2'), ask('d1', gone.signal)];
  await turn();
  gone.abort();
  expect(await Promise.all([asked[2], asked[4]])).toEqual(['AbortError', 'AbortError']);
  expect(heavy.state()).toEqual({ running: 2, waiting: 1 });
  for (const name of ['a1', 'b1', 'c2']) await end(name);
  expect(begun).toEqual(['a1', 'b1', 'c2']);
  expect(await Promise.all(asked)).toEqual(['a1', 'b1', 'AbortError', 'c2', 'AbortError']);
});

test('work that fails makes room for the next', async () => {
  const heavy = createHeavyWork({ ...BOUNDS, atOnce: 1 });
  const failed = heavy.run('a', () => Promise.reject(new Error('broken')));
  const next = heavy.run('a', async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('nothing begins in place of work for as long as the work took', async () => {
  const heavy = createHeavyWork({ ...BOUNDS, atOnce: 1, mostRestMs: 1000 });
  const begun: number[] = [];
  const work = async (): Promise<void> => {
    begun.push(performance.now());
    await sleep(60);
  };
  await Promise.all([heavy.run('a', work), heavy.run('b', work)]);
  expect((begun[1] ?? 0) - (begun[0] ?? 0)).toBeGreaterThanOrEqual(118); // a timer may be a millisecond early
});
