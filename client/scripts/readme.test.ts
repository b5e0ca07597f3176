import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Answer,
  accountOpenApiDocument,
  openApiDocument,
  recordOpenApiDocument,
} from '@broker-transparency/contract/openapi';
import { expect, test } from 'vitest';
import { sendJson, serve } from './test-server.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

const server = { serverUrl: 'https://brokers.example', version: '1.0.0' };
const documents = [openApiDocument(server), recordOpenApiDocument(server), accountOpenApiDocument(server)];

/** Returns the contract's example of an answer. */
const findExample = ({ content }: Answer): unknown => {
  const [name = ''] = Object.keys(content?.['application/json']?.examples ?? {});
  return documents.flatMap(({ components }) => components.examples[name]?.value ?? [])[0];
};

/** Routes that answer with the contract's examples. No route matches the name `nobody`. */
const routes = documents.flatMap(({ paths, servers: [address] }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => {
      const success = Object.entries(responses).find(([code]) => code.startsWith('2'));
      const { pathname } = new URL(address?.url ?? '');
      return {
        method: method.toUpperCase(),
        path: new RegExp(`^${pathname}${path.replace(/\{\w+\}/g, '(?!nobody)[^/]+')}(\\?|$)`),
        status: Number(success?.[0]),
        body: findExample(success?.[1] as Answer),
      };
    }),
  ),
);

const service = () =>
  serve((response, { method, url }) => {
    const route = routes.find((each) => each.method === method && each.path.test(url));
    if (route === undefined) return sendJson(response, 404, { code: 'broker_not_found' });
    return sendJson(response, route.status, route.body);
  });

/** Declarations that all samples but the first take for granted. */
const PRELUDE = `
  import { createClient as make } from '@broker-transparency/client';
  const client = make({ baseUrl: 'https://brokers.example' });
  const review = { broker: 'alpha-markets', rating: 4, language: 'en', title: 'A title', content: 'x'.repeat(20) };`;

const run = async (sample: string, baseUrl: string): Promise<string> => {
  const whole = /const client\b/.test(sample) ? sample : PRELUDE + sample;
  const program = whole.replaceAll('https://brokers.example', baseUrl);
  const flags = ['--conditions=@broker-transparency/source', '--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder, timeout: 20_000 });
  return stdout;
};

test.each(samples.map((sample, index) => ({ number: index + 1, sample })))(
  'sample $number of the README runs',
  async ({ sample }) => {
    const { baseUrl, requests } = await service();
    const output = await run(sample, baseUrl);
    // a sample with a test server of its own prints that its test passed, or a status
    if (sample.includes('/testing')) expect(output).toMatch(/^(ℹ pass 1|200)$/m);
    else expect(requests.length).toBeGreaterThan(0);
  },
);

test('the README’s sample recomputes a score correctly', async () => {
  const sample = samples.find((each) => each.includes('recomputeScore')) ?? '';
  const { baseUrl } = await service();
  expect(await run(sample, baseUrl)).toBe('true\n');
});
