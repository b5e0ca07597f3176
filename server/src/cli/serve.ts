import type { Command } from 'commander';
import { startServer } from '../serve.ts';

export const addServeCommand = (program: Command, env: NodeJS.ProcessEnv): void => {
  program
    .command('serve')
    .description('serve the API until SIGTERM or SIGINT')
    .option('--demo', 'load fictional demo data into an empty database, and print two demo tokens')
    .addHelpText('after', '\nExample:\n  PORT=8080 MONGODB_URL=mongodb://db/ratings?replicaSet=rs0 broker-rating serve')
    .action(async ({ demo }: { demo?: boolean }) => {
      await startServer(env, demo === true);
      process.exit(0); // all is closed; a timer of the job library would hold the exit up for half a lock's life
    });
};
