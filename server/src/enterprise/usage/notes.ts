import { PLANS } from '@broker-transparency/contract/enterprise';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Customer } from '../access/customer.ts';
import { formatMonth, usesQuota } from './quota.rule.ts';
import { type Access, areStored, countRequests, type DayUse, newAccessId, storeAccesses } from './store.ts';
import { keptTarget } from './target.rule.ts';

/** Milliseconds between writes of accesses. */
const FLUSH_MS = 1000;
/** Milliseconds after which other processes' counts are read again. */
const STALE_MS = 1000;
/** Maximum accesses per write. */
const MOST_AT_ONCE = 5000;
/**
 * Maximum accesses that wait to be written. Without the database no key can be checked, so that only requests in
 * progress add accesses then.
 */
const MOST_WAITING = 20_000;
const DAY_MS = 86_400_000;

/** Sums accesses that count by organisation, day and route. */
const sumUses = (accesses: readonly Access[]): DayUse[] => {
  const uses = new Map<string, DayUse>();
  for (const { organisation, at, route, bytes, status } of accesses) {
    if (!usesQuota(status)) continue;
    const date = at.toISOString().slice(0, 10);
    const key = JSON.stringify([organisation, date, route]);
    const { requests, bytes: sent } = uses.get(key) ?? { requests: 0, bytes: 0 };
    uses.set(key, { organisation, date, route, requests: requests + 1, bytes: sent + bytes });
  }
  return [...uses.values()];
};

/** The facts of an answered request. */
interface MeteredRequest extends Pick<Access, 'method' | 'target' | 'status' | 'bytes' | 'address'> {
  /** Path in the contract; undefined if no such route exists. */
  readonly route: string | undefined;
}

/**
 * Records every answered request of customers, in batches, and counts each organisation's requests in this month. An
 * access is recorded once, with its use, in one transaction: a write with an unknown outcome is looked up before it is
 * repeated. A killed process loses the accesses of the last second.
 */
export const createUsage = (db: Db, clock: Clock, onFault: (error: unknown) => void) => {
  let waiting: Access[] = [];
  /** Accesses being written, or written without an answer. */
  let written: readonly Access[] = [];
  let lost = 0;
  let month = '';
  const known = new Map<string, { sent: number; readonly readAt: number }>();

  const read = batchLoader(async (organisations) => {
    const of = month;
    const stored = await countRequests(db, organisations, of);
    for (const organisation of organisations) {
      const isOwn = (access: Access): boolean =>
        access.organisation === organisation && usesQuota(access.status) && formatMonth(access.at) === of;
      const own = waiting.filter(isOwn).length + written.filter(isOwn).length;
      known.set(organisation, { sent: (stored.get(organisation) ?? 0) + own, readAt: performance.now() });
    }
    return (organisation) => known.get(organisation)?.sent ?? 0;
  });
  const beginMonth = (): void => {
    const now = formatMonth(clock());
    if (now === month) return;
    month = now;
    known.clear();
  };
  const dropOldest = (): void => {
    const over = waiting.length - MOST_WAITING;
    if (over <= 0) return;
    waiting = waiting.slice(over);
    lost += over;
  };
  const writeBatch = async (): Promise<void> => {
    if (written.length > 0 && (await areStored(db, written))) written = [];
    if (written.length === 0) written = waiting.splice(0, MOST_AT_ONCE);
    if (written.length === 0) return;
    await storeAccesses(db, written, sumUses(written));
    written = [];
  };
  const flush = async (): Promise<void> => {
    do await writeBatch();
    while (waiting.length > 0);
    if (lost === 0) return;
    const count = lost;
    lost = 0;
    throw new Error(`${count} accesses are not noted: the database was away for too long`);
  };
  const loop = startLoop(flush, FLUSH_MS, onFault);

  return {
    note: ({ organisation, plan, key }: Customer, answered: MeteredRequest): void => {
      beginMonth();
      const at = clock();
      const endsAt = new Date(at.getTime() + PLANS[plan].accessKeptDays * DAY_MS);
      const { route = 'unknown' } = answered;
      const target = keptTarget(answered.target, answered.route);
      waiting.push({
        _id: newAccessId(),
        organisation,
        ...(key ? { key: key.id } : {}),
        at,
        ...answered,
        route,
        target,
        endsAt,
      });
      dropOldest();
      const counted = known.get(organisation);
      if (counted && usesQuota(answered.status)) counted.sent += 1;
    },
    /**
     * Returns the number of an organisation's requests in this month: to this process up to now, to others up to
     * seconds ago.
     */
    sentBy: async (organisation: string): Promise<number> => {
      beginMonth();
      const counted = known.get(organisation);
      return counted && performance.now() - counted.readAt < STALE_MS ? counted.sent : read(organisation);
    },
    stop: async (): Promise<void> => {
      await loop.stop();
      await flush().catch(onFault);
    },
  };
};
export type Usage = ReturnType<typeof createUsage>;
