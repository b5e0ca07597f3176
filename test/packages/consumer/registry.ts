import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getToolPath } from './tools.ts';

const run = promisify(execFile);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
};

/** A registry without upstream: it only knows the packages published to it. */
const settings = (folder: string) => ({
  storage: join(folder, 'storage'),
  auth: { htpasswd: { file: join(folder, 'htpasswd') } },
  packages: { '**': { access: '$all', publish: '$all' } },
  log: { type: 'stdout', format: 'pretty', level: 'warn' },
});

export interface LocalRegistry {
  /** Publishes a tarball, as a release would. */
  readonly publish: (tarball: string) => Promise<void>;
  /**
   * Installs packages into a new folder and returns it. The project's scope comes from this registry, everything else
   * from npm's configured one.
   */
  readonly install: (name: string, packages: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Starts a registry on a free port of loopback that stores its data in `folder`. */
export const startRegistry = async (folder: string): Promise<LocalRegistry> => {
  const port = await freePort();
  const address = `127.0.0.1:${port}/`;
  const config = join(folder, 'registry.yaml');
  await writeFile(config, JSON.stringify(settings(folder)));
  const child = spawn(
    process.execPath,
    [getToolPath('verdaccio/bin/verdaccio'), '--config', config, '--listen', `127.0.0.1:${port}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const gone = once(child, 'exit');
  const answers = () =>
    fetch(`http://${address}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await answers()); tries++) {
    if (tries > 150 || child.exitCode !== null) throw new Error('verdaccio does not answer');
    await wait(200);
  }
  const project = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'package.json'), JSON.stringify({ private: true }));
    const lines = [`@broker-transparency:registry=http://${address}`, `//${address}:_authToken=rehearsal`];
    await writeFile(join(path, '.npmrc'), lines.join('\n'));
    return path;
  };
  return {
    publish: async (tarball) => {
      // Only a release workflow can provide provenance.
      await run('npm', ['publish', tarball, '--provenance=false'], { cwd: await project('publisher') });
    },
    install: async (name, packages) => {
      const cwd = await project(name);
      await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd });
      return cwd;
    },
    close: async () => {
      child.kill();
      await gone;
    },
  };
};
