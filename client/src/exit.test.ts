import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';

/** Runs a module with a client in a process of its own. Returns its output once the process has ended by itself. */
const run = async (baseUrl: string, script: string, tryTimeoutMs = 60_000): Promise<string> => {
  const index = new URL('./index.ts', import.meta.url);
  const source = `
    import { createClient } from ${JSON.stringify(fileURLToPath(index))};
    process.on('unhandledRejection', () => console.log('unhandled'));
    const limits = { retries: 1, timeoutMs: 60_000, tryTimeoutMs: ${tryTimeoutMs} };
    const client = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, ...limits });
    ${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: 20_000,
  });
  return stdout.trim();
};

test.each<[string, Parameters<typeof serve>[0], string]>([
  ['answers', (response) => sendJson(response, 200, { data: [] }), 'no error'],
  ['drops the connection', (response) => response.destroy(), 'connection_failed'],
  ['never answers', () => undefined, 'timeout'],
  ['sends half', (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'), 'timeout'],
  ['sends broken JSON', (response) => response.writeHead(200).end('{'), 'invalid_response'],
  [
    'asks to wait for too long',
    (response) => sendJson(response, 429, { code: 'rate_limited' }, { 'retry-after': '90' }),
    'rate_limited',
  ],
])('a process ends by itself after a server %s', async (_, answer, code) => {
  const { baseUrl } = await serve(answer);
  const script = `
    const results = await Promise.all([client.safe.news.list(), client.safe.search({ q: 'a' })]);
    console.log(...new Set(results.map(({ error }) => error?.code ?? 'no error')));`;
  expect(await run(baseUrl, script, code === 'timeout' ? 300 : undefined)).toBe(code);
});

test('withResponse and iteration leave no unhandled rejection', async () => {
  const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'not_found' }));
  const script = `
    await client.news.list().withResponse().catch(({ code }) => console.log(code));
    try { for await (const item of client.news.list()) console.log(item); } catch ({ code }) { console.log(code); }`;
  expect(await run(baseUrl, script)).toBe('not_found\nnot_found');
});

test('a safe call or list that nobody awaits leaves no unhandled rejection, and neither does its iteration', async () => {
  const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'not_found' }));
  const script = `
    client.safe.brokers.get('alpha');
    client.safe.news.list();
    try { for await (const item of client.safe.news.list('wrong')) console.log(item); } catch ({ name }) { console.log(name); }`;
  expect(await run(baseUrl, script)).toBe('TypeError');
});
