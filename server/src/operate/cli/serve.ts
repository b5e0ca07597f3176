import cluster from 'node:cluster';
import { DomainError } from '../../platform/domain-error.ts';
import { defineCommand } from './define-command.ts';
import { requireInvocation } from './invocation.ts';
import { printError } from './output.ts';
import { printTarget } from './target.ts';

export const serveCommands = [
  defineCommand({
    words: 'serve',
    rights: { open: true },
    options: {
      demo: 'load fictional demo data into an empty database, and print two demo tokens',
      only: { value: '<part>', what: 'serve only this part', choices: ['public', 'enterprise'] },
    },
    example: 'PORT=8080 MONGODB_URL=mongodb://db/ratings?replicaSet=rs0 broker-rating serve',
    run: async ({ env }, { demo = false, only }) => {
      if (requireInvocation(env).host) throw new DomainError('state_conflict', 'serve needs a process of its own.');
      const { findMisspeltSettings, readConfig } = await import('../config.ts');
      const config = readConfig(env); // a wrong setting is refused before the rest is loaded
      if (cluster.isPrimary) {
        for (const line of findMisspeltSettings(env)) printError(line);
        printTarget(config);
      }
      const { startServer } = await import('../serve.ts'); // no other command needs the HTTP server
      await startServer(config, { demo, only });
    },
  }),
];
