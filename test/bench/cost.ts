/**
 * Measures what one caller can cost: `pnpm bench:cost`. Each route and page is asked without a response cache, on the
 * data of the demonstration and for a broker with 10 000 reviews in the record. Its processor time (user and system, of
 * service and mongod) times its budget is its cost a minute. A caller who spends every budget on the dearest request of
 * each costs the sum. A sum above the goal makes it fail, and so does a route or page without a sample.
 */
import type { BrokerList } from '@broker-transparency/client';
import { BASE_PATH } from '@broker-transparency/contract';
import { addReviews, untilNumbered } from '../costs/large-broker.ts';
import { type BudgetedRequest, listRequests, type RequestNames } from '../costs/requests.ts';
import { inDatabase, readEmbedded } from '../support/database.ts';
import { createScratch } from '../support/files.ts';
import { createToken, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { createReader, newLogKey, untilSigned } from '../support/signed-log.ts';
import { readCpuTicks, TICKS_PER_SECOND } from './processes.ts';

/** Share of a core that all budgets of one address may cost. */
const GOAL = 0.1;
const REVIEWS = 10_000;
/** Requests that are measured of each route; fewer of those whose budget cannot be raised. */
const [ROUNDS, FEW] = [40, 8];
/** Routes that one organisation is asked for within its budget of reads of the record. */
const PER_ORGANISATION = 5;

interface CostRow extends BudgetedRequest {
  readonly statuses: string;
  /** Processor time of a request, in milliseconds. */
  readonly ms: number;
  /** Share of a core that the whole budget costs. */
  readonly share: number;
}

const scratch = await createScratch();
const key = await newLogKey(scratch, 'log.key');
const settings = { ...EMBEDDED, LOG_LEVEL: 'error', PREPARED_MB: '0', LOG_KEY: key.file };
const service = await startProcess(settings, ['--demo']);
try {
  const pids = [service.pid, (await readEmbedded(service)).mongodPid];
  const cpuMs = async (): Promise<number> => ((await readCpuTicks(pids)) / TICKS_PER_SECOND) * 1000;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const settle = async (): Promise<void> => {
    await untilNumbered(service);
    await untilSigned(createReader(service), 1);
    await wait(5000);
  };
  await settle();
  const before = await cpuMs();
  await wait(5000);
  const idle = ((await cpuMs()) - before) / 5000;

  let host = 0;
  /** An address that has asked nothing: no budget of one is used up. */
  const newAddress = (): string => `127.${30 + Math.floor(++host / 250)}.${host % 250}.1`;
  let keys = 0;
  const newKey = async (): Promise<string> => {
    const name = `bench-${++keys}`;
    const terms = ['--name', name, '--plan', 'regulator', '--accepted-by', 'a benchmark'];
    succeeded(await service.cli('enterprise', 'grant', name, ...terms));
    return succeeded(await service.cli('enterprise', 'issue-key', name, '--sandbox', '--quiet')).trim();
  };
  const token = await createToken(service, 'alice');

  const measure = async (asked: BudgetedRequest, bearer: string | undefined): Promise<CostRow> => {
    const { method, target, body } = asked;
    const headers = { 'Accept-Encoding': 'br', ...asked.headers };
    const from = newAddress();
    const ask = () => send(`${service.origin}${target}`, { method, token: bearer, body, headers, from });
    const rounds = asked.budget === 'record' ? FEW : ROUNDS;
    const seen = new Set([(await ask()).status]);
    const [begun, cpu] = [performance.now(), await cpuMs()];
    for (let n = 0; n < rounds; n++) seen.add((await ask()).status);
    const spent = (await cpuMs()) - cpu - idle * (performance.now() - begun);
    const ms = Math.max(0, spent / rounds);
    const statuses = [...seen].join(' ');
    if (/401|429/.test(statuses)) throw new Error(`${asked.name} answers ${statuses}: it was not measured`);
    return { ...asked, statuses, ms, share: (ms * asked.perMinute) / 60_000 };
  };

  const measureAll = async (title: string, names: RequestNames): Promise<boolean> => {
    const rows: CostRow[] = [];
    let [ofCustomer, records] = [await newKey(), 0];
    for (const asked of listRequests(names)) {
      if (asked.budget === 'record' && ++records % PER_ORGANISATION === 0) ofCustomer = await newKey();
      const bearer = { address: undefined, account: token, organisation: ofCustomer }[asked.caller];
      rows.push(await measure(asked, bearer));
    }
    console.log(`\n${title}\nms a request | a minute | % of a core | budget | status | request`);
    for (const { ms, perMinute, share, budget, statuses, name } of rows.toSorted((a, b) => b.share - a.share))
      console.log([ms.toFixed(1), perMinute, (100 * share).toFixed(1), budget, statuses, name].join(' | '));
    const sumShares = (caller: BudgetedRequest['caller']): number => {
      const own = Map.groupBy(
        rows.filter((row) => row.caller === caller),
        ({ budget }) => budget,
      );
      const dearest = [...own].map(([budget, same]) => [budget, Math.max(...same.map(({ share }) => share))] as const);
      const sum = dearest.reduce((all, [, share]) => all + share, 0);
      const parts = dearest.map(([budget, share]) => `${budget} ${(100 * share).toFixed(1)}`).join(', ');
      console.log(`all budgets of one ${caller}: ${(100 * sum).toFixed(1)} % of a core (${parts})`);
      return sum;
    };
    const [ofAddress] = [sumShares('address'), sumShares('account'), sumShares('organisation')];
    return ofAddress <= GOAL;
  };

  const { data } = (await send(`${service.origin}${BASE_PATH}/brokers?limit=100`)).json<BrokerList>();
  const slug = data.toSorted((a, b) => b.ratingSummary.count - a.ratingSummary.count)[0]?.slug as string;
  const day = await inDatabase(service, (db) =>
    db.collection('proberDays').find({}).sort({ lines: -1 }).limit(1).toArray(),
  );
  const [date = '2026-01-01', prober = 'none'] = String(day[0]?.['_id'] ?? '').split('/');
  const names = { slug, prober: prober || 'none', date: date || '2026-01-01' };
  const isDemoCheap = await measureAll(`the demonstration, ${slug}`, names);
  await addReviews(service, slug, REVIEWS);
  await settle();
  const isLargeCheap = await measureAll(`${slug} with ${REVIEWS} more reviews in the record`, names);
  const isCheap = isDemoCheap && isLargeCheap;
  console.log(`\n${isCheap ? 'PASSED' : 'FAILED'}: the goal for one address is ${100 * GOAL} % of a core`);
  if (!isCheap) process.exitCode = 1;
} finally {
  await service.remove();
  await scratch.remove();
}
