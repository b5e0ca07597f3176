#!/usr/bin/env node
import module from 'node:module';

// by default Node opens its inspector on SIGUSR1; a listener of our own prevents that
process.on('SIGUSR1', () => {});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`broker-rating needs Node 22.18 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
module.enableCompileCache?.(); // later commands start in two thirds of the time

// a reader such as `head` may close the pipe before the end
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { run } = await import('./operate/cli/program.ts');
process.exitCode = await run(process.argv, process.env);
// everything is closed by now, but a timer of the job library or the channel of a worker would keep the process alive
if (process.argv[2] === 'serve') process.exit();
