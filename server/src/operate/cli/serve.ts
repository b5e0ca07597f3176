import { type Command, Option } from 'commander';
import type { Mode } from '../process/web.ts';

export const addServeOptions = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .option('--demo', 'load fictional demo data into an empty database, and print two demo tokens')
    .addOption(new Option('--only <part>', 'serve one part alone').choices(['public', 'enterprise']))
    .addHelpText('after', '\nExample:\n  PORT=8080 MONGODB_URL=mongodb://db/ratings?replicaSet=rs0 broker-rating serve')
    .action(async ({ demo = false, only }: Partial<Mode>) => {
      const { readConfig } = await import('../config.ts');
      const config = readConfig(env); // a wrong setting is refused before the rest is loaded
      const { startServer } = await import('../serve.ts'); // no other command needs the HTTP server
      await startServer(config, { demo, only });
    });
};
