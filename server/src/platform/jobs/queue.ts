import { hostname } from 'node:os';
import { Agenda, backoffStrategies, Job } from 'agenda';
import type { Db } from '../mongo.ts';
import { type JobEvents, type JobSpec, LockLost, ON_COMMAND } from './job.ts';
import { createBackend } from './repository.ts';
import { type Checkpoint, ensureJob, saveCheckpoint } from './store.ts';

/**
 * Abort reason when the process ends and leaves the rest of the round to another process. It does not count as a
 * failure of the run.
 */
class QueueStopError extends Error {}

const NEVER = new Date('9999-12-31T00:00:00Z');

const POLL_MS = 5_000;
/** Delay after a failure: half a minute, doubled with each further failure up to an hour. Attempts are unlimited. */
const backoff = backoffStrategies.exponential({
  delay: 30_000,
  maxDelay: 3_600_000,
  maxRetries: Number.POSITIVE_INFINITY,
});

const computeNextRun = (agenda: Agenda, schedule: string): Date => {
  if (schedule === ON_COMMAND) return NEVER;
  const { nextRunAt } = new Job(agenda, {
    name: '',
    type: 'normal',
    priority: 0,
    data: {},
    nextRunAt: null,
  }).repeatEvery(schedule, { timezone: 'UTC' }).attrs;
  if (!nextRunAt) throw new Error(`"${schedule}" is not a schedule`);
  return nextRunAt;
};

/** Sends heartbeats while `work` runs. Calls `onLost` when a heartbeat fails because another process has the job. */
const withHeartbeat = async (job: Job, everyMs: number, onLost: (error: LockLost) => void, work: Promise<unknown>) => {
  let beat = Promise.resolve();
  const timer = setInterval(() => {
    beat = job.touch().catch((error: unknown) => {
      if (error instanceof LockLost || job.getCanceledMessage()) onLost(new LockLost(job.attrs.name));
    });
  }, everyMs);
  try {
    await work;
  } finally {
    clearInterval(timer);
    await beat;
  }
};

/**
 * Runs the jobs of a service on agenda. Each run is a one-time job of agenda that schedules the next run when it ends.
 * Agenda's own repetition schedules it at the start, so a killed process would lose its run (see docs/decisions/0006).
 */
export const createQueue = (db: Db, specs: readonly JobSpec[], events: JobEvents) => {
  const owner = `${hostname()}:${process.pid}`;
  const backend = createBackend(db, owner);
  const agenda = new Agenda({ backend, name: owner, processEvery: POLL_MS });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const execute = async (spec: JobSpec, job: Job): Promise<void> => {
    const { name } = spec;
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const { cursor, done } = (job.attrs.data ?? {}) as Partial<Checkpoint>;
    const lock = job.attrs.lastModifiedBy ?? '';
    const work = spec.work({
      signal,
      checkpoint: cursor === undefined || done === undefined ? undefined : { cursor, done },
      advance: async (checkpoint, total, tx) => {
        const percent = Math.min(99, Math.floor((100 * checkpoint.done) / Math.max(1, total)));
        if (!(await saveCheckpoint({ name, lock }, checkpoint, percent, tx))) throw new LockLost(name);
      },
    });
    try {
      await withHeartbeat(job, spec.lockMs / 3, (error) => lost.abort(error), work);
    } catch (error) {
      if (!(error instanceof QueueStopError)) throw error;
      job.attrs.nextRunAt = new Date();
      return;
    }
    job.attrs.data = undefined;
    job.attrs.nextRunAt = computeNextRun(agenda, spec.schedule);
  };

  /**
   * Adds a running job to those that `stop` waits for. It ends with agenda's event `complete`, because agenda saves a
   * job's state only after the handler.
   */
  const track = (job: Job): void => {
    const ended = Promise.withResolvers<void>();
    running.add(ended.promise);
    const onComplete = (completed: Job) => {
      if (completed !== job) return;
      agenda.off('complete', onComplete);
      running.delete(ended.promise);
      ended.resolve();
    };
    agenda.on('complete', onComplete);
  };

  agenda.on('start', (job: Job) => {
    track(job);
    events.onStart(job.attrs.name);
  });
  agenda.on('success', (job: Job) => {
    const { name, lastRunAt, lastFinishedAt } = job.attrs;
    events.onSuccess(name, Number(lastFinishedAt) - Number(lastRunAt));
  });
  agenda.on('retry', (job: Job, { error, nextRunAt }: { error: Error; nextRunAt: Date }) =>
    events.onFailure(job.attrs.name, error, nextRunAt),
  );
  agenda.on('error', events.onError);
  for (const spec of specs)
    agenda.define(spec.name, (job: Job) => execute(spec, job), {
      concurrency: 1,
      lockLimit: 1,
      lockLifetime: spec.lockMs,
      backoff,
    });

  return {
    /** Creates the documents of jobs that have none, and applies changed schedules. */
    ensure: async (): Promise<void> => {
      for (const { name, schedule } of specs) await ensureJob(db, name, schedule, computeNextRun(agenda, schedule));
    },
    /** Starts jobs when they are due, for as long as the process runs. */
    start: (): Promise<void> => agenda.start(),
    /** Runs a job now, in this process. Returns false if another process is running it. */
    runNow: async ({ name, lockMs }: Pick<JobSpec, 'name' | 'lockMs'>): Promise<boolean> => {
      await agenda.ready;
      const now = new Date();
      const latest = new Date(8.64e15);
      const deadline = new Date(now.getTime() - lockMs);
      const taken = await backend.repository.getNextJobToRun(name, latest, deadline, now);
      if (!taken) return false;
      await new Job(agenda, taken, true).run();
      return true;
    },
    /** Starts no more jobs. Running ones finish their batch and leave the rest to another process. */
    stop: async (): Promise<void> => {
      stopping.abort(new QueueStopError('the process ends'));
      await agenda.stop(false);
      await Promise.all(running);
    },
  };
};
