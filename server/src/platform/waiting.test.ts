import { setImmediate as turn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { isAbandoned, isWaitedFor, whileWaitedFor } from './waiting.ts';

test('marks work as abandoned, at any depth of calls, only if its own caller has gone', async () => {
  let over = false;
  const deep = async (): Promise<boolean[]> => {
    const before = isAbandoned();
    over = true;
    await turn();
    return [before, isAbandoned()];
  };
  const inside = whileWaitedFor(
    () => over,
    () => deep(),
  );
  const other = whileWaitedFor(
    () => false,
    async () => {
      await turn();
      return isAbandoned();
    },
  );
  expect(await inside).toEqual([false, true]);
  expect([await other, isAbandoned()]).toEqual([false, false]);
});

test('reports a waiting caller, at any depth of calls, only inside `whileWaitedFor`', async () => {
  const deep = async (): Promise<boolean> => {
    await turn();
    return isWaitedFor();
  };
  const inside = whileWaitedFor(() => false, deep);
  expect([isWaitedFor(), await deep(), await inside]).toEqual([false, false, true]);
});

test('work that has to queue still knows its own caller', async () => {
  const limited = pLimit(1);
  const ask = (isOver: boolean) =>
    whileWaitedFor(
      () => isOver,
      () => limited(async () => isAbandoned()),
    );
  const outside = limited(async () => isWaitedFor());
  expect(await Promise.all([ask(true), ask(false), ask(true), outside])).toEqual([true, false, true, false]);
});
