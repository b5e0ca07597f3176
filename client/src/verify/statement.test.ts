import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  canonicalJson,
  commitmentInput,
  formatCheckpoint,
  formatEntryExtra,
  formatProof,
  formatVerifierKey,
  keyIdFrom,
  keyIdInput,
  leafInput,
  SIGNATURE_TYPES,
  signNote,
  toBase64,
} from '@broker-transparency/log';
import { expect, test } from 'vitest';
import { verifyStatement } from '../verify.ts';
import { sha256 } from './platform.ts';

const ORIGIN = 'log.example/statements';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const unsigned = {
  name: ORIGIN,
  type: SIGNATURE_TYPES.ed25519,
  publicKey: Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)),
};
const { keyId, policy } = await (async () => {
  const id = keyIdFrom(await sha256(keyIdInput(unsigned)));
  return { keyId: id, policy: `log ${formatVerifierKey({ ...unsigned, keyId: id })}\nquorum none\n` };
})();

/** Returns the proof of an entry that is the only one of its log. */
const proveAlone = async (entry: object): Promise<string> => {
  const line = new TextEncoder().encode(canonicalJson(entry));
  const root = await sha256(leafInput(line));
  const text = formatCheckpoint({ origin: ORIGIN, size: 1, root, extensions: [] });
  const signer = { name: ORIGIN, keyId, sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) };
  const extra = formatEntryExtra({ entry: line, day: undefined });
  return formatProof({ extra, index: 0, hashes: [], checkpoint: signNote(text, [signer]) });
};

const SALT = randomBytes(32).toString('base64');
const STATED = {
  reviewId: '0a'.repeat(12),
  decision: 'removed',
  statement: {
    facts: 'The text names a person.',
    reasonCode: 'personal_data',
    ground: 'terms',
    origin: 'report',
    automatedMeans: false,
    until: null,
  },
};

/** The public fields of the entry. */
const PUBLIC = {
  decision: 'removed',
  reasonCode: 'personal_data',
  ground: 'terms',
  origin: 'report',
  automatedMeans: false,
};

/** Returns the file of a statement whose entry has this kind, says this in public, and commits to what is stated. */
const createFile = async (kind: string, over: object = {}, said: object = {}): Promise<string> => {
  const commitment = toBase64(await sha256(commitmentInput({ salt: SALT, text: canonicalJson(STATED) })));
  const proof = await proveAlone({ number: 0, kind, key: `${kind}/1`, value: { ...PUBLIC, ...said, commitment } });
  return JSON.stringify({ ...STATED, salt: SALT, proof, ...over });
};

test('a statement of reasons is verified by the file that its reader has', async () => {
  const verified = await verifyStatement(await createFile('statement'), { policy });
  expect(verified).toMatchObject({ ...STATED, level: 'logged', origin: ORIGIN, index: 0, size: 1 });
});

test('the order of its fields does not matter, since the log commits to canonical JSON', async () => {
  const statement = Object.fromEntries(Object.entries(STATED.statement).reverse());
  const { decision } = await verifyStatement(await createFile('statement', { statement }), { policy });
  expect(decision).toBe('removed');
});

test.each<[string, object]>([
  ['another decision', { decision: 'published' }],
  ['another review', { reviewId: '0b'.repeat(12) }],
  ['other reasons', { statement: { ...STATED.statement, facts: 'The text is spam.' } }],
  ['one reason more', { statement: { ...STATED.statement, scope: 'everywhere' } }],
  ['another salt', { salt: randomBytes(32).toString('base64') }],
  ['a salt that is not base64', { salt: '?' }],
])('a file with %s is not as proven', async (_, over) => {
  const file = await createFile('statement', over);
  await expect(verifyStatement(file, { policy })).rejects.toMatchObject({
    code: 'not_as_proven',
    message: 'statement: the log commits to another review, decision or statement',
  });
});

test('an entry of another kind proves no statement of reasons', async () => {
  const file = await createFile('review');
  await expect(verifyStatement(file, { policy })).rejects.toMatchObject({ code: 'not_as_proven' });
});

test.each<[object, string]>([
  [{ proof: 1 }, 'proof of the file: expected a text'],
  [{ reviewId: null }, 'reviewId of the file: expected a text'],
  [{ decision: {} }, 'decision of the file: expected a text'],
  [{ statement: [] }, 'statement of the file: expected an object'],
  [{ salt: 5 }, 'salt of the file: expected a text'],
])('a file with %o is refused: %s', async (over, message) => {
  const file = await createFile('statement', over);
  await expect(verifyStatement(file, { policy })).rejects.toMatchObject({ code: 'malformed', message });
});

test('a statement that another log signed is refused', async () => {
  const stranger = policy.replace(ORIGIN, 'log.example/other');
  await expect(verifyStatement(await createFile('statement'), { policy: stranger })).rejects.toThrow();
});

test.each(
  Object.entries({ decision: 'published', reasonCode: null, ground: 'law', origin: null, automatedMeans: true }),
)('an entry that says another %s in public than the reader was told contradicts the file', async (name, value) => {
  const file = await createFile('statement', {}, { [name]: value });
  await expect(verifyStatement(file, { policy })).rejects.toMatchObject({
    code: 'not_as_proven',
    message: expect.stringContaining(name),
  });
});
