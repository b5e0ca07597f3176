#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { main } from './cli/main.ts';

// A reader such as `head` closes the pipe when it has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2), {
  env: process.env,
  read: (file) => (file === '-' ? text(process.stdin) : readFile(file, 'utf8')),
  print: (output) => process.stdout.write(output),
  printError: (output) => process.stderr.write(output),
});
