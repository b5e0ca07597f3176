import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createDeliveryEngine, type DeliveryPolicy } from './engine.ts';

/** One delivery of a test. */
interface TestJob {
  readonly name: string;
  readonly target: string;
}

const job = (name: string, target = name): TestJob => ({ name, target });

/** A store of jobs, and a receiver that takes each one when the test says so. */
const createWorld = (waiting: TestJob[], policy: Partial<DeliveryPolicy<TestJob>> = {}) => {
  const begun: string[] = [];
  const faults: string[] = [];
  const receivers = new Map<string, PromiseWithResolvers<void>>();
  const engine = createDeliveryEngine<TestJob>({
    takeDue: async function* (underWay) {
      for (;;) {
        await sleep(0);
        const busy = new Set([...underWay.keys()].map(({ target }) => target));
        const at = waiting.findIndex(({ target }) => !busy.has(target));
        const [next] = at < 0 ? [] : waiting.splice(at, 1);
        if (!next) return;
        yield next;
      }
    },
    deliver: async ({ name }, signal) => {
      begun.push(name);
      const receiver = Promise.withResolvers<void>();
      receivers.set(name, receiver);
      signal.addEventListener('abort', () => receiver.reject(signal.reason));
      await receiver.promise;
    },
    onFault: (error, failed) => faults.push(`${failed?.name ?? 'look'}: ${(error as Error).message}`),
    ...policy,
  });
  const answer = async (name: string, problem?: string): Promise<void> => {
    if (problem === undefined) receivers.get(name)?.resolve();
    else receivers.get(name)?.reject(new Error(problem));
    await sleep(20);
  };
  return { engine, begun, faults, waiting, answer };
};

describe('a look', () => {
  test('a look starts what is due and waits for none of it', async () => {
    const { engine, begun } = createWorld([job('a'), job('b')]);
    await engine.look();
    expect(begun).toEqual(['a', 'b']);
  });

  test('a look takes no more jobs than there are free places', async () => {
    const { engine, begun, waiting, answer } = createWorld([job('a'), job('b'), job('c')], { mostAtOnce: 2 });
    await engine.look();
    await engine.look();
    expect([begun, waiting.length]).toEqual([['a', 'b'], 1]);
    await answer('a');
    await engine.look();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('looks at the same time take nothing twice and nothing of a target that is busy', async () => {
    const { engine, begun } = createWorld([job('a1', 'a'), job('a2', 'a'), job('b')]);
    await Promise.all([engine.look(), engine.look(), engine.look()]);
    expect(begun).toEqual(['a1', 'b']);
  });

  test('a job that asks whether a receiver is back runs alone', async () => {
    const { engine, begun, answer } = createWorld([job('a'), job('b')], { isAlone: ({ name }) => name === 'a' });
    const looked = engine.look();
    await sleep(20);
    expect(begun).toEqual(['a']);
    await answer('a');
    await looked;
    expect(begun).toEqual(['a', 'b']);
  });

  test('a look throws the error of its search', async () => {
    const takeDue = () => {
      throw new Error('no database');
    };
    const { engine } = createWorld([], { takeDue });
    await expect(engine.look()).rejects.toThrow('no database');
  });
});

describe('the next look', () => {
  test('an eager engine looks again when a delivery has ended, and not when it failed', async () => {
    const { engine, begun, faults, answer } = createWorld([job('a1', 'a'), job('a2', 'a'), job('a3', 'a')], {
      isEager: true,
    });
    await engine.look();
    await answer('a1');
    expect(begun).toEqual(['a1', 'a2']);
    await answer('a2', 'no database');
    expect(begun).toEqual(['a1', 'a2']);
    expect(faults).toEqual(['a2: no database']);
  });

  test('an engine with an interval looks by itself, goes on after a fault, and stops at its end', async () => {
    let looks = 0;
    const takeDue = () => {
      looks++;
      throw new Error('no database');
    };
    const { engine, faults } = createWorld([], { lookMs: 5, takeDue });
    while (looks < 3) await sleep(1);
    await engine.end();
    const before = looks;
    expect(before).toBeGreaterThan(2);
    expect(faults[1]).toBe('look: no database');
    await sleep(30);
    expect(looks).toBe(before);
  });
});

test('settling tries everything that is due once, one target after another', async () => {
  const { engine, begun } = createWorld([job('a1', 'a'), job('b'), job('a2', 'a')], {
    mostAtOnce: 1,
    deliver: async ({ name }) => {
      begun.push(name);
      await sleep(5);
    },
  });
  await engine.settle();
  expect(begun).toEqual(['a1', 'b', 'a2']);
});

describe('the end', () => {
  test('the end waits for what is under way and takes nothing more', async () => {
    const { engine, begun, answer } = createWorld([job('a1', 'a'), job('a2', 'a')], { isEager: true });
    await engine.look();
    const ended = engine.end();
    await answer('a1');
    await ended;
    await engine.look();
    expect(begun).toEqual(['a1']);
  });

  test('the end waits no longer than it may', async () => {
    const { engine, faults } = createWorld([job('a')]);
    await engine.look();
    await engine.end(10);
    expect(faults).toEqual([]);
  });

  test('a job that is broken off is not reported as an error', async () => {
    const { engine, faults } = createWorld([job('a')]);
    await engine.look();
    engine.abort();
    await engine.end();
    expect(faults).toEqual([]);
  });
});
