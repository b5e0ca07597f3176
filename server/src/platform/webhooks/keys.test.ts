import { createPublicKey, verify } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newWebhookKey, parseWebhookKey, readWebhookKey } from './keys.ts';

test('a new key signs what its public key verifies', () => {
  const text = newWebhookKey();
  expect(text).toMatch(/^whsk_[A-Za-z0-9+/]{86}==\n$/);
  const key = parseWebhookKey(text);
  const x = Buffer.from(key.publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  expect(verify(null, Buffer.from('id.1.body'), publicKey, Buffer.from(key.sign('id.1.body'), 'base64'))).toBe(true);
});

test.each([
  ['', 'one line'],
  ['whsec_c2hvcnQ=', 'one line'],
  ['whsk_c2hvcnQ=\n', 'one line'],
  [newWebhookKey() + newWebhookKey(), 'one line'],
  [`whsk_${Buffer.alloc(64, 7).toString('base64')}`, 'do not belong together'],
])('%j is not a key', (text, why) => {
  expect(() => parseWebhookKey(text)).toThrow(why);
});

test('a file that others can read is refused by its name, without the key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'webhook-key-'));
  try {
    const [file, text] = [join(folder, 'webhook.key'), newWebhookKey()];
    await writeFile(file, text, { mode: 0o600 });
    expect((await readWebhookKey(file)).publicKey).toBe(parseWebhookKey(text).publicKey);
    await chmod(file, 0o644);
    const refusal = await readWebhookKey(file).catch((error: Error) => error.message);
    expect(refusal).toContain(`chmod 600 ${file}`);
    expect(refusal).not.toContain(text.slice(5, 30));
  } finally {
    await rm(folder, { recursive: true });
  }
});
