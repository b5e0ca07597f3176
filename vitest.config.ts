import { defineConfig } from 'vitest/config';
import SlowFirst from './test/support/slow-first.ts';

/** Rules beside their source run on the sources; the system tests use the built client, as a consumer gets it. */
const source = ['@broker-transparency/source', 'node']; // not 'import': dependencies also use require

export default defineConfig({
  test: {
    maxWorkers: 2, // more make every test slower, and some too slow
    isolate: false, // starting a process and loading its modules costs more than most files' tests
    setupFiles: 'vitest.setup.ts',
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source, externalConditions: source } },
        test: {
          name: 'unit',
          include: ['{contract,client,server}/{src,scripts}/**/*.test.ts', 'docs/recipes/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          globalSetup: 'test/support/global-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
