import { setImmediate as turn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { findAbandonSignal, isAbandoned, isWaitedFor, runDetached, runWhileAwaited } from './waiting.ts';

const WAITING = new AbortController().signal;
const GONE = AbortSignal.abort();

test('marks work as abandoned, at any depth of calls, only if its own caller has gone', async () => {
  const over = new AbortController();
  const deep = async (): Promise<boolean[]> => {
    const before = isAbandoned();
    over.abort();
    await turn();
    return [before, isAbandoned()];
  };
  const inside = runWhileAwaited(over.signal, () => deep());
  const other = runWhileAwaited(WAITING, async () => {
    await turn();
    return isAbandoned();
  });
  expect(await inside).toEqual([false, true]);
  expect([await other, isAbandoned()]).toEqual([false, false]);
});

test('reports a waiting caller, at any depth of calls, only inside `runWhileAwaited`', async () => {
  const deep = async (): Promise<boolean> => {
    await turn();
    return isWaitedFor();
  };
  const inside = runWhileAwaited(WAITING, deep);
  expect([isWaitedFor(), await deep(), await inside]).toEqual([false, false, true]);
});

test('work that has to queue still knows its own caller', async () => {
  const limited = pLimit(1);
  const ask = (signal: AbortSignal) => runWhileAwaited(signal, () => limited(async () => isAbandoned()));
  const outside = limited(async () => isWaitedFor());
  expect(await Promise.all([ask(GONE), ask(WAITING), ask(GONE), outside])).toEqual([true, false, true, false]);
});

test('detached work has no caller, at any depth of calls', async () => {
  const deep = async () => {
    await turn();
    return [findAbandonSignal(), isAbandoned()];
  };
  expect(await runWhileAwaited(GONE, () => runDetached(deep))).toEqual([undefined, false]);
  expect(await runWhileAwaited(GONE, deep)).toEqual([GONE, true]);
});
