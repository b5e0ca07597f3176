import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ABORT, END, openKeys } from './keys.ts';

/** A terminal whose keys and clock the test strikes and moves. */
const openTerminal = () => {
  let at = 1_000_000;
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => modes.push(raw) });
  const keys = openKeys(input, () => at);
  const strike = (text: string, afterMs: number): Promise<void> => {
    at += afterMs;
    input.write(text);
    return new Promise((done) => setImmediate(done));
  };
  return { keys, strike, modes };
};

const openPipe = (text: string) => openKeys(PassThrough.from([Buffer.from(text)]) as unknown as PassThrough);
const nothing = () => {};

test('a terminal is in raw mode until it is closed, and gives single keys', async () => {
  const { keys, strike, modes } = openTerminal();
  keys.forget();
  await strike('p', 1000);
  await strike('ü', 1000);
  expect([await keys.next(), await keys.next()]).toEqual(['p', 'ü']);
  keys.close();
  expect(modes).toEqual([true, false]);
});

test('keys that were struck before something was shown do not count, nor those right after it', async () => {
  const { keys, strike } = openTerminal();
  await strike('p', 1000);
  keys.forget();
  await strike('p', 100);
  await strike('s', 300);
  expect(await keys.next()).toBe('s');
});

test('a key that is held counts never, since it leaves no pause', async () => {
  const { keys, strike } = openTerminal();
  keys.forget();
  for (let n = 0; n < 50; n++) await strike('p', 30);
  expect(await keys.next(5)).toBe(undefined);
  await strike('p', 400);
  expect(await keys.next()).toBe('p');
});

test('pasted text decides nothing', async () => {
  const { keys, strike } = openTerminal();
  keys.forget();
  await strike('please publish', 50);
  expect(await keys.next(5)).toBe(undefined);
});

test('an arrow key is one key, and no letter', async () => {
  const { keys, strike } = openTerminal();
  keys.forget();
  await strike('\u001b[1;2p', 1000);
  await strike('\u001bp', 1000);
  expect([await keys.next(), await keys.next()]).toEqual(['\u001b[1;2p', '\u001bp']);
});

test('Ctrl-C ends the work at any time, Ctrl-D as the end of the input does', async () => {
  const { keys, strike } = openTerminal();
  keys.forget();
  await strike('\u0003', 1);
  expect(await keys.next()).toBe(ABORT);
  await strike('\u0004', 1000);
  expect(await keys.next()).toBe(END);
});

test('a line takes every key as it comes, can be corrected, and is given up with Escape', async () => {
  const { keys, strike } = openTerminal();
  let echoed = '';
  const line = keys.line((text) => {
    echoed += text;
  });
  await strike('Gut\u007fuß\r', 1);
  expect(await line).toBe('Guuß');
  expect(echoed).toBe('Gut\b \buß\n');
  const second = keys.line(nothing);
  await strike('no', 1);
  await strike('\u001b', 1);
  expect(await second).toBe('');
});

test('a pipe gives the same keys, skips blanks and line ends between them, and ends the work when it ends', async () => {
  const keys = openPipe('p\n r7\nThe law says so.\nq');
  expect([await keys.next(), await keys.next(), await keys.next()]).toEqual(['p', 'r', '7']);
  expect(await keys.line(nothing)).toBe('The law says so.');
  expect([await keys.next(), await keys.next(), await keys.next()]).toEqual(['q', END, END]);
});
