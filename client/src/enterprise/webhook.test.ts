import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook, type WebhookError, type WebhookEvent } from './webhook.ts';
import { webhookHandler } from './webhook-handler.ts';

const NOW = Date.parse('2026-11-23T00:00:00Z');
const TIME = NOW / 1000;
const BODY =
  '{"type":"entry.published","timestamp":"2026-11-23T00:00:00Z","data":{"number":7,"kind":"news","key":"n/é"}}';

const secret = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;
const v1 = (byte: number, body = BODY, time = TIME, id = 'msg_1') =>
  `v1,${createHmac('sha256', Buffer.alloc(24, byte)).update(`${id}.${time}.${body}`).digest('base64')}`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const whpk = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;
const v1a = (body = BODY) => `v1a,${sign(null, Buffer.from(`msg_1.${TIME}.${body}`), privateKey).toString('base64')}`;

const headers = (signature: string, time = TIME) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(time),
  'webhook-signature': signature,
});

const verify = (given: Record<string, string>, keys: object, body = BODY) =>
  verifyWebhook({ header: (name) => given[name], body, now: NOW }, keys).then(
    ({ event }) => event.data.number,
    (error: WebhookError) => error.code,
  );

describe('a message', () => {
  test.each([
    ['one secret', headers(v1(1)), { secrets: [secret(1)] }],
    ['the second signature', headers(`${v1(2)} ${v1(1)}`), { secrets: [secret(1)] }],
    ['the second secret', headers(v1(1)), { secrets: [secret(2), secret(1)] }],
    ['a public key', headers(v1a()), { publicKeys: [whpk] }],
    ['either kind', headers(`${v1(3)} ${v1a()}`), { secrets: [secret(1)], publicKeys: [whpk] }],
    ['a signature of a later version beside it', headers(`v2,abc nonsense ${v1(1)}`), { secrets: [secret(1)] }],
    ['a clock five minutes away', headers(v1(1, BODY, TIME - 300), TIME - 300), { secrets: [secret(1)] }],
  ])('a message is accepted by %s', async (_, given, keys) => {
    expect(await verify(given, keys)).toBe(7);
  });

  const { 'webhook-id': _, ...withoutId } = headers(v1(1));
  test.each<[string, Record<string, string>, object, string?]>([
    ['missing_header', withoutId, { secrets: [secret(1)] }],
    ['wrong_time', headers(v1(1, BODY, TIME - 301), TIME - 301), { secrets: [secret(1)] }],
    ['wrong_time', headers(v1(1, BODY, TIME + 301), TIME + 301), { secrets: [secret(1)] }],
    ['wrong_time', { ...headers(v1(1)), 'webhook-timestamp': 'now' }, { secrets: [secret(1)] }],
    ['wrong_signature', headers(v1(2)), { secrets: [secret(1)] }],
    ['wrong_signature', headers(v1(1)), { secrets: [secret(1)] }, BODY.replace('7', '8')],
    ['wrong_signature', headers(v1(1, BODY, TIME, 'msg_2')), { secrets: [secret(1)] }],
    ['wrong_signature', headers(v1(1).replace('v1,', 'v1a,')), { secrets: [secret(1)], publicKeys: [whpk] }],
    ['wrong_signature', headers(v1a()), { publicKeys: [whpk] }, BODY.replace('7', '8')],
    ['wrong_signature', headers('v1, v1,%%% v1'), { secrets: [secret(1)] }],
    ['malformed', headers(v1(1, 'no JSON')), { secrets: [secret(1)] }, 'no JSON'],
  ])('a message is refused: %s', async (code, given, keys, body) => {
    expect(await verify(given, keys, body)).toBe(code);
  });

  test.each([{}, { secrets: ['secret'] }, { publicKeys: [secret(1)] }])('needs keys: %#', async (keys) => {
    await expect(verifyWebhook({ header: () => 'x', body: '', now: NOW }, keys)).rejects.toThrow();
    await expect(
      verifyWebhook({ header: (name) => headers(v1(1))[name as 'webhook-id'], body: BODY, now: NOW }, keys),
    ).rejects.toThrow(TypeError);
  });
});

describe('the handler', () => {
  const received: WebhookEvent[] = [];
  const onEvent = (event: WebhookEvent) => {
    if (event.data.number === 13) throw new Error('busy');
    received.push(event);
  };
  const handler = webhookHandler({ secrets: [secret(1)], onEvent });
  const signedNow = (body: string) => {
    const time = Math.floor(Date.now() / 1000);
    return { method: 'POST', body, headers: headers(v1(1, body, time), time) };
  };

  const CASES: readonly [string, number, () => RequestInit][] = [
    ['an event', 204, () => signedNow(BODY)],
    ['another body', 401, () => ({ ...signedNow(BODY), body: BODY.replace('7', '8') })],
    ['no signature', 400, () => ({ method: 'POST', body: BODY })],
    ['an event that cannot be received now', 500, () => signedNow(BODY.replace('7', '13'))],
    ['a body that is too large', 413, () => signedNow(' '.repeat(300_000))],
  ];

  test.each(CASES)('the handler of Request and Response answers %s by %i', async (_, status, init) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await handler.web(new Request('https://hook.example', init()))).status).toBe(status);
    expect(errors).toHaveBeenCalledTimes(status === 500 ? 1 : 0);
    errors.mockRestore();
  });

  test.each(CASES)('the handler of Node answers %s by %i', async (_, status, init) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const server = createServer(handler.node).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, init());
    expect(answer.status).toBe(status);
    await answer.text();
    server.closeAllConnections();
    server.close();
    errors.mockRestore();
  });

  test('says what to do where a body was parsed before', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = { statusCode: 0, end: () => {} };
    const request = Object.assign((async function* () {})(), { headers: signedNow(BODY).headers, body: {} });
    await handler.node(request, response);
    expect(response.statusCode).toBe(500);
    expect(String(errors.mock.calls[0]?.[1])).toContain('before express.json()');
    errors.mockRestore();
  });
});
