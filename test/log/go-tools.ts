import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/* Programs in Go, pinned by go.mod and go.sum. */

const FOLDER = join(import.meta.dirname, 'go');
const run = promisify(execFile);

/** Runs the go command. @throws Error that says what is missing, if Go is */
const go = async (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> => {
  try {
    const { stdout } = await run('go', args, { cwd: FOLDER, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('the comparison needs Go 1.25 or later (https://go.dev/dl), and there is no command go', {
      cause: error,
    });
  }
};

/** Builds the program of this folder. */
export const buildCheck = async (folder: string): Promise<string> => {
  const program = join(folder, 'log-check');
  await go(['build', '-o', program, '.']);
  return program;
};

/** Builds the witness of the version of torchwood that go.mod names. */
export const buildWitness = async (folder: string): Promise<string> => {
  const version = /filippo\.io\/torchwood (v\S+)/.exec(await readFile(join(FOLDER, 'go.mod'), 'utf8'))?.[1];
  await go(['install', `filippo.io/torchwood/cmd/litewitness@${version}`], { GOBIN: folder });
  return join(folder, 'litewitness');
};

/** A witness on a loopback port. */
export interface Witness {
  /** The address of its write API. */
  readonly url: string;
  readonly verifierKey: string;
  readonly stop: () => Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('there is no port');
  return address.port;
};

const stopped = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await Promise.race([once(child, 'exit'), wait(3000)]);
  child.kill('SIGKILL');
};

/** Starts an agent that holds a new key. The witness signs through it. */
const startAgent = async (folder: string) => {
  const [socket, keyFile] = [join(folder, 'agent'), join(folder, 'witness-key')];
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', keyFile]);
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
  const added = async (): Promise<void> => {
    for (let tries = 0; ; tries++) {
      try {
        await run('ssh-add', ['-q', keyFile], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await wait(100);
      }
    }
  };
  await added();
  const { stdout } = await run('ssh-keygen', ['-l', '-f', keyFile]);
  return { agent, socket, fingerprint: stdout.split(' ')[1] ?? '' };
};

/** Tells the witness of a log: its command for that needs packages that not every module proxy has. */
const addLog = (file: string, origin: string, verifierKey: string): void => {
  const database = new DatabaseSync(file);
  const emptyRoot = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
  database.prepare('INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?)').run(origin, emptyRoot);
  database.prepare('INSERT INTO key (origin, key) VALUES (?, ?)').run(origin, verifierKey);
  database.close();
};

/** Starts the witness for one log. */
export const startWitness = async (
  program: string,
  folder: string,
  log: { readonly origin: string; readonly verifierKey: string },
): Promise<Witness> => {
  const { agent, socket, fingerprint } = await startAgent(folder);
  const listen = `127.0.0.1:${await freePort()}`;
  const database = join(folder, 'witness.db');
  const args = ['-ssh-agent', socket, '-key', fingerprint, '-name', 'witness.example/lite', '-db', database];
  const witness = spawn(program, [...args, '-listen', listen], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async (): Promise<void> => {
    await stopped(witness);
    await stopped(agent);
  };
  let lines = '';
  for await (const line of createInterface(witness.stderr)) {
    lines += `${line}\n`;
    const verifierKey = /vkey="?([^"\s]+)/.exec(line)?.[1];
    if (verifierKey === undefined) continue;
    witness.stderr.resume();
    addLog(database, log.origin, log.verifierKey);
    return { url: `http://${listen}`, verifierKey, stop };
  }
  await stop();
  throw new Error(`the witness ended:\n${lines}`);
};
