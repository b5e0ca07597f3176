import { configDefaults, defineConfig } from 'vitest/config';
import SlowFirst from './test/support/slow-first.ts';

/** Rules beside their source run on the sources; the system tests use the built client, as a consumer gets it. */
const source = ['@broker-transparency/source', 'node']; // not 'import': dependencies also use require

/** These judge what a service promises while parts of it fail or end. They mostly wait, so they run side by side. */
const FAILING = ['test/faults/{faults,majority}.test.ts', 'test/operate/drain.test.ts'];

/** These judge how fast something is, or that the service never refuses, on a machine that does little else. */
const TIMED = [
  'server/src/features/news/feeds/linear.test.ts',
  'test/bench/bench.test.ts',
  'test/overload/overload.test.ts',
  'test/operate/workers.test.ts',
];

/** Benchmarks say how fast something is. These only end what hangs, also on a machine that does much else. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 };

/** The settings of all tests of running services. They run the published packages as Node loads them. */
const running = {
  server: { deps: { external: [/\/(contract|client|server)\/dist\//] } },
  globalSetup: 'test/support/global-setup.ts',
  setupFiles: ['vitest.setup.ts', 'test/support/service.setup.ts'],
  ...patience,
};

export default defineConfig({
  test: {
    maxWorkers: 3, // on two processors: with more, tests that wait for a condition look at it more often and take longer
    isolate: false, // starting a process and loading its modules costs more than most files' tests
    execArgv: ['--initial-heap-size=512'], // a heap of 90 MB in use is otherwise marked again every two seconds
    setupFiles: 'vitest.setup.ts',
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        resolve: { conditions: source },
        ssr: { resolve: { conditions: source, externalConditions: source } },
        test: {
          name: 'unit',
          globalSetup: 'test/support/generate.ts',
          include: ['{contract,client,server,packages/*}/{src,scripts}/**/*.test.ts', 'docs/recipes/*.test.ts'],
          exclude: [...configDefaults.exclude, ...FAILING, ...TIMED],
          ...patience,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...FAILING, ...TIMED],
          ...running,
        },
      },
      {
        test: {
          name: 'failing',
          include: FAILING,
          sequence: { groupOrder: 1 }, // after all others
          ...running,
        },
      },
      {
        test: {
          name: 'timed',
          include: TIMED,
          maxWorkers: 1, // they judge by time
          sequence: { groupOrder: 2 }, // alone
          ...running,
        },
      },
    ],
  },
});
