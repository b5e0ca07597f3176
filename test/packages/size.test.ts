import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { contract } from '@broker-transparency/contract';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from './pack.ts';

const BUDGET = 6000;

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

const bundle = async (contents: string, platform: 'neutral' | 'browser' = 'neutral') =>
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

test('the verification of proofs is at most 8000 bytes, and loads no package', async () => {
  const { metafile, outputFiles } = await bundle(
    `import { verifyCheckpoint, verifyConsistency, verifyProof } from '@broker-transparency/client/verify';
    console.log(verifyCheckpoint, verifyConsistency, verifyProof);`,
    'browser',
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?crypto/);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`verify: ${size} of 8000 bytes minified and gzipped`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(8000);
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
