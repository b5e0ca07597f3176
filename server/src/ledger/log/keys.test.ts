import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSignatures, parseNote, parseVerifierKey, signNote } from '@broker-transparency/log';
import vectors from '@broker-transparency/log/vectors.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasItsId, newLogKey, parseLogKey, readLogKey, verifyEd25519 } from './keys.ts';

/** The key of the tests of golang.org/x/mod/sumdb/note, with its verifier key and a signature by it. */
const GO = {
  privateKey: 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  verifierKey: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: 'If you think cryptography is the answer to your problem,\n' + "then you don't know what your problem is.\n",
  line: '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-key-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a key of the tests of Go’s library signs what it signs', () => {
  const key = parseLogKey(GO.privateKey);
  expect(key.verifierKey).toBe(GO.verifierKey);
  expect(signNote(GO.text, [key])).toBe(`${GO.text}\n${GO.line}`);
});

test('a key of our vectors signs what Go signs', () => {
  const key = parseLogKey(vectors.privateKey);
  expect(key.verifierKey).toBe(vectors.verifierKey);
  expect(signNote(vectors.text, [key])).toBe(vectors.note);
});

test('a signature of a new key is verified by its verifier key, and by no other', async () => {
  const [one, other] = [newLogKey('log.example/1'), newLogKey('log.example/1')].map(parseLogKey);
  if (one === undefined || other === undefined) throw new Error('there are two keys');
  const note = parseNote(signNote('text\n', [one]));
  const key = parseVerifierKey(one.verifierKey);
  expect(await checkSignatures(note, [key], verifyEd25519)).toMatchObject([{ isRight: true }]);
  expect([hasItsId(key), hasItsId({ ...key, name: 'log.example/2' })]).toEqual([true, false]);
  const forged = { ...key, publicKey: parseVerifierKey(other.verifierKey).publicKey };
  expect(await checkSignatures(note, [forged], verifyEd25519)).toMatchObject([{ isRight: false }]);
});

test.each(['', 'a b', 'a+b'])('%j is not the name of a key', (name) => {
  expect(() => newLogKey(name)).toThrow(RangeError);
});

describe('a file', () => {
  const writeKeyFile = async (text: string, mode: number): Promise<string> => {
    const file = join(folder, createHash('sha256').update(`${text}${mode}`).digest('hex').slice(0, 16));
    await writeFile(file, text);
    await chmod(file, mode);
    return file;
  };

  test.each([0o600, 0o400])('a file of mode %o is read', async (mode) => {
    const key = await readLogKey(await writeKeyFile(`${GO.privateKey}\n`, mode));
    expect(key).toMatchObject({ name: 'PeterNeumann', keyId: 0xc74f20a3 });
    expect(JSON.stringify(key)).not.toContain(GO.privateKey.slice(-40));
  });

  test.each([0o640, 0o604, 0o620, 0o601])('a file of mode %o is refused with the cure', async (mode) => {
    const file = await writeKeyFile(GO.privateKey, mode);
    const cure = `the log's key ${file}: others can use it, since its mode is ${mode.toString(8)}; run chmod 600 ${file}`;
    await expect(readLogKey(file)).rejects.toMatchObject({ code: 'unreadable_file', message: cure });
  });

  test('a missing file is named', async () => {
    await expect(readLogKey(join(folder, 'none'))).rejects.toThrow(/the log's key .*none: ENOENT/);
  });

  test.each([
    ['', /it must be one line/],
    [GO.verifierKey, /it must be one line/],
    [`${GO.privateKey}\n\n`, /it must be one line/],
    [GO.privateKey.replace('+AY', '+BY'), /with an Ed25519 key/],
    [GO.privateKey.slice(0, -4), /with an Ed25519 key/],
    [GO.privateKey.slice(0, -1), /with an Ed25519 key/],
    [GO.privateKey.replace('c74f20a3', 'c74f20a4'), /its id is not the one of its name and key/],
    [GO.privateKey.replace('PeterNeumann', 'peterneumann'), /its id is not/],
  ])('%# with something else is refused, and nothing of it is shown', async (text, message) => {
    const file = await writeKeyFile(text, 0o600);
    await expect(readLogKey(file)).rejects.toThrow(message);
    await expect(readLogKey(file)).rejects.not.toThrow(/AYEKFAL|BYEKFAL/);
  });
});
