/** Runs all measurements: scenarios, search with typos, memory. */
import { availableParallelism, cpus } from 'node:os';
import { type ComparisonRow, measure, type Plan } from './measure.ts';
import { createRandom, toSlug, withTypo } from './names.ts';
import { probe } from './probe.ts';
import { pinned, readResidentMb } from './processes.ts';
import { SCENARIOS } from './scenarios.ts';
import { createStage, type ServerName, type ServerStage } from './servers.ts';

export interface Options {
  readonly sizes: Parameters<typeof createStage>[0];
  readonly plan: Plan;
  /** Folder of the filled databases. */
  readonly root: string;
  /** Limits the run to scenarios whose name contains this text. */
  readonly only?: string | undefined;
  readonly log: (line: string) => void;
}

export interface Share {
  readonly server: ServerName;
  readonly value: number;
}

export interface BenchResults {
  readonly machine: string;
  readonly sizes: Options['sizes'];
  readonly rounds: number;
  readonly rows: readonly ComparisonRow[];
  /** Share of brokers, from 0 to 1, found among the 20 results for their name with a typo. */
  readonly recall: readonly Share[];
  /** Resident set with the large data, in MB. */
  readonly memory: readonly Share[];
}

const RECALL_QUERIES = 200;

const measureRecall = async (stage: ServerStage, name: ServerName): Promise<Share> => {
  const { port, data } = await stage.server(name);
  const random = createRandom(5);
  const step = Math.max(1, Math.floor(data.names.length / RECALL_QUERIES));
  const wanted = data.names.filter((_, n) => n % step === 0);
  let found = 0;
  for (const broker of wanted) {
    const q = new URLSearchParams({ q: withTypo(broker.toLowerCase(), random) });
    const { body } = await probe(port, { path: `/api/v1/search?${q}` });
    const rows: { slug: string }[] = JSON.parse(body.toString()).data;
    if (rows.some(({ slug }) => slug === toSlug(broker))) found++;
  }
  return { server: name, value: found / wanted.length };
};

const measureMemory = async (stage: ServerStage, name: ServerName): Promise<Share> => ({
  server: name,
  value: await readResidentMb((await stage.server(name)).pid),
});

const machine = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'of unknown make'}), Node ${process.versions.node}` +
  `${pinned ? ', load and server pinned to a core each' : ''}`;

const runEach = async <T>(names: readonly ServerName[], work: (name: ServerName) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (const name of names) results.push(await work(name));
  return results;
};

/** Runs the requested measurements. All started processes end by `stop`, or at the end of the run. */
export const startRun = ({ sizes, plan, root, only, log }: Options) => {
  const stage = createStage(sizes, root, log);
  const isWanted = (name: string) => only === undefined || name.includes(only);
  const run = async (): Promise<BenchResults> => {
    try {
      const rows: ComparisonRow[] = [];
      for (const scenario of SCENARIOS.filter(({ name }) => isWanted(name))) {
        log(scenario.name);
        rows.push(...(await measure(stage, scenario, plan)));
      }
      const recall: ServerName[] = isWanted('recall') ? ['naive', 'service', 'service, large data'] : [];
      const memory: ServerName[] = isWanted('memory') ? ['naive, large data', 'service', 'service, large data'] : [];
      return {
        machine: machine(),
        sizes,
        rounds: plan.rounds,
        rows,
        recall: await runEach(recall, (name) => measureRecall(stage, name)),
        memory: await runEach(memory, (name) => measureMemory(stage, name)),
      };
    } finally {
      await stage.close();
    }
  };
  return { results: run(), stop: stage.close };
};
