/**
 * Types the commands of the page "Installing" below a folder, as far as that needs neither root nor a running systemd.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../packages/pack.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createEnvironment } from '../support/process.ts';
import { type LocalService, startService } from '../support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['/opt/', '/etc/', '/srv/', '/usr/local/', '/usr/bin/node', '/run/', '/var/'];

/** Stands in for systemd: reads the files of settings, and runs the command as this user. Notes the properties. */
const SYSTEMD_RUN = `#!/bin/bash --norc
printf '%s\\n' "$@" >"$BELOW/systemd-run.args"
while [ "\${1#--}" != "$1" ]; do
  case "$1" in
    --property=EnvironmentFile=*) set -a; while IFS='=' read -r name value; do [ -n "$name" ] && declare -x "$name=$value"; done <"\${1#*EnvironmentFile=}"; set +a ;;
    --setenv=*) export "\${1#--setenv=}" ;;
    --working-directory=*) cd "\${1#*=}" ;;
  esac
  shift
done
exec "$@"
`;

let scratch: Scratch;
let service: LocalService;
let blocks: string[];

/** Puts every absolute path of the page below the folder. */
const below = (text: string): string =>
  FOLDERS.reduce(
    (moved, folder) => moved.replaceAll(new RegExp(`(?<![\\w.-])${folder}`, 'g'), `${scratch.path}${folder}`),
    text,
  );

const run = (script: string, env = {}): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const PATH = `${scratch.path}/shims:${scratch.path}/usr/local/bin:${process.env['PATH']}`;
    const options = {
      cwd: root,
      env: { ...createEnvironment({}), PATH, BELOW: scratch.path, ...env },
      timeout: 240_000,
    };
    execFile('sh', ['-euc', script], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
    );
  });

const shim = async (name: string, text: string): Promise<void> => {
  const file = await scratch.write(join('shims', name), text);
  await chmod(file, 0o755);
};

/** The server, and the packages of this project that it depends on. */
const SERVER_PACKAGES = ['contract', 'client', 'server'] as const;

/** Links what a package depends on to where npm puts it: the packages of the registry are those of the checkout. */
const linkDependencies = async (name: string, into: string): Promise<void> => {
  const { dependencies = {} } = JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies).filter((each) => !each.startsWith('@broker-transparency/'))) {
    await mkdir(dirname(join(into, dependency)), { recursive: true });
    await symlink(await realpath(join(root, name, 'node_modules', dependency)), join(into, dependency)).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
};

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService();
  for (const folder of [
    'shims',
    'run',
    'usr/bin',
    'usr/local/bin',
    'etc/sudoers.d',
    'etc/systemd/system',
    'srv',
    'ops/deploy/bin',
    'var/lib/broker-rating',
  ])
    await mkdir(join(scratch.path, folder), { recursive: true });
  await symlink(process.execPath, join(scratch.path, 'usr/bin/node'));
  await shim('systemd-run', SYSTEMD_RUN);
  await shim('id', '#!/bin/sh\necho 0\n');
  for (const name of ['groupadd', 'chgrp', 'systemctl'])
    await shim(name, `#!/bin/sh\necho "${name} $*" >>"$BELOW/asked"\n`);
  const page = await readFile(join(root, 'docs/operating/installing.md'), 'utf8');
  blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

test('the page installs the package, its settings, the command and the units, as it is typed', async () => {
  const [install = '', settings = '', keys = '', command = '', units = ''] = blocks;
  expect(install).toBe(
    'npm install --prefix /opt/broker-rating --ignore-scripts @broker-transparency/server@VERSION\n',
  );
  const prefix = join(scratch.path, 'opt/broker-rating');
  for (const name of SERVER_PACKAGES) await pack(name, prefix);
  for (const name of SERVER_PACKAGES) await linkDependencies(name, join(prefix, 'node_modules'));

  const url = String(service.data['MONGODB_URL']);
  const mine = settings.replace(/^MONGODB_URL=.*$/m, `MONGODB_URL=${url}`).replace(/^REDIS_URL=.*\n/m, '');
  expect(await run(below(mine))).toMatchObject({ code: 0, stderr: '' });
  expect((await stat(join(scratch.path, 'etc/broker-rating/environment'))).mode & 0o777).toBe(0o600);

  const made = await run(below(keys));
  expect(made.code, made.stderr).toBe(0);
  for (const name of ['log.key', 'webhook.key'])
    expect((await stat(join(scratch.path, 'etc/broker-rating', name))).mode & 0o777, name).toBe(0o600);

  const wrapper = await readFile(join(root, 'ops/deploy/bin/broker-rating'), 'utf8');
  await scratch.write('ops/deploy/bin/broker-rating', below(wrapper));
  const typed = below(command).replace('ops/deploy/bin/', `${scratch.path}/ops/deploy/bin/`);
  const typing = await run(typed);
  expect(typing.code, typing.stderr).toBe(0);
  const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'));
  expect(typing.stdout).toContain(version);
  expect(typing.stderr + typing.stdout).not.toContain('embedded');

  expect(await run(below(units))).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(join(scratch.path, 'asked'), 'utf8')).split('\n')).toContain(
    'systemctl enable --now broker-rating.service broker-rating-backup.timer',
  );
});

test('the command runs as the user of the service with its settings, and shows nobody the token', async () => {
  const token = 'bro_notARealToken';
  const ran = await run('broker-rating operator list --json', { BROKER_RATING_TOKEN: token });
  expect(ran.stderr).not.toContain(token);
  const given = (await readFile(join(scratch.path, 'systemd-run.args'), 'utf8')).split('\n');
  expect(given.join('\n')).not.toContain(token);
  const unit = await readFile(join(root, 'ops/deploy/systemd/broker-rating.service'), 'utf8');
  for (const name of ['DynamicUser', 'StateDirectory', 'StateDirectoryMode', 'CacheDirectory', 'CacheDirectoryMode'])
    expect(given).toContain(`--property=${new RegExp(`^${name}=.*$`, 'm').exec(unit)?.[0]}`);
  expect(given).toContain(`--property=EnvironmentFile=${scratch.path}/etc/broker-rating/environment`);
  const bad = await run('broker-rating status', { BROKER_RATING_TOKEN: 'bro_x\nMONGODB_URL=mongodb://elsewhere' });
  expect(bad).toMatchObject({ code: 2, stderr: 'BROKER_RATING_TOKEN is not a token.\n' });
});

test('the group may run this command alone', async () => {
  const rules = (await readFile(join(root, 'ops/deploy/sudoers/broker-rating'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules).toEqual([
    'Defaults!/usr/local/bin/broker-rating env_keep += "BROKER_RATING_TOKEN"',
    '%broker-rating-operators ALL=(root) NOPASSWD: /usr/local/bin/broker-rating',
  ]);
});
