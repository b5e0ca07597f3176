/** The faults as data: what breaks, and how it is repaired. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import type { Part } from './judge.ts';
import type { FaultLoad } from './load.ts';
import type { Member } from './replica-set.ts';
import { OUTSIDE } from './sources.ts';
import type { Stage } from './stage.ts';

export interface Fault {
  readonly name: string;
  readonly part: Part;
  /** The kind of stage that the fault needs. */
  readonly needs?: 'cluster' | 'small disk';
  /** Milliseconds until the repair. If omitted, the service has to recover before the repair. */
  readonly lasts?: number;
  /** Breaks a part. Returns a function that repairs it. */
  readonly strike: (stage: Stage, load: FaultLoad) => Promise<() => Promise<unknown>>;
}

const onPrimary =
  (work: (stage: Stage, primary: Member) => Promise<() => Promise<unknown>>): Fault['strike'] =>
  async (stage) =>
    work(stage, await stage.set.primary());

const findSecondary = async ({ set }: Stage): Promise<Member> => {
  const primary = await set.primary();
  return set.members.find((member) => member !== primary) as Member;
};

const slowDatabase =
  (ms: number): Fault['strike'] =>
  async ({ set }) => {
    for (const { link } of set.members) link.slow(ms, OUTSIDE);
    return async () => set.heal();
  };

const getRedis = ({ redis }: Stage) => {
  if (!redis) throw new Error('this stage has no single Redis');
  return redis;
};

/** Starts some writes, so that the part fails in the middle of them. */
const putWritesInFlight = async (load: FaultLoad): Promise<void> => {
  for (let n = 0; n < 8; n++) load.write();
  await sleep(8);
};

/** MongoDB’s error code `ChangeStreamHistoryLost`: its log does not reach back to where a stream of changes stopped. */
const HISTORY_LOST = 286;

export const FAULTS: readonly Fault[] = [
  {
    name: 'primary killed (-9)',
    part: 'database',
    strike: onPrimary(async ({ set }, primary) => {
      await primary.process.kill();
      return () => set.restart(primary);
    }),
  },
  {
    name: 'primary steps down',
    part: 'database',
    strike: onPrimary(async ({ set }, primary) => {
      await set.ask(primary, { replSetStepDown: 20, secondaryCatchUpPeriodSecs: 5 });
      return async () => {};
    }),
  },
  {
    name: 'primary stopped (SIGSTOP), writes in flight',
    part: 'database',
    strike: async ({ set }, load) => {
      const primary = await set.primary();
      await putWritesInFlight(load);
      primary.process.pause();
      return async () => primary.process.resume();
    },
  },
  {
    name: 'one secondary cut off',
    part: 'database',
    lasts: 8000,
    strike: async (stage) => {
      stage.set.isolate(await findSecondary(stage), { inReach: false });
      return async () => stage.set.heal();
    },
  },
  {
    name: 'primary cut off from all',
    part: 'database',
    strike: onPrimary(async ({ set }, primary) => {
      set.isolate(primary, { inReach: false });
      return async () => set.heal();
    }),
  },
  {
    name: 'primary cut off from the members alone',
    part: 'database',
    strike: onPrimary(async ({ set }, primary) => {
      set.isolate(primary, { inReach: true });
      return async () => set.heal();
    }),
  },
  {
    name: 'secondaries do not follow',
    part: 'database',
    lasts: 8000,
    strike: async ({ set }) => {
      const primary = await set.primary();
      const others = set.members.filter((member) => member !== primary);
      const askAll = (command: object) => Promise.all(others.map((member) => set.ask(member, command)));
      await askAll({ fsync: 1, lock: true });
      return () => askAll({ fsyncUnlock: 1 });
    },
  },
  {
    name: 'service cut off from all members',
    part: 'database',
    lasts: 12_000,
    strike: async ({ set }) => {
      for (const { link } of set.members) link.blackhole(OUTSIDE);
      return async () => set.heal();
    },
  },
  {
    name: 'all members killed (-9)',
    part: 'database',
    lasts: 12_000,
    strike: async ({ set }) => {
      await Promise.all(set.members.map(({ process }) => process.kill()));
      return () => Promise.all(set.members.map((member) => set.restart(member)));
    },
  },
  {
    name: 'history of changes lost meanwhile',
    part: 'database',
    lasts: 0,
    strike: async (stage) => {
      for (const { link } of stage.set.members) link.blackhole(OUTSIDE);
      await stage.set.rollOplog();
      return async () => {
        stage.set.heal();
        const isTold = async () => stage.service.output().includes(`"code":${HISTORY_LOST}`);
        await until('the service hears that it is lost', 20_000, isTold);
      };
    },
  },
  {
    name: 'disk of the primary full',
    part: 'database',
    needs: 'small disk',
    strike: onPrimary(async ({ set }, primary) => {
      await set.fillDisk(primary);
      return async () => {
        await primary.process.kill();
        await set.restart(primary); // on a new disk
      };
    }),
  },
  { name: 'database slower by 300 ms', part: 'database', lasts: 8000, strike: slowDatabase(300) },
  { name: 'database slower by 3 s', part: 'database', lasts: 12_000, strike: slowDatabase(3000) },
  {
    name: 'Redis killed (-9), back empty',
    part: 'redis',
    lasts: 5000,
    strike: async (stage) => {
      const redis = getRedis(stage);
      await redis.server.kill();
      return async () => {
        redis.server = await startRedis({ port: redis.server.port });
      };
    },
  },
  {
    name: 'Redis stopped (SIGSTOP)',
    part: 'redis',
    lasts: 5000,
    strike: async (stage) => {
      const { server } = getRedis(stage);
      server.pause();
      return async () => server.resume();
    },
  },
  {
    name: 'Redis slower by 1 s',
    part: 'redis',
    lasts: 5000,
    strike: async (stage) => {
      const { link } = getRedis(stage);
      link.slow(1000);
      return async () => link.heal();
    },
  },
  {
    name: 'one master of the Redis Cluster killed',
    part: 'redis',
    needs: 'cluster',
    lasts: 5000,
    strike: async ({ cluster }) => {
      await cluster?.killLast();
      return async () => cluster?.restart();
    },
  },
  {
    name: 'the master that REDIS_URL names killed',
    part: 'redis',
    needs: 'cluster',
    lasts: 5000,
    strike: async ({ cluster }) => {
      await cluster?.killFirst();
      return async () => cluster?.restart();
    },
  },
  {
    name: 'service killed (-9), started again',
    part: 'process',
    lasts: 500,
    strike: async (stage, load) => {
      await putWritesInFlight(load);
      await stage.service.end('SIGKILL');
      return async () => {
        stage.service = await until('the service is up again', 60_000, () => stage.startProcess().catch(() => false));
      };
    },
  },
];

/** @throws Error if there is no fault of this name */
export const findFault = (name: string): Fault => {
  const fault = FAULTS.find((candidate) => candidate.name === name);
  if (!fault) throw new Error(`there is no fault "${name}"`);
  return fault;
};
