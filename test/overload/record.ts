/**
 * Measures what callers of the record take from others: `pnpm overload:record`. Addresses open pages of the history of
 * a broker with 10 000 reviews, five a second each, every one under an address of its own, and others read what is
 * cached. Prints, for 1, 3 and 10 such addresses, how long others wait, what the addresses get, and what the service
 * uses. How long others wait is compared with the quiet rounds before and after, since the speed of a machine changes
 * by the minute.
 */
import { BASE_PATH } from '@broker-transparency/contract';
import { ObjectId } from 'mongodb';
import { readCpuTicks, readResidentMb, TICKS_PER_SECOND } from '../bench/processes.ts';
import { inDatabase, readEmbedded } from '../support/database.ts';
import { send } from '../support/http.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { createOwnChange } from '../support/record.ts';
import { until } from '../support/until.ts';

const [REVIEWS, ROUND_S, PER_SECOND] = [10_000, 30, 5];
/** Numbers of addresses, round by round. The first round warms the service up, and is not counted. */
const ROUNDS = [0, 0, 1, 0, 3, 0, 10, 0];
/** By how many times others may wait longer than when it is quiet. */
const GOAL = 2;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? Number.NaN;

const service = await startProcess({ ...EMBEDDED, LOG_LEVEL: 'warn', PUBLIC_RATE_LIMIT: undefined, JOBS: 'on' }, [
  '--demo',
]);
try {
  const { mongodPid } = await readEmbedded(service);
  const numbered = () =>
    inDatabase(service, (db) =>
      until(
        'all entries have numbers',
        120_000,
        async () => !(await db.collection('recordEntries').findOne({ pending: 0 })),
      ),
    );
  await numbered();
  const list = (await send(`${service.origin}${BASE_PATH}/brokers?limit=100`)).json<{
    data: { slug: string; ratingSummary: { count: number } }[];
  }>();
  const slug = list.data.toSorted((a, b) => b.ratingSummary.count - a.ratingSummary.count)[0]?.slug as string;
  const texts = { content: 'x'.repeat(44), displayName: 'x'.repeat(44), title: 'x'.repeat(44) };
  const review = (n: number) => ({
    ...createOwnChange(),
    key: `review/${new ObjectId()}`,
    sequence: 0,
    subject: `broker/${slug}`,
    kind: 'review',
    cause: 'fact',
    value: JSON.stringify({ broker: slug, month: '2025-03', rating: 1 + (n % 17) / 4, state: 'published', texts }),
    pending: 0,
  });
  await inDatabase(service, (db) =>
    db.collection('recordEntries').insertMany(Array.from({ length: REVIEWS }, (_, n) => review(n))),
  );
  await numbered();
  const numbers = await inDatabase(service, async (db) =>
    (
      await db
        .collection('recordEntries')
        .find({ subject: `broker/${slug}` })
        .project({ number: 1 })
        .toArray()
    ).map(({ number }) => number as number),
  );

  let next = 0;
  /** Opens a page that nobody has opened, five times a second. */
  const attack = async (from: string, isOver: () => boolean, seen: Map<number, number>): Promise<void> => {
    const open: Promise<void>[] = [];
    while (!isOver()) {
      const path = `/brokers/${slug}/history?before=${numbers[next++ % numbers.length]}`;
      const asked = send(`${service.origin}${path}`, { from, headers: { Accept: 'text/html' } });
      open.push(asked.then(({ status }) => void seen.set(status, (seen.get(status) ?? 0) + 1)).catch(() => {}));
      await sleep(1000 / PER_SECOND);
    }
    await Promise.all(open);
  };
  /** Reads what is cached, ten times a second, from an address for every second. */
  const readCached = async (isOver: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    for (let n = 0; !isOver(); n++) {
      const begun = performance.now();
      const { status } = await send(`${service.origin}${BASE_PATH}/brokers`, {
        from: `127.30.${Math.floor(n / 10) % 250}.1`,
      });
      if (status === 200) times.push(performance.now() - begun);
      await sleep(100);
    }
    return times;
  };

  const waits: number[] = [];
  for (const [round, addresses] of ROUNDS.entries()) {
    const end = performance.now() + ROUND_S * 1000;
    const isOver = () => performance.now() > end;
    const seen = new Map<number, number>();
    const ticks = await readCpuTicks([service.pid, mongodPid]);
    const [times] = await Promise.all([
      readCached(isOver),
      ...Array.from({ length: addresses }, (_, n) => attack(`127.2${round}.${n}.1`, isOver, seen)),
    ]);
    const cores = ((await readCpuTicks([service.pid, mongodPid])) - ticks) / TICKS_PER_SECOND / ROUND_S;
    waits.push(at(times, 0.95));
    console.log(
      `${addresses} addresses: others wait ${at(times, 0.5).toFixed(1)} ms (p50), ${at(times, 0.95).toFixed(1)} ms (p95); ` +
        `they get ${JSON.stringify(Object.fromEntries(seen))}; ` +
        `${(100 * cores).toFixed(0)} % of a core, ${(await readResidentMb(service.pid)).toFixed(0)} MB`,
    );
  }
  for (const [round, addresses] of ROUNDS.entries()) {
    if (addresses === 0) continue;
    const [before, own, after] = waits.slice(round - 1, round + 2) as [number, number, number];
    const times = (2 * own) / (before + after);
    console.log(
      `${addresses} addresses: others wait ${times.toFixed(1)} times as long as in the quiet rounds beside (p95)`,
    );
    if (times > GOAL) process.exitCode = 1;
  }
  const failed =
    service
      .output()
      .match(/numbering or signing the record failed|refresh of broker documents failed|the change stream failed/g) ??
    [];
  console.log(`lines of failed work that nobody waits for: ${failed.length}`);
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await service.remove();
}
