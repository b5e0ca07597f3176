/** Runs the built command line many times in one process; see commands.ts. */
import { pathToFileURL } from 'node:url';
import type { Command } from './commands.ts';

type Write = typeof process.stdout.write;

/** Captures what is written to a stream. `text` returns it. */
const capture = (stream: NodeJS.WriteStream): { readonly text: () => string; readonly restore: () => void } => {
  const chunks: Buffer[] = [];
  const write = stream.write;
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as string));
    for (const argument of rest) if (typeof argument === 'function') process.nextTick(argument);
    return true;
  }) as Write;
  return {
    text: () => Buffer.concat(chunks).toString('utf8'),
    restore: () => {
      stream.write = write;
    },
  };
};

const bin = String(process.argv[2]);
let runs = 0;

const runOnce = async ({ args, env }: Command) => {
  process.argv = [process.execPath, bin, ...args];
  process.env = env;
  process.exitCode = 0;
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const listeners = { SIGUSR1: process.listeners('SIGUSR1'), error: process.stdout.listeners('error') };
  try {
    await import(`${pathToFileURL(bin)}?${++runs}`); // evaluates the entry again; imports stay loaded
  } finally {
    stdout.restore();
    stderr.restore();
    for (const listener of process.listeners('SIGUSR1'))
      if (!listeners.SIGUSR1.includes(listener)) process.off('SIGUSR1', listener);
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.error.includes(listener)) process.stdout.off('error', listener as () => void);
  }
  return { code: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
};

process.on('message', async (command: Command) => {
  const result = await runOnce(command);
  process.exitCode = 0;
  process.send?.(result);
});
process.on('disconnect', () => process.exit());
