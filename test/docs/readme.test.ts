import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoProcess } from '../support/demo-service.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { listBlocks, listCurls } from '../support/markdown.ts';
import type { Service } from '../support/process.ts';
import { routes } from '../support/routes.ts';
import { untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = await readFile(join(root, 'README.md'), 'utf8');

const curls = listCurls(readme);
const recordCurls = listCurls(await readFile(join(root, 'docs/record.md'), 'utf8'));

/** Samples say where the service is by default. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:3000';

let service: Service;
let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
  service = await startDemoProcess();
  await untilAllSigned(service, 'demo');
  const proof = `${service.origin}/transparency/v1/brokers/alpha-markets/proof`;
  await until('the score of today is witnessed', 60_000, async () => {
    const answer = await fetch(proof);
    return answer.status === 200 && (await answer.text()).includes('.example/witness ');
  });
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

/** Runs a sample as it is written. Fails unless it is answered by JSON and a good status. */
const runCurl = async (command: string): Promise<object> => {
  const token = /btr_\S+/.exec(service.output())?.[0];
  const script = `curl() { command curl -sS --fail-with-body "$@"; }\n${command}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script.replaceAll(DEFAULT_ORIGIN, service.origin)], {
    env: { ...process.env, BASE: service.baseUrl, TOKEN: token },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout);
};

describe('the README', () => {
  test.each(routes)('the README has a curl command for $method $path', ({ method, path }) => {
    const target = new RegExp(`\\$BASE${path.replace(/:\w+/g, '[^/"?]+')}["?]`);
    const found = curls.filter((command) => target.test(command) && / -d /.test(command) === (method === 'POST'));
    expect(found).toHaveLength(1);
  });

  test.each(curls)('%s', async (command) => {
    expect(Object.keys(await runCurl(command)).length).toBeGreaterThan(0);
  });

  test('the README has commands that verify a score and audit the log of the demo', async () => {
    const [block = ''] = listBlocks(readme, 'sh').filter((one) => one.includes('client audit'));
    const cli = `${process.execPath} ${join(root, 'client/dist/cli.js')}`;
    const script = block.replaceAll('npx -y pnpm -s client', cli).replaceAll(DEFAULT_ORIGIN, service.origin);
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: scratch.path });
    expect(stdout).toContain('witnessed');
    expect(stdout).toMatch(/\nSound: every score of every day is what the entries give\.\n$/);
  });

  test('the README has a client sample that runs', async () => {
    const [sample] = listBlocks(readme, 'ts');
    const file = fileURLToPath(new URL('sample.tmp.ts', import.meta.url));
    await writeFile(file, (sample ?? '').replace(DEFAULT_ORIGIN, service.origin));
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(stdout).toMatch(/^.+ \d+(\.\d)?\n/);
      expect(stdout).toContain('regulation ');
    } finally {
      await rm(file);
    }
  });
});

describe('the page about the record', () => {
  test('the page about the record has samples of three histories, two times, a proof and openings', () => {
    expect(recordCurls).toHaveLength(6);
  });

  test.each(recordCurls)('%s', async (command) => {
    const isOpening = command.includes('/openings?');
    const expected = isOpening ? { data: [{ key: 'broker/alpha-markets' }] } : { slug: 'alpha-markets' };
    expect(await runCurl(command)).toMatchObject(expected);
  });
});

describe("the client's README", async () => {
  const commands = listBlocks(await readFile(join(root, 'client/README.md'), 'utf8'), 'sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx @broker-transparency/client '));

  test('the client’s README has a sample that verifies a proof of the demo', async () => {
    const samples = listBlocks(await readFile(join(root, 'client/README.md'), 'utf8'), 'js');
    const [sample = ''] = samples.filter((one) => one.includes('verifyProof'));
    const file = fileURLToPath(new URL('verify.tmp.mjs', import.meta.url));
    await writeFile(file, sample.replace(DEFAULT_ORIGIN, service.origin));
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^witnessed 1 \{[^}]*slug: 'alpha-markets'/);
    } finally {
      await rm(file);
    }
  });

  test('the client’s README has commands that run and exit by themselves', async () => {
    expect(commands.length).toBeGreaterThan(3);
    const env = { ...process.env, BROKER_TRANSPARENCY_URL: service.baseUrl };
    for (const command of commands) {
      const args = command.split(' ').slice(2);
      const cli = join(root, 'client/dist/cli.js');
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], { env });
      expect(stderr, command).toBe('');
      expect(stdout.split('\n').length, command).toBeGreaterThan(2);
    }
  });
});

/** Every Markdown file of the project. */
const pages = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const page of glob('**/*.md', { cwd: root, exclude: ['**/node_modules', '**/dist', '.*'] }))
    found.push(page);
  return found;
};

/** Anchors of the titles of a page. */
const readAnchors = async (file: string): Promise<ReadonlySet<string>> =>
  new Set(
    [...(await readFile(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s-]/gu, '')
        .trim()
        .replace(/\s+/g, '-'),
    ),
  );

test('all links between pages have a target', async () => {
  const broken: string[] = [];
  const anchors = new Map<string, Promise<ReadonlySet<string>>>();
  for (const page of await pages()) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (!existsSync(file)) broken.push(`${page} → ${target}`);
      else if (anchor && file.endsWith('.md')) {
        if (!anchors.has(file)) anchors.set(file, readAnchors(file));
        if (!(await anchors.get(file))?.has(anchor)) broken.push(`${page} → ${relative(root, file)}#${anchor}`);
      }
    }
  }
  expect(broken).toEqual([]);
});
