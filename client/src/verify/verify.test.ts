import { createHash } from 'node:crypto';
import {
  append,
  computeRoot,
  consistencyPlan,
  EMPTY_TREE,
  formatEntryExtra,
  formatProof,
  leafInput,
  makeProof,
  parseEntryExtra,
  parseProof,
  toBase64,
} from '@broker-transparency/log';
import vectors from '@broker-transparency/log/vectors.json' with { type: 'json' };
import { describe, expect, test, vi } from 'vitest';
import { VerifyError, type VerifyErrorCode, verifyCheckpoint, verifyConsistency, verifyProof } from '../verify.ts';

/* The vectors were signed by Go. Of the three witnesses that the policies know, w1 and w2 have signed. */

const { proof, dayProof, checkpoint, policies } = vectors;

/** The code and message of what is thrown. */
const refusal = async (call: Promise<unknown>): Promise<{ code: VerifyErrorCode; message: string }> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VerifyError)) throw error ?? new Error('it is accepted');
  expect(error.name).toBe('VerifyError');
  return { code: error.code, message: error.message };
};

/** Changes one character of a text. */
const flipped = (text: string, at: number): string => {
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + other + text.slice(at + 1);
};

/** Changes what a proof carries in extra. */
const withExtra = (text: string, change: (extra: ReturnType<typeof parseEntryExtra>) => object): string => {
  const { extra, ...parsed } = parseProof(text);
  const carried = parseEntryExtra(extra ?? new Uint8Array());
  return formatProof({ ...parsed, extra: formatEntryExtra({ ...carried, ...change(carried) }) });
};

describe('a proof', () => {
  test('a proof that enough witnesses have seen is witnessed', async () => {
    expect(await verifyProof(proof, policies.twoOf3)).toEqual({
      level: 'witnessed',
      origin: 'log.example/vectors',
      size: 300,
      root: vectors.roots['300'],
      index: 17,
      entry: JSON.parse(vectors.leaves[17] ?? ''),
      witnesses: { verified: 2, required: 2, known: 3, names: ['w1', 'w2'] },
      checkpointTime: '2026-11-23T00:01:00.000Z',
      score: undefined,
    });
  });

  test('a proof is logged if the policy requires no witness, whoever has signed', async () => {
    const alone = await verifyProof(proof, policies.alone);
    expect(alone).toMatchObject({ level: 'logged', witnesses: { verified: 0, required: 0, known: 0, names: [] } });
    expect(alone.checkpointTime).toBe(undefined);
    const optional = await verifyProof(proof, policies.allOf3.replace('quorum all-known', 'quorum none'));
    expect(optional).toMatchObject({ level: 'logged', witnesses: { verified: 2, required: 0, known: 3 } });
  });

  test('a proof of a score has that score and the entry of its day', async () => {
    const { score, entry, index } = await verifyProof(dayProof, policies.twoOf3);
    expect(score).toEqual({ date: '2026-11-23', slug: 'broker-3', value: 73.5, color: 'green' });
    expect(entry).toMatchObject({ kind: 'day', value: { count: 5 } });
    expect(index).toBe(299);
  });

  test.each<[string, string, VerifyErrorCode, RegExp]>([
    [proof, policies.allOf3, 'too_few_witnesses', /^2 of 3 witnesses .* \(w1, w2\): the policy requires at least 3$/],
    [proof, policies.w3, 'too_few_witnesses', /requires at least 1, of certain groups$/],
    [
      proof,
      policies.unknown,
      'unknown_log',
      /of the log log\.example\/vectors; the policy accepts log\.example\/other$/,
    ],
    [proof, 'quorum none', 'unknown_log', /the policy accepts none$/],
    [proof, 'quorum', 'invalid_policy', /^the policy: line 1: expected the name of a witness/],
    [proof, policies.alone.replace('+abfed13a+', '+abfed13b+'), 'invalid_policy', /the id of the key of log\.example/],
    [proof, policies.alone.replace('H/F\n', 'H/A\n'), 'invalid_policy', /is not the hash of the key/],
    [proof, policies.twoOf3.replace('/w3+9', '/w3+8'), 'invalid_policy', /the key of witness\.example\/w3 is not/],
    ['', policies.alone, 'malformed', /^the proof: line 1: expected c2sp/],
    [checkpoint, policies.alone, 'malformed', /^the proof: line 1: expected c2sp/],
    [proof.replace(/^extra .*\n/m, ''), policies.alone, 'malformed', /does not carry its entry: it has no line extra/],
    [
      proof.replace(/^extra .*/m, 'extra e30='),
      policies.alone,
      'malformed',
      /^extra in the proof: line 1: expected a n/,
    ],
    [proof.replace(/^extra .*/m, 'extra e30K'), policies.alone, 'not_in_log', /as number 17 of 300$/],
    [proof.replace('index 17', 'index 16'), policies.alone, 'not_in_log', /as number 16 of 300$/],
    [proof.replace('index 17', 'index 300'), policies.alone, 'not_in_log', /as number 300 of 300$/],
    [proof.replace(/^— log.*\n/m, ''), policies.twoOf3, 'not_signed', /no key of log\.example\/vectors in the policy/],
    [
      proof.replace('\n300\n', '\n301\n'),
      policies.alone,
      'wrong_signature',
      /signature of log\.example\/vectors is not/,
    ],
    [
      dayProof.replace(/(w1 .*)AAAA/, '$1AAAB'),
      policies.twoOf3,
      'wrong_signature',
      /signature of witness\.example\/w1 is not over this checkpoint/,
    ],
  ])('%# is refused: %#', async (text, policy, code, message) => {
    const refused = await refusal(verifyProof(text, policy));
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(message);
  });

  test.each<[(day: NonNullable<ReturnType<typeof parseEntryExtra>['day']>) => object, VerifyErrorCode, RegExp]>([
    [() => ({ index: 2 }), 'not_in_day', /the score is not what the entry of 2026-11-23 has as number 2$/],
    [() => ({ count: 6 }), 'not_in_day', /the proof is for 6 scores; the entry of 2026-11-23 has 5$/],
    [() => ({ leaf: new TextEncoder().encode('["broker-3",99,"green"]') }), 'not_in_day', /as number 3/],
    [({ hashes }) => ({ hashes: hashes.slice(1) }), 'not_in_day', /as number 3/],
  ])('a proof of another score is refused: %#', async (change, code, message) => {
    const text = withExtra(dayProof, ({ day }) => ({ day: { ...day, ...(day && change(day)) } }));
    const refused = await refusal(verifyProof(text, policies.twoOf3));
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(message);
  });

  test('a proof of a score needs the entry of a day', async () => {
    const { day } = parseEntryExtra(parseProof(dayProof).extra ?? new Uint8Array());
    const { code, message } = await refusal(
      verifyProof(
        withExtra(proof, () => ({ day })),
        policies.twoOf3,
      ),
    );
    expect(code).toBe('malformed');
    expect(message).toBe('the entry of the day: expected an entry of the kind day, with date, count and root');
  });

  test.each([proof, dayProof])('a proof is refused with any character changed: %#', async (text) => {
    const unsigned = text.lastIndexOf('\n\n') + 2;
    for (let at = 0; at < text.length; at += 3) {
      const changed = flipped(text, at);
      const verified = await verifyProof(changed, policies.twoOf3).catch((error: unknown) => error);
      if (verified instanceof VerifyError) continue;
      throw new Error(`accepted with a change at ${at}, ${at - unsigned} after the text`);
    }
  });
});

describe('a checkpoint', () => {
  test('a checkpoint is signed, or witnessed if the policy requires it', async () => {
    const signed = await verifyCheckpoint(checkpoint, policies.alone);
    expect(signed).toMatchObject({ level: 'signed', size: 300, root: vectors.roots['300'] });
    expect(await verifyCheckpoint(checkpoint, policies.twoOf3)).toMatchObject({ level: 'witnessed' });
  });

  test('a checkpoint with a repeated signature counts the witness once', async () => {
    const [line = ''] = /^— witness\.example\/w1.*\n/m.exec(checkpoint) ?? [];
    const one = checkpoint.replace(/^— witness\.example\/w2.*\n/m, line);
    expect(await refusal(verifyCheckpoint(one, policies.twoOf3))).toMatchObject({ code: 'too_few_witnesses' });
  });

  test('a malformed checkpoint is refused', async () => {
    const { code, message } = await refusal(verifyCheckpoint('a\n1\n', policies.alone));
    expect(code).toBe('malformed');
    expect(message).toMatch(/^the checkpoint: line 3: expected a text, an empty line and signatures/);
  });
});

describe('two checkpoints', () => {
  const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
  const hashes = new Map<string, Uint8Array>();
  let tree = EMPTY_TREE;
  const roots = vectors.leaves.map((leaf) => {
    const appended = append(tree, sha256(leafInput(new TextEncoder().encode(leaf))), sha256);
    tree = appended.tree;
    for (const { level, index, hash } of appended.nodes) hashes.set(`${level}/${index}`, hash);
    return toBase64(computeRoot(tree, sha256));
  });
  const treeAt = (size: number) => ({ origin: 'log.example/vectors', size, root: roots[size - 1] ?? '' });
  const proven = makeProof(
    consistencyPlan(100, 300),
    ({ level, index }) => hashes.get(`${level}/${index}`) ?? new Uint8Array(),
    sha256,
  ).map(toBase64);

  test('verifies that two checkpoints are of one log that only grew', async () => {
    await verifyConsistency(treeAt(100), await verifyCheckpoint(checkpoint, policies.alone), proven);
  });

  test.each([
    [treeAt(101), treeAt(300), proven, 'not_consistent', /the tree of 300 entries continues the one of 101$/],
    [treeAt(300), treeAt(100), proven, 'not_consistent', /continues the one of 300$/],
    [treeAt(100), { ...treeAt(300), origin: 'log.example/2' }, proven, 'not_consistent', /of two logs, .* and log/],
    [treeAt(100), treeAt(300), proven.slice(1), 'not_consistent', /continues the one of 100$/],
    [treeAt(100), treeAt(300), ['-'], 'malformed', /a hash of the proof: expected base64/],
  ] as const)(
    'refuses two checkpoints that are not of one growing log: %#',
    async (older, newer, proof, code, message) => {
      const refused = await refusal(verifyConsistency(older, newer, proof));
      expect(refused.code).toBe(code);
      expect(refused.message).toMatch(message);
    },
  );
});

describe('a platform', () => {
  test('verifies by the crypto of Node on a platform without a global one', async () => {
    vi.stubGlobal('crypto', undefined);
    try {
      expect(await verifyProof(proof, policies.twoOf3)).toMatchObject({ level: 'witnessed' });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('a platform that cannot verify Ed25519 says so', async () => {
    const { subtle } = globalThis.crypto;
    const importKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
    vi.stubGlobal('crypto', { subtle: { digest: subtle.digest.bind(subtle), importKey } });
    try {
      const { code, message } = await refusal(verifyProof(proof, policies.twoOf3));
      expect(code).toBe('unsupported');
      expect(message).toMatch(/cannot verify Ed25519 signatures: it needs Chrome 137/);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
