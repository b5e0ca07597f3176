import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { brokerHistory, contract } from '@broker-transparency/contract';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from './pack.ts';

/** Bytes of the nine calls with everything that their options do. */
const BUDGET = 6800;

const CALLS = [
  'search',
  'brokers.list',
  'brokers.get',
  'regulators.list',
  'regulators.get',
  'reviews.list',
  'reviews.create',
  'complaints.create',
  'news.list',
];

/** An application that makes every call. */
const APPLICATION = `
  import { createClient } from '@broker-transparency/client';
  const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });
  console.log(${CALLS.map((call) => `client.${call}`).join(', ')});
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'size-'));
  await pack('client', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bundle = async (contents: string, platform: 'neutral' | 'browser' | 'node' = 'neutral') =>
  build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform,
    conditions: ['import'],
  });

test('the application makes all calls of the contract', () => {
  const calls = Object.entries(contract).flatMap(([group, routes]) =>
    'method' in routes ? [group] : Object.keys(routes).map((call) => `${group}.${call}`),
  );
  expect(calls.sort()).toEqual([...CALLS].sort());
});

test(`the client with every call is at most ${BUDGET} bytes minified and gzipped, and loads no package`, async () => {
  const { metafile, outputFiles } = await bundle(APPLICATION);
  expect(
    Object.keys(metafile.inputs).filter((file) => !/(^<stdin>|@broker-transparency\/client\/dist\/[^/]+)$/.test(file)),
  ).toEqual([]);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`client: ${size} of ${BUDGET} bytes minified and gzipped`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(BUDGET);
});

/** What the record adds for who uses it. Who does not pays nothing: it is an entry of its own. */
const RECORD_BUDGET = 300;

test(`the calls of the record add at most ${RECORD_BUDGET} bytes, and only where they are used`, async () => {
  const sizeOf = async (contents: string) => {
    const { metafile, outputFiles } = await bundle(contents);
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    const [{ contents: bytes, text } = { contents: '', text: '' }] = outputFiles;
    return { size: gzipSync(bytes, { level: 9 }).length, text };
  };
  const calls = Object.keys(brokerHistory).map((call) => `record.${call}`);
  const both = await sizeOf(`
    import { createRecordClient } from '@broker-transparency/client/record';
    ${APPLICATION}
    const record = createRecordClient({ baseUrl: 'https://brokers.example/api/v1' });
    console.log(${calls.join(', ')});
  `);
  const alone = await sizeOf(APPLICATION);
  console.info(`record: ${both.size - alone.size} of ${RECORD_BUDGET} bytes more, minified and gzipped`);
  expect(both.text).toContain('transparency/v1');
  expect(alone.text).not.toContain('transparency/v1');
  expect(both.size - alone.size).toBeGreaterThan(100);
  expect(both.size - alone.size).toBeLessThanOrEqual(RECORD_BUDGET);
});

test('the arithmetic of scores is at most 4000 bytes, and loads no package', async () => {
  const { metafile, outputFiles } = await bundle(
    "import { recomputeScore } from '@broker-transparency/client/score'; console.log(recomputeScore);",
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`score: ${size} of 4000 bytes minified and gzipped`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(4000);
});

/** Returns the bytes, minified and gzipped, of a bundle for browsers with these functions. */
const verifying = async (...names: readonly string[]): Promise<number> => {
  const { metafile, outputFiles } = await bundle(
    `import * as verify from '@broker-transparency/client/verify';
    console.log(${names.map((name) => `verify.${name}`).join(', ')});`,
    'browser',
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?crypto/);
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
};
const VERIFICATION = ['verifyCheckpoint', 'verifyConsistency', 'verifyProof', 'verifyPublication'];

test('the verification of proofs and publications is at most 8000 bytes, and loads no package', async () => {
  const size = await verifying(...VERIFICATION);
  console.info(`verify: ${size} of 8000 bytes minified and gzipped`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(8000);
});

test('the verification of reviews adds at most 200 bytes, and only where it is used', async () => {
  const size = (await verifying(...VERIFICATION, 'verifyReview')) - (await verifying(...VERIFICATION));
  console.info(`review: ${size} of 200 bytes more, minified and gzipped`);
  expect(size).toBeGreaterThan(50);
  expect(size).toBeLessThanOrEqual(200);
});

/** With the feed, snapshots, a replica in memory and webhooks; of the contract it has the arithmetic of the log. */
const ENTERPRISE_BUDGET = 21_000;

test(`the entry for customers is at most ${ENTERPRISE_BUDGET} bytes, and loads no package and nothing of Node`, async () => {
  const { metafile, outputFiles } = await bundle(
    `import { createEnterpriseClient, fileReplica, memoryReplica, replica, webhookHandler } from '@broker-transparency/client/enterprise';
    console.log(createEnterpriseClient, fileReplica, memoryReplica, replica, webhookHandler);`,
    'browser',
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?(crypto|fs)/);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`enterprise: ${size} of ${ENTERPRISE_BUDGET} bytes minified and gzipped`);
  expect(size).toBeGreaterThan(5000);
  expect(size).toBeLessThanOrEqual(ENTERPRISE_BUDGET);
});

test('the code that recomputes a month is at most 12 300 bytes, and loads no package', async () => {
  const { metafile, outputFiles } = await bundle(
    `import { downloadMonth, recomputeMonth } from '@broker-transparency/client/service-level';
    console.log(downloadMonth, recomputeMonth);`,
    'node',
  );
  const loaded = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(loaded).toEqual(['crypto']);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`service level: ${size} of 12 300 bytes minified and gzipped`);
  expect(size).toBeGreaterThan(4000);
  expect(size).toBeLessThanOrEqual(12_300);
});

test('the test server can be bundled for a browser without importing node:http', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { createTestServer } from '@broker-transparency/client/testing';", resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['@broker-transparency/contract'],
  });
  expect(outputFiles[0]?.text).toContain('createServer');
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?http/);
});
