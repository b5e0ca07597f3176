import type { Command } from 'commander';
import { startServer } from '../serve.ts';

export const addServeCommand = (program: Command, env: NodeJS.ProcessEnv): void => {
  program
    .command('serve')
    .description('serve the API until SIGTERM or SIGINT')
    .option('--demo', 'load fictional demo data into an empty database, and print two demo tokens')
    .addHelpText('after', '\nExample:\n  PORT=8080 MONGODB_URL=mongodb://db/ratings?replicaSet=rs0 broker-rating serve')
    .action(({ demo }: { demo?: boolean }) => startServer(env, demo === true));
};
