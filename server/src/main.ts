#!/usr/bin/env node
import module from 'node:module';

// Node opens its inspector to whoever sends this signal, unless somebody listens to it
process.on('SIGUSR1', () => {});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`broker-rating needs Node 22.18 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
module.enableCompileCache?.(); // the next command starts in two thirds of the time

// a reader such as head may leave before the end
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const { run } = await import('./operate/cli/program.ts');
process.exitCode = await run(process.argv, process.env);
// all is closed; a timer of the job library, or a worker's channel, would hold the exit up
if (process.argv[2] === 'serve') process.exit();
