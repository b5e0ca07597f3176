import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchLoader, batchLoaderById } from './batch-loader.ts';

/** Questions that stay open until each is answered, from what `state` says then. */
const openQuestions = () => {
  const state = { value: 'first' };
  const asked: { readonly keys: string[]; readonly answer: (error?: Error) => void }[] = [];
  const heard = Promise.withResolvers<void>();
  const ask = batchLoader((keys) => {
    const question = Promise.withResolvers<(key: string) => string>();
    const { value } = state;
    asked.push({
      keys,
      answer: (error) => (error ? question.reject(error) : question.resolve((key) => `${value} ${key}`)),
    });
    heard.resolve();
    return question.promise;
  });
  return { state, asked, ask, heard: heard.promise };
};

test('who asks while a question is under way shares the next one, which is asked once the first is answered', async () => {
  const { asked, ask, heard } = openQuestions();
  const first = ask('a');
  await heard;
  const others = [ask('b'), ask('c'), ask('b')];
  await turn();
  await turn();
  expect(asked.map(({ keys }) => keys)).toEqual([['a']]);
  asked[0]?.answer();
  expect(await first).toBe('first a');
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]?.keys).toEqual(['b', 'c']);
  asked[1]?.answer();
  expect(await Promise.all(others)).toEqual(['first b', 'first c', 'first b']);
});

test('an answer is never older than its asking', async () => {
  const { state, asked, ask, heard } = openQuestions();
  const before = ask('a');
  await heard;
  state.value = 'second';
  const after = ask('a');
  asked[0]?.answer();
  expect(await before).toBe('first a');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  expect(await after).toBe('second a');
});

test('a fault is heard by those who asked, and by nobody after them', async () => {
  const { asked, ask, heard } = openQuestions();
  const failing = ask('a');
  await heard;
  const next = ask('b');
  asked[0]?.answer(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  expect(await next).toBe('first b');
});

test('each gets the document of its id, in whatever order they are found', async () => {
  const find = batchLoaderById(async (ids) =>
    ids
      .filter((id) => id !== 'c')
      .map((_id) => ({ _id }))
      .reverse(),
  );
  expect(await Promise.all([find('a'), find('b'), find('c')])).toEqual([{ _id: 'a' }, { _id: 'b' }, null]);
});
