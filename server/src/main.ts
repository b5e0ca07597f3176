#!/usr/bin/env node
import cluster from 'node:cluster';
import module from 'node:module';
import type { StopMessage } from './operate/process/workers.ts';
import { withTerminal } from './platform/terminal.ts';

// by default Node opens its inspector on SIGUSR1; a listener of our own prevents that
process.on('SIGUSR1', () => {});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`broker-rating needs Node 22.18 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
// A command starts in two thirds of the time with the cache. The service would start 0.2 s sooner, and need up to half as
// much processor time again for each request: V8 then often keeps the objects of a request until a full collection.
if (!process.argv.includes('serve')) module.enableCompileCache?.();

// a reader such as `head` may close the pipe before the end
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

type Stop = (signal: NodeJS.Signals) => void;

/** Notifies a command of SIGINT and SIGTERM. A second signal ends the process. */
const onSignal = (stop: Stop): (() => void) => {
  let isFirst = true;
  const hear = (signal: NodeJS.Signals): void => {
    if (!isFirst) process.exit(1);
    isFirst = false;
    stop(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
};

/**
 * Notifies a worker of SIGTERM and of its primary's messages. Ignores SIGINT, which a terminal sends to every process.
 */
const onPrimary = (stop: Stop): (() => void) => {
  process.on('SIGINT', () => {});
  process.on('SIGTERM', stop);
  process.on('message', (message: Partial<StopMessage> | null) => {
    if (message?.stop) stop(message.stop);
  });
  return () => {};
};

const { run } = await import('./operate/cli/program.ts');
const onStop = cluster.isWorker ? onPrimary : onSignal;
process.exitCode = await withTerminal({ onStop, exit: process.exit }, () => run(process.argv, process.env));
// everything is closed by now, but a timer of the job library or the channel of a worker would keep the process alive
if (process.argv[2] === 'serve') process.exit();
