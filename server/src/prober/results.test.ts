import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVerifierKey } from '@broker-transparency/log';
import { readDayFile } from '@broker-transparency/service-level';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newLogKey, parseLogKey, verifyEd25519 } from '../ledger/log/keys.ts';
import { sha256 } from '../platform/sha256.rule.ts';
import { lockFolder } from './folder-lock.ts';
import { openResults } from './results.ts';

const key = parseLogKey(newLogKey('frankfurt-1'));
const date = '2026-11-23';
const seen = (minute: string) => ({ minute: `${date}T${minute}Z`, checks: { public: { ok: true, ms: 12 } } });

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'prober-'));
});
afterEach(() => rm(dir, { recursive: true }));

const file = () => join(dir, 'results', `${date}.ndjson`);
const read = async () =>
  readDayFile(
    await readFile(file(), 'utf8'),
    { key: parseVerifierKey(key.verifierKey), date },
    {
      sha256,
      verify: verifyEd25519,
    },
  );

test('a day is one chain over restarts, and each line of it is signed', async () => {
  for (const minute of ['10:00', '10:01', '10:02']) await (await openResults(dir, key)).add(seen(minute));
  const { results, problems } = await read();
  expect(problems).toEqual([]);
  expect(results.map(({ previous }) => previous === null)).toEqual([true, false, false]);
  expect(results.every(({ signature }) => signature !== undefined)).toBe(true);
});

test.each([
  ['half a line', (text: string) => `${text}{"checks":{"pub`, 2],
  ['zeros of a power cut', (text: string) => `${text}${'\0'.repeat(300)}\n\0`, 2],
  ['half of the last line', (text: string) => text.slice(0, -100), 1],
  ['nothing at all', () => '', 0],
])('%s at the end is cut off, and the chain goes on', async (_what, torn, kept) => {
  const before = await openResults(dir, key);
  await before.add(seen('10:00'));
  await before.add(seen('10:01'));
  await writeFile(file(), torn(await readFile(file(), 'utf8')));
  await (await openResults(dir, key)).add(seen('10:02'));
  const { results, problems } = await read();
  expect(problems).toEqual([]);
  expect(results).toHaveLength(kept + 1);
});

test('one process at a time uses a folder, and a killed process leaves it free', async () => {
  const unlock = await lockFolder(dir);
  await writeFile(join(dir, 'lock'), '1\n'); // a process that runs, and is not this one
  await expect(lockFolder(dir)).rejects.toThrow('is used by the process 1: stop it first');
  await writeFile(join(dir, 'lock'), '999999999\n');
  await (await lockFolder(dir))();
  await unlock();
});
