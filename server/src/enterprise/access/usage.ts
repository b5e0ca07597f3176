import { PLANS } from '@broker-transparency/contract/enterprise';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Customer } from './customer.ts';
import { type Access, addUses, countRequests, type DayUse, insertAccesses } from './usage-store.ts';

/** Interval in milliseconds between writes of what was used. */
const FLUSH_MS = 1000;
/** Most accesses that wait to be written. While the database is away, older ones are dropped beyond it, and counted. */
const MOST_WAITING = 100_000;
const DAY_MS = 86_400_000;

const dateOf = (time: Date): string => time.toISOString().slice(0, 10);
const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns when the calendar month of a time ends. */
export const endOfMonth = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));

/** Sums accesses by organisation, day and route. */
const sum = (accesses: readonly Access[]): DayUse[] => {
  const uses = new Map<string, DayUse>();
  for (const { organisation, at, route, bytes } of accesses) {
    const date = dateOf(at);
    const key = JSON.stringify([organisation, date, route]);
    const before = uses.get(key);
    uses.set(key, {
      organisation,
      date,
      route,
      requests: (before?.requests ?? 0) + 1,
      bytes: (before?.bytes ?? 0) + bytes,
    });
  }
  return [...uses.values()];
};

/** What is known of an answered request. */
export type Answered = Pick<Access, 'method' | 'route' | 'target' | 'status' | 'bytes' | 'address'>;

/**
 * Notes every answered request of customers, in batches, and knows how many each organisation has sent in this month.
 * Of a process that is killed the last second is lost.
 */
export const createUsage = (clock: Clock, onFault: (error: unknown) => void) => {
  let waiting: Access[] = [];
  let month = '';
  /** Requests in this month: those that are stored, as last read, and those of this process since then. */
  const sent = new Map<string, number>();

  const refresh = async (organisations: readonly string[]): Promise<void> => {
    const stored = await countRequests(organisations, month);
    for (const organisation of organisations) {
      const own = waiting.filter((access) => access.organisation === organisation).length;
      sent.set(organisation, (stored.get(organisation) ?? 0) + own);
    }
  };
  const beginMonth = (): void => {
    const now = monthOf(clock());
    if (now === month) return;
    month = now;
    sent.clear();
  };
  const flush = async (): Promise<void> => {
    const batch = waiting;
    if (batch.length === 0) return;
    waiting = [];
    try {
      await insertAccesses(batch);
      await addUses(sum(batch));
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-MOST_WAITING);
      throw error;
    }
    await refresh([...new Set(batch.map(({ organisation }) => organisation))]);
  };
  const loop = startLoop(flush, FLUSH_MS, onFault);

  return {
    note: ({ organisation, plan, key }: Customer, answered: Answered): void => {
      beginMonth();
      const at = clock();
      const endsAt = new Date(at.getTime() + PLANS[plan].accessKeptDays * DAY_MS);
      waiting.push({ organisation, ...(key ? { key: key.id } : {}), at, ...answered, endsAt });
      sent.set(organisation, (sent.get(organisation) ?? 0) + 1);
    },
    /** Returns how many requests an organisation has sent in this month. */
    sentBy: async (organisation: string): Promise<number> => {
      beginMonth();
      if (!sent.has(organisation)) await refresh([organisation]);
      return sent.get(organisation) ?? 0;
    },
    stop: async (): Promise<void> => {
      await loop.stop();
      await flush().catch(onFault);
    },
  };
};
export type Usage = ReturnType<typeof createUsage>;
