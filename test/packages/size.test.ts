import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { contract } from '@broker-transparency/contract';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from './pack.ts';

/** Bytes of the nine calls. They are made of parts that families use too, so that a family costs little. */
const BUDGET = 6840;

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
let readme: string;

/** Compares a size with the one that the row of this name in the README of the client states, to as many digits. */
const expectStated = (name: string, size: number): void => {
  const [, stated = ''] = new RegExp(`^\\| \`${name}\\b.* \\| ([\\d.]+) kB[^|]*\\|$`, 'm').exec(readme) ?? [];
  const [, decimals = ''] = stated.split('.');
  expect(stated, `README: ${name} has ${size} bytes`).toBe((size / 1000).toFixed(decimals.length));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'size-'));
  await pack('client', folder);
  readme = await readFile(join(import.meta.dirname, '../../client/README.md'), 'utf8');
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

/** Most bytes that each family adds to the application, with all of its calls. */
const FAMILY_BUDGETS = { record: 800, account: 800, enterprise: 2500 };

test.each(Object.entries(FAMILY_BUDGETS))(
  'the family %s adds at most %i bytes, and only where it is used',
  async (family, most) => {
    const path = `${family === 'record' ? 'transparency' : family}/v1`;
    const build = async (contents: string) => {
      const { metafile, outputFiles } = await bundle(contents);
      expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
      const [{ contents: bytes, text } = { contents: '', text: '' }] = outputFiles;
      return { size: gzipSync(bytes, { level: 9 }).length, text };
    };
    const both = await build(`
      import { ${family} } from '@broker-transparency/client/${family}';
      ${APPLICATION.replace("/api/v1' }", `/api/v1', with: [${family}({})] }`)}
      console.log(client.${family});
    `);
    const alone = await build(APPLICATION);
    console.info(`${family}: ${both.size - alone.size} of ${most} bytes more, minified and gzipped`);
    expect(both.text).toContain(path);
    expect(alone.text).not.toContain(path);
    expect(both.size - alone.size).toBeGreaterThan(100);
    expect(both.size - alone.size).toBeLessThanOrEqual(most);
    expectStated(family, both.size - alone.size);
  },
);

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

test.each([
  ['a proof', 5500, ['verifyProof']],
  ['proofs and publications', 8000, VERIFICATION],
] as const)('the verification of %s is at most %i bytes, and loads no package', async (what, most, names) => {
  const size = await verifying(...names);
  console.info(`verify ${what}: ${size} of ${most} bytes minified and gzipped`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(most);
  expectStated(names.at(-1) ?? '', size);
});

test.each([
  ['reviews', 'verifyReview', 210],
  ['statements of reasons', 'verifyStatement', 670],
])('the verification of %s by %s adds at most %i bytes, and only where it is used', async (what, name, most) => {
  const size = (await verifying(...VERIFICATION, name)) - (await verifying(...VERIFICATION));
  console.info(`${what}: ${size} of ${most} bytes more, minified and gzipped`);
  expect(size).toBeGreaterThan(50);
  expect(size).toBeLessThanOrEqual(most);
  expectStated(name, size);
});

/* It counts complaints from their entries, knows that a suspected clone is mute, and names what only all entries of a broker would show. */
test('the verification of answers adds at most 18 060 bytes, and only where it is used', async () => {
  const { metafile, outputFiles } = await bundle(
    `import { verifier } from '@broker-transparency/client/verify';
    ${APPLICATION.replace("/api/v1' }", "/api/v1', verify: verifier('') }")}`,
    'browser',
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?crypto/);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length - BUDGET;
  console.info(`verifier: ${size} of 18 060 bytes more, minified and gzipped`);
  expect(size).toBeGreaterThan(5000);
  expect(size).toBeLessThanOrEqual(18_060);
  expectStated('verifier', size);
});

/** With all calls, the feed, snapshots, both replicas and webhooks; of the contract it has the arithmetic of the log. A
 * removal tells the service's own 503 from that of a proxy. */
const ENTERPRISE_BUDGET = 21_910;

test(`the entry for customers is at most ${ENTERPRISE_BUDGET} bytes, and loads no package and nothing of Node`, async () => {
  const { metafile, outputFiles } = await bundle(
    `import { enterprise, fileReplica, memoryReplica, replica, webhookHandler } from '@broker-transparency/client/enterprise';
    console.log(enterprise, fileReplica, memoryReplica, replica, webhookHandler);`,
    'browser',
  );
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(outputFiles[0]?.text).not.toMatch(/(from|import|require)\s*\(?["'](node:)?(crypto|fs)/);
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  console.info(`enterprise: ${size} of ${ENTERPRISE_BUDGET} bytes minified and gzipped`);
  expect(size).toBeGreaterThan(5000);
  expect(size).toBeLessThanOrEqual(ENTERPRISE_BUDGET);
});

/** Returns the size of a bundle for Node, minified and gzipped, and the modules that it loads. */
const bundleForNode = async (contents: string) => {
  const { metafile, outputFiles } = await bundle(contents, 'node');
  return {
    size: gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length,
    loaded: Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
  };
};

test.each([
  ['audit', 28_500],
  ['recomputeMonth', 11_300],
])('a program with %s alone is at most %i bytes, and loads nothing but hashes', async (name, most) => {
  const { size, loaded } = await bundleForNode(
    `import { ${name} } from '@broker-transparency/client/verify/node'; console.log(${name});`,
  );
  expect(loaded).toEqual(['crypto']);
  console.info(`${name}: ${size} of ${most} bytes minified and gzipped`);
  expect(size).toBeGreaterThan(4000);
  expect(size).toBeLessThanOrEqual(most);
  expectStated(name, size);
});

/* With an error whose name can be assigned. */
test('the download of a month sends its requests as calls do, and adds at most 2250 bytes to an application', async () => {
  const { size: both } = await bundleForNode(
    `import { downloadMonth } from '@broker-transparency/client/verify/node'; ${APPLICATION} console.log(downloadMonth);`,
  );
  const size = both - (await bundleForNode(APPLICATION)).size;
  console.info(`download of a month: ${size} of 2250 bytes more, minified and gzipped`);
  expect(size).toBeGreaterThan(200);
  expect(size).toBeLessThanOrEqual(2250);
  expectStated('downloadMonth', size);
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
