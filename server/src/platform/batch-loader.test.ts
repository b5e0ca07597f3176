import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchLoader, batchLoaderById } from './batch-loader.ts';

/**
 * A batch loader whose queries stay open until the test answers each, with the value that `state` had when the query
 * began.
 */
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

test('combines the keys requested during a query into the next one, which starts after the first ends', async () => {
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

test('never returns a result older than the request for it', async () => {
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

test('rejects the requests of a query that fails, and no later ones', async () => {
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

test('returns to each caller the document of its id, in whatever order the documents are found', async () => {
  const find = batchLoaderById(async (ids) =>
    ids
      .filter((id) => id !== 'c')
      .map((_id) => ({ _id }))
      .reverse(),
  );
  expect(await Promise.all([find('a'), find('b'), find('c')])).toEqual([{ _id: 'a' }, { _id: 'b' }, null]);
});
