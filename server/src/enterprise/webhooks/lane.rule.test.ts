import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createDeliveryQueue,
  type DeliveryEvent,
  type DeliveryJob,
  type DeliveryPosition,
  type DeliveryQueue,
} from './lane.rule.ts';
import { MOST_AT_ONCE, MOST_QUEUED } from './policy.rule.ts';

const START = Date.UTC(2026, 0, 1);
const REFUSED = { problem: 'answers 500', isWhole: false };
const AWAY = { problem: 'cannot be reached', isWhole: true };
const BEGIN: DeliveryPosition = { next: 0, blocked: [], whole: null };

const event = (number: number, subject: string): DeliveryEvent => ({
  number,
  subject,
  kind: 'review',
  key: `review/${number}`,
  time: new Date(START).toISOString(),
});

const record = (...subjects: string[]): DeliveryEvent[] => subjects.map((subject, number) => event(number, subject));

/** A lane over a record, with a clock. Deliveries that were taken are noted. */
const world = (
  events: readonly DeliveryEvent[],
  position = BEGIN,
  isWanted: (one: DeliveryEvent) => boolean = () => true,
) => {
  let now = START;
  let lane = createDeliveryQueue(position, isWanted, () => 0.5);
  const taken: number[] = [];
  const read = (): void => {
    for (let from = lane.wantsFrom(); from !== undefined && from < events.length; from = lane.wantsFrom()) {
      const end = Math.min(from + 50, events.length);
      lane.add(events.slice(from, end), end);
    }
  };
  const clock = (): Date => new Date(now);
  /** Returns the next event for a blocked subject; undefined if none waits. */
  const findNext = (subject: string): DeliveryEvent | undefined => {
    for (;;) {
      const { from, through } = lane.waiting(subject);
      const found = events.slice(from, through + 1).find((one) => one.subject === subject && isWanted(one));
      if (found || lane.caughtUp(subject, through)) return found;
    }
  };
  return {
    taken,
    lane: (): DeliveryQueue => lane,
    pass: (ms: number): void => {
      now += ms;
    },
    take: (): DeliveryJob | undefined => {
      read();
      return lane.take(clock());
    },
    takeAll: (): DeliveryJob[] => {
      const jobs: DeliveryJob[] = [];
      for (;;) {
        read();
        const job = lane.take(clock());
        if (!job) return jobs;
        jobs.push(job);
      }
    },
    /** Answers a job by its next event. Returns whether more of it waits. */
    answer: (job: DeliveryJob, fault?: typeof REFUSED): boolean => {
      const one = job.event ?? findNext(job.subject);
      if (!one) return false;
      if (fault) {
        lane.failed(job, fault, clock());
        return false;
      }
      taken.push(one.number);
      lane.delivered(job, one.number, clock());
      return job.event === undefined;
    },
    /** Goes on from what was stored, as another process does. */
    restart: (): void => {
      lane = createDeliveryQueue(structuredClone(lane.position()), isWanted, () => 0.5);
    },
    clock,
  };
};
type World = ReturnType<typeof world>;

/** Works until nothing can be delivered now. */
const settle = (one: World, refuses: (subject: string) => boolean = () => false): void => {
  for (let jobs = one.takeAll(); jobs.length > 0; jobs = one.takeAll())
    for (const job of jobs) while (one.answer(job, refuses(job.subject) ? REFUSED : undefined));
};

describe('order', () => {
  test('events of one subject are sent one after another, those of others at once', () => {
    const one = world(record('a', 'a', 'b', 'c'));
    const jobs = one.takeAll();
    expect(jobs.map(({ event: sent }) => sent?.number)).toEqual([0, 2, 3]);
    expect(one.take()).toBeUndefined();
    one.answer(jobs[0] as DeliveryJob);
    expect(one.take()?.event?.number).toBe(1);
  });

  test('a refused event blocks only its own subject, which continues in order', () => {
    const one = world(record('a', 'b', 'a', 'b', 'a', 'c'));
    settle(one, (subject) => subject === 'a');
    expect(one.taken).toEqual([1, 5, 3]);
    expect(one.lane().position()).toMatchObject({ next: 6, blocked: [{ subject: 'a', at: 0, attempts: 1 }] });
    one.restart();
    one.pass(4000);
    settle(one);
    expect(one.taken).toHaveLength(3);
    one.pass(2000);
    settle(one);
    expect(one.taken.slice(3)).toEqual([0, 2, 4]);
    expect(one.lane().position()).toEqual({ next: 6, blocked: [], whole: null });
  });

  test('a slow subject with many events keeps no others from being read', () => {
    const one = world(record(...Array.from({ length: MOST_QUEUED + 50 }, () => 'a'), 'b'));
    const [slow] = one.takeAll() as [DeliveryJob];
    const others = one.takeAll();
    expect(others.map(({ subject }) => subject)).toEqual(['b']);
    one.answer(others[0] as DeliveryJob);
    one.answer(slow);
    settle(one);
    expect(one.taken).toHaveLength(MOST_QUEUED + 51);
    expect(one.taken.slice(1)).toEqual(Array.from({ length: MOST_QUEUED + 50 }, (_, at) => at));
    expect(one.lane().position()).toEqual({ next: MOST_QUEUED + 51, blocked: [], whole: null });
  });

  test('events under way of a slow subject are not lost with its process', () => {
    const one = world(record(...Array.from({ length: MOST_QUEUED + 50 }, () => 'a'), 'b'));
    one.takeAll();
    one.takeAll();
    one.restart();
    settle(one);
    expect(one.taken.filter((number) => number <= MOST_QUEUED + 49)).toEqual(
      Array.from({ length: MOST_QUEUED + 50 }, (_, at) => at),
    );
  });

  test('a subject becomes free only if no event came while its last one was sent', () => {
    const events = record('a', 'b');
    const one = world(events);
    settle(one, (subject) => subject === 'a');
    one.pass(10_000);
    expect(one.take()).toMatchObject({ subject: 'a' });
    const { through } = one.lane().waiting('a');
    events.push(event(2, 'a'));
    expect(one.take()).toBeUndefined();
    expect(one.lane().caughtUp('a', through)).toBe(false);
    expect(one.lane().caughtUp('a', one.lane().waiting('a').through)).toBe(true);
  });

  test('leaves out what is not wanted, and counts it as passed', () => {
    const one = world(record('a', 'b', 'a', 'c'), BEGIN, ({ number }) => number !== 2);
    settle(one);
    expect(one.taken.toSorted()).toEqual([0, 1, 3]);
    expect(one.lane().position().next).toBe(4);
  });

  test('sends no more events at once than it may', () => {
    const one = world(record(...Array.from({ length: 50 }, (_, at) => `s${at}`)));
    expect(one.takeAll()).toHaveLength(MOST_AT_ONCE);
  });
});

describe('an endpoint that fails as a whole', () => {
  test('an endpoint that fails as a whole is one block, however many events there are', () => {
    const one = world(record(...Array.from({ length: 300 }, (_, at) => `s${at}`)));
    for (const job of one.takeAll()) one.answer(job, AWAY);
    expect(one.take()).toBeUndefined();
    expect(one.lane().position()).toMatchObject({ next: 0, blocked: [], whole: { attempts: 1 } });
  });

  test('refusals of several subjects in a row show that the endpoint fails as a whole', () => {
    const one = world(record('a', 'b', 'c', 'd', 'e'));
    settle(one, () => true);
    expect(one.lane().position().blocked).toHaveLength(3);
    expect(one.lane().position().whole).toMatchObject({ attempts: 1 });
  });

  test('asks a failing endpoint one request at a time, by another subject each, and goes on where it stopped', () => {
    const one = world(record('a', 'b', 'c', 'a', 'b'));
    for (const job of one.takeAll()) one.answer(job, AWAY);
    const asked = new Set<string>();
    for (let n = 0; n < 3; n++) {
      one.pass(3_600_000);
      const jobs = one.takeAll();
      expect(jobs).toHaveLength(1);
      asked.add((jobs[0] as DeliveryJob).subject);
      one.answer(jobs[0] as DeliveryJob, REFUSED);
    }
    expect(asked.size).toBe(3);
    one.restart();
    one.pass(3_600_000);
    settle(one);
    expect(one.taken.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect(one.lane().position()).toEqual({ next: 5, blocked: [], whole: null });
  });

  test('a failing endpoint is to be paused after five days, and told of it a day before', () => {
    const one = world(record('a', 'b'));
    for (const job of one.takeAll()) one.answer(job, AWAY);
    let told: number | undefined;
    for (let n = 0; n < 2000; n++) {
      one.pass(600_000);
      const job = one.take();
      if (!job) continue;
      if (one.lane().toAnnounce(job, one.clock())) told ??= one.clock().getTime();
      if (one.lane().failed(job, AWAY, one.clock())) break;
    }
    const days = (time: number): number => (time - START) / 86_400_000;
    expect(days(told ?? 0)).toBeCloseTo(4, 1);
    expect(days(one.clock().getTime())).toBeCloseTo(5, 1);
    expect(one.lane().position().next).toBe(0);
  });
});

test('a subject that is refused for five days waits for the customer, and the others go on', () => {
  const one = world(record('a', 'b', 'a'));
  settle(one, (subject) => subject === 'a');
  for (let n = 0; n < 200; n++) {
    one.pass(3_600_000);
    settle(one, (subject) => subject === 'a');
  }
  expect(one.taken).toEqual([1]);
  expect(one.lane().position()).toMatchObject({ blocked: [{ at: 0, nextTryAt: null }], whole: null });
});

test('every event arrives, in order within its subject, whatever is refused and whichever process is killed', () => {
  const step = fc.record({
    what: fc.constantFrom('take', 'take', 'take', 'refuse', 'away', 'restart', 'pass', 'grow'),
    which: fc.nat(20),
  });
  fc.assert(
    fc.property(
      fc.array(fc.nat(6), { minLength: 1, maxLength: 600 }),
      fc.array(step, { maxLength: 300 }),
      (subjects, steps) => {
        const all = record(...subjects.map((subject) => `s${subject}`));
        const events = all.slice(0, Math.ceil(all.length / 2));
        const one = world(events);
        let flying: DeliveryJob[] = [];
        for (const { what, which } of steps) {
          if (what === 'pass') one.pass(60_000 * which);
          if (what === 'grow') events.push(...all.slice(events.length, events.length + which));
          if (what === 'restart') {
            one.restart();
            flying = [];
          }
          flying.push(...one.takeAll());
          const job = flying[which % Math.max(1, flying.length)];
          if (!job || what === 'pass' || what === 'grow' || what === 'restart') continue;
          const fault = { take: undefined, refuse: REFUSED, away: AWAY }[what];
          if (!one.answer(job, fault)) flying = flying.filter((other) => other !== job);
        }
        events.push(...all.slice(events.length));
        for (const job of flying) while (one.answer(job));
        for (let n = 0; n < 10; n++) {
          one.pass(3_600_000);
          settle(one);
        }
        const firsts = [...new Set(one.taken)];
        expect(firsts.toSorted((a, b) => a - b)).toEqual(all.map(({ number }) => number));
        for (const subject of new Set(all.map((each) => each.subject))) {
          const own = firsts.filter((number) => all[number]?.subject === subject);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
        expect(one.lane().position()).toEqual({ next: all.length, blocked: [], whole: null });
      },
    ),
    { seed: 18, numRuns: 300 },
  );
});
