import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantCustomerKey } from '../support/enterprise.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { listBlocks } from '../support/markdown.ts';
import { brokerRow } from '../support/records.ts';
import { createPolicy, type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(`${root}/docs/enterprise/sdk.md`, 'utf8');

const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

let log: LogService;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  log = await startLogService();
  const { service, scratch } = log;
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
  await untilAllSigned(service);
  succeeded(await service.cli('admin', 'enterprise', 'snapshot'));
  await scratch.write('policy.txt', createPolicy(log.key));
  const key = await grantCustomerKey(service, 'acme-bank', 'institution');
  env = { ...process.env, BROKER_KEY: key, BROKER_TRANSPARENCY_ENTERPRISE_KEY: key };
});
afterAll(() => log?.remove());

const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { env, cwd: log.scratch.path });

/** The output of each sample, in their order. */
const PRINTED = [
  /^acme-bank institution \[.*\d+ license\/alpha\/fca\//s,
  /^\d+ broker\/alpha\n\d+ broker\/beta\n$/,
  /^\{ applied: (\d+), signed: \1, witnessed: -1 \}\n.*broker\/alpha \{/s,
  /^undefined\n$/,
  /^$/,
];

test.each(listBlocks(page, 'ts').map((sample, at) => [at, sample] as const))('sample %i runs', async (at, sample) => {
  const file = fileURLToPath(new URL('sample.tmp.ts', import.meta.url));
  await writeFile(file, sample.replace(DEFAULT_ORIGIN, log.service.origin));
  try {
    const { stdout, stderr } = await run(process.execPath, file);
    expect(stderr).toBe('');
    expect(stdout).toMatch(PRINTED[at] as RegExp);
  } finally {
    await rm(file);
  }
});

test('the commands run', async () => {
  const commands = listBlocks(page, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx '))
    .map((line) => line.replace(DEFAULT_ORIGIN, log.service.origin).split(' ').slice(2));
  const cli = `${root}/client/dist/cli.js`;
  const results: string[] = [];
  for (const args of commands) results.push((await run(process.execPath, cli, ...args)).stdout);
  expect(results).toEqual([expect.stringContaining('Complete: every page'), expect.stringMatching(/\nSound: /)]);
  // a text that nobody publishes, and an entry of another log, are found
  const [, check = []] = commands;
  const wrong = { key: 'broker/alpha', texts: { description: { salt: 'c2FsdA==', text: 'not published' } } };
  await writeFile(log.scratch.file('brokers/texts.ndjson'), `${JSON.stringify(wrong)}\n`);
  const failed = await run(process.execPath, cli, ...check).catch((error: { code: number; stdout: string }) => error);
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('the description of broker/alpha is a text'),
  });
});

test('every code of an error stands in the table', async () => {
  const source = await readFile(`${root}/client/src/enterprise/error.ts`, 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => `\`${code}\``);
  expect(codes).toHaveLength(12);
  expect(codes.filter((code) => !page.includes(code))).toEqual([]);
});
