import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LogKey, newLogKey, parseLogKey } from '../keys.ts';
import { readWitnesses } from './policy.ts';

/** Keys of the vectors: see packages/log/src/vectors.json. */
const W1 = 'witness.example/w1+f1d46372+BEw4LlGwf23RMspaPKZu4cbpFrvDT48naZtOp9xKdEr+';
const W2 = 'witness.example/w2+47383a0c+BFXS24GsmbaEngUimgYRDqOz1iSmLD7se9WiQHQoH6vH';

let folder: string;
let key: LogKey;
let other: LogKey;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witnesses-'));
  [key, other] = [newLogKey('log.example/1'), newLogKey('log.example/2')].map(parseLogKey) as [LogKey, LogKey];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
const writePolicy = async (text: string): Promise<string> => {
  const file = join(folder, `policy-${files++}`);
  await writeFile(file, text);
  return file;
};

test('a policy says who is asked, where, and how many are enough', async () => {
  const text = `# ours\nlog ${key.verifierKey}\nwitness w1 ${W1} https://w.example/one/\n\twitness w2 ${W2} http://10.0.0.7:7380\ngroup any any w1 w2\nquorum any\n`;
  const { asked, quorum } = await readWitnesses(await writePolicy(text), [key]);
  expect(asked.map(({ name, url }) => [name, url])).toEqual([
    ['w1', 'https://w.example/one'],
    ['w2', 'http://10.0.0.7:7380'],
  ]);
  expect(quorum).toEqual({ threshold: 1, members: ['w1', 'w2'] });
});

test('a policy need not name the log, and may name the keys that it had', async () => {
  const witness = `witness w1 ${W1} https://w.example\nquorum w1\n`;
  const old = parseLogKey(newLogKey('log.example/1'));
  for (const logs of ['', `log ${old.verifierKey}\nlog ${key.verifierKey}\n`])
    await expect(readWitnesses(await writePolicy(logs + witness), [key])).resolves.toMatchObject({ asked: [{}] });
});

describe('what cannot be used is refused with file, line and cure:', () => {
  const witness = (over: { key?: string; url?: string } = {}) =>
    `witness w1 ${over.key ?? W1} ${over.url ?? 'https://w.example'}\nquorum w1\n`;
  test.each<[string, () => string, RegExp]>([
    ['no policy', () => 'witnesses: []', /: line 1: expected log, witness, group or quorum, .*\. The form is in docs/],
    ['no quorum', () => `witness w1 ${W1} https://w.example\n`, /: line 2: expected a quorum/],
    ['no witness', () => 'quorum none\n', /: it names no witness: add lines like "witness NAME VERIFIER_KEY URL"$/],
    [
      'a witness without an address',
      () => `\nwitness w1 ${W1}\nquorum w1\n`,
      /: line 2: the witness w1 has no address: add/,
    ],
    ['another scheme', () => witness({ url: 'ftp://w.example' }), /: line 1: the address of w1 must be like https:/],
    ['a user', () => witness({ url: 'https://a:b@w.example' }), /: line 1: the address of w1 must be/],
    ['a query', () => witness({ url: 'https://w.example?a' }), /: line 1: the address of w1 must be/],
    ['no address', () => witness({ url: 'w.example' }), /: line 1: the address of w1 must be/],
    ['the key of a log', () => witness({ key: key.verifierKey }), /: line 1: expected a key of type 4, not "type 1"/],
    ['another id', () => witness({ key: W1.replace('+f1', '+f2') }), /: line 1: the key of w1 has another id/],
    [
      'another log',
      () => `# a log\nlog ${other.verifierKey}\n${witness()}`,
      /: line 2: it is for the log log\.example\/2, and LOG_KEY is for log\.example\/1$/,
    ],
    [
      'another key of the log',
      () => `log ${parseLogKey(newLogKey('log.example/1')).verifierKey}\n${witness()}`,
      /: no log line has the key of LOG_KEY: add "log log\.example\/1\+/,
    ],
  ])('%s', async (_, text, says) => {
    const file = await writePolicy(text());
    const error = await readWitnesses(file, [key]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalid_setting', message: expect.stringMatching(says) });
    expect((error as Error).message).toMatch(new RegExp(`^LOG_WITNESSES: ${file}: [^\n]+$`));
  });

  test('a file that is not there, or that nobody may read', async () => {
    await expect(readWitnesses(join(folder, 'none'), [key])).rejects.toThrow(/none: it cannot be read \(ENOENT\): /);
    await expect(readWitnesses(folder, [key])).rejects.toThrow(/it cannot be read \(EISDIR\)/);
    const file = await writePolicy('quorum none\n');
    await chmod(file, 0);
    if (process.getuid?.() !== 0) await expect(readWitnesses(file, [key])).rejects.toThrow(/\(EACCES\)/);
  });

  test('witnesses without a key of the log', async () => {
    await expect(readWitnesses('/any', [])).rejects.toThrow('LOG_KEY is not set');
  });
});
