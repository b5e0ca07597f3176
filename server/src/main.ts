#!/usr/bin/env node
import { run } from './cli/program.ts';

// a reader such as head may leave before the end
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await run(process.argv, process.env);
// all is closed; a timer of the job library, or a worker's channel, would hold the exit up
if (process.argv[2] === 'serve') process.exit();
