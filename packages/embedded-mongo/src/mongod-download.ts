import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const START_TIMEOUT_MS = 5_000;
const STALL_TIMEOUT_MS = 30_000;

const SCRIPT = `
const { MongoBinary } = require(process.argv[1]);
MongoBinary.getPath({ downloadDir: process.argv[2] }).then(
  (path) => console.log('\\ndone ' + path),
  (error) => { console.log('\\nfailed ' + String(error.message || error).replace(/\\s+/g, ' ')); process.exitCode = 1; },
);`;

/**
 * Downloads mongod into `directory` with mongodb-memory-server and returns its path. The download runs in its own
 * process, because the library's retries, output and connection timeout of one minute can only be set per process or
 * not at all, and because it verifies TLS certificates only if npm's `strict-ssl` is set in the environment.
 */
export function downloadMongod(directory: string, env: NodeJS.ProcessEnv): Promise<string> {
  const library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
  const child = spawn(process.execPath, ['-e', SCRIPT, library, directory], {
    env: {
      ...env,
      npm_config_strict_ssl: 'true',
      MONGOMS_MAX_RETRIES: '1',
      MONGOMS_DOWNLOAD_DIR: directory,
      MONGOMS_RUNTIME_DOWNLOAD: 'true',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    let stalled = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    child.stdout.on('data', (chunk) => {
      output += chunk;
      clearTimeout(stalled);
      stalled = setTimeout(() => child.kill('SIGKILL'), STALL_TIMEOUT_MS);
    });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(stalled);
      const [, outcome, detail] = /^(done|failed) (.+)$/m.exec(output) ?? [];
      if (outcome === 'done' && detail) resolve(detail);
      else reject(new Error(detail ?? 'the download host does not answer'));
    });
  });
}
