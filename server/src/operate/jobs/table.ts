import type { JobSettings, ServiceJob } from '../../ledger/define-module.ts';
import { MODULES } from '../../modules.ts';

/** Every scheduled job of the service. Each due job runs in only one of the processes. */
export const JOBS: readonly ServiceJob[] = MODULES.flatMap(({ jobs }) => jobs ?? []);

/** Returns true if a process with these settings can run the job. */
export const isRunnable = ({ needs }: ServiceJob, settings: JobSettings): boolean =>
  needs === undefined || settings[needs.setting] !== undefined;

/** Returns the names of the jobs that a process with these settings can run. */
export const listRunnableJobs = (settings: JobSettings): string[] =>
  JOBS.filter((job) => isRunnable(job, settings)).map(({ name }) => name);
