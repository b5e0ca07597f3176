import cluster from 'node:cluster';
import { type Command, Option } from 'commander';
import type { Mode } from '../../mode.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { requireInvocation } from './invocation.ts';
import { printError } from './output.ts';
import { printTarget } from './target.ts';

export const addServeOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--demo', 'load fictional demo data into an empty database, and print two demo tokens')
    .addOption(new Option('--only <part>', 'serve one part alone').choices(['public', 'enterprise']))
    .addHelpText('after', '\nExample:\n  PORT=8080 MONGODB_URL=mongodb://db/ratings?replicaSet=rs0 broker-rating serve')
    .action(async ({ demo = false, only }: Partial<Mode>) => {
      if (requireInvocation(env).host) throw new DomainError('state_conflict', 'serve needs a process of its own.');
      const { findMisspeltSettings, readConfig } = await import('../config.ts');
      const config = readConfig(env); // a wrong setting is refused before the rest is loaded
      if (cluster.isPrimary) {
        for (const line of findMisspeltSettings(env)) printError(line);
        printTarget(config);
      }
      const { startServer } = await import('../serve.ts'); // no other command needs the HTTP server
      await startServer(config, { demo, only });
    });
};
