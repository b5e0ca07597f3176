import { join } from 'node:path';
import { compile, type Project, writeProject } from './project.ts';
import { getTscPath, TYPESCRIPTS } from './tools.ts';

const TRIES = 3;

/** Seconds that checking a file takes from cold: the best of three, since other processes use this machine too. */
const seconds = async (typescript: string, project: Project): Promise<number> => {
  await writeProject(project);
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    const start = performance.now();
    await compile(getTscPath(typescript), project);
    times.push((performance.now() - start) / 1000);
  }
  return Math.min(...times);
};

/** Prints what an editor waits for: the time to check a file with all calls, and an empty one. */
export const reportLatency = async (folder: string, source: string): Promise<void> => {
  for (const typescript of Object.keys(TYPESCRIPTS)) {
    const checked = (name: string, text: string) =>
      seconds(typescript, {
        folder: join(folder, `${name}-${typescript}`),
        source: text,
        kind: 'module',
        module: 'nodenext',
        skipLibCheck: true,
      });
    const all = await checked('all-calls', source);
    const none = await checked('no-call', 'export {};');
    console.log(
      `time    TypeScript ${typescript}: ${all.toFixed(2)} s with all calls, ${none.toFixed(2)} s for nothing`,
    );
  }
};
