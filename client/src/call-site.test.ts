import { describe, expect, test } from 'vitest';
import { serve } from '../scripts/test-server.ts';
import { enterprise } from './enterprise.ts';
import { createClient } from './index.ts';
import { record } from './record.ts';

/** Returns the error that code throws, or the one in its result. */
const catchError = async (work: () => Promise<unknown>): Promise<Error> => {
  try {
    return ((await work()) as { error: Error }).error;
  } catch (error) {
    return error as Error;
  }
};

const NOWHERE = 'http://127.0.0.1:1';
const client = createClient({ baseUrl: NOWHERE, retries: 0, with: [record(), enterprise({ key: 'k' })] });

const slow = createClient({ baseUrl: NOWHERE, timeoutMs: 5, fetch: () => new Promise(() => {}) });
const again = createClient({
  baseUrl: NOWHERE,
  retries: 1,
  fetch: async () => new Response('', { status: 503, headers: { 'retry-after': '0' } }),
});

const handOn = <T>(work: () => T): T => work();

describe('the stack of an error', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['a call', async () => await client.brokers.get('nobody')],
    ['a call with its response', async () => await client.brokers.get('nobody').withResponse()],
    ['a safe call', async () => await client.safe.brokers.get('nobody')],
    ['a list', async () => await client.brokers.list()],
    ['a safe list', async () => await client.safe.brokers.list()],
    ['toArray', async () => await client.news.list().toArray()],
    ['the record', async () => await client.record.brokers.at('nobody')],
    ['a call for customers', async () => await client.enterprise.account.get()],
    ['a call that a function hands on', async () => await handOn(() => client.brokers.get('nobody'))],
    ['a call that ends by its timer', async () => await slow.brokers.get('nobody')],
    ['a call that is sent again', async () => await again.brokers.get('nobody')],
  ])('begins with the line of the caller of %s, and names who called that', async (_, work) => {
    const callWork = async () => {
      await null;
      return await work();
    };
    const { name, message, stack = '' } = await catchError(callWork);
    expect(name).toMatch(/^(Connection|Timeout|Unavailable)Error$/);
    expect(stack.startsWith(`${name}: ${message}\n`)).toBe(true);
    const [first = '', second = ''] = stack.slice(stack.indexOf('\n    at ')).trim().split('\n');
    expect(first).toMatch(/call-site\.test\.ts:\d+:\d+/);
    expect(second).toMatch(/callWork .*call-site\.test\.ts:\d+:\d+/);
    expect(stack).not.toMatch(/src\/(?!call-site\.test)/);
  });

  test('names who awaits several calls at once', async () => {
    const readAll = async () => await Promise.all([client.brokers.get('nobody'), client.regulators.get('nobody')]);
    const { stack } = await catchError(readAll);
    expect(stack).toMatch(/^ConnectionError: [^\n]*\n +at .*readAll .*call-site\.test\.ts/s);
    expect(stack).not.toMatch(/src\/(?!call-site\.test)/);
  });

  test('stays that of the client if nobody awaits the call', async () => {
    const error = await new Promise<Error>((resolve) => void client.brokers.get('nobody').catch(resolve));
    expect(error.stack).toMatch(/^ConnectionError: [^\n]*\n +at exchange /);
  });

  test('names the caller of a list if a further page fails', async () => {
    const { baseUrl } = await serve((response, { url }) =>
      url.includes('offset')
        ? response.destroy()
        : response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ data: [{ id: 'a' }], pagination: { total: 2 } })),
    );
    const readAll = async () => {
      for await (const _ of createClient({ baseUrl, retries: 0 }).brokers.list());
    };
    const { stack } = await catchError(readAll);
    expect(stack).toMatch(/^ConnectionError: [^\n]*\n +at readAll .*call-site\.test\.ts/);
  });

  test('stays that of the caller’s own error', async () => {
    const reason = new Error('enough');
    const { stack } = reason;
    const error = await catchError(() => client.brokers.get('nobody', { signal: AbortSignal.abort(reason) }));
    expect(error).toBe(reason);
    expect(error.stack).toBe(stack);
  });
});
