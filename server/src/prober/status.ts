import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readStatus, SHOWN } from '@broker-transparency/portal/status';
import { isUp, type ProbeResult } from '@broker-transparency/service-level';
import type { Clock } from '../platform/clock.ts';
import { renderStatus } from '../status/page.ts';
import { toProberStatus } from '../status/prober.ts';
import { createCaller } from './ask.ts';
import { readIfThere, replaceFile } from './files.ts';
import type { ProberResults } from './results.ts';
import { CheckError } from './wrong.rule.ts';

/** The parts of the page. */
export interface StatusParts {
  readonly dir: string;
  readonly service: string;
  readonly prober: string;
  readonly results: ProberResults;
  readonly clock: Clock;
}

type BriefResult = Pick<ProbeResult, 'minute' | 'checks'>;

const UP: BriefResult['checks'] = { public: { ok: true, ms: 0 } };
const DOWN: BriefResult['checks'] = { public: { ok: false, ms: 0 } };

/** Asks the service for its own figures, and keeps the last ones: these are shown while it does not answer. */
const readLastKnown = async ({ dir, service }: StatusParts) => {
  const kept = join(dir, 'service-status.json');
  const caller = createCaller(service);
  try {
    const { status, body } = await caller.ask('/status.json');
    // a service that has not read its figures yet has none to keep
    if (status === 200 && typeof readStatus(body)?.generatedAt === 'string') await replaceFile(kept, body);
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
  } finally {
    await caller.close();
  }
  return readStatus((await readIfThere(kept)) ?? '');
};

/** Creates the writer of the page: the last figures of the service, and this prober's own view. */
export const createStatus = (parts: StatusParts) => {
  const { dir, service, prober, results, clock } = parts;
  /** Results of past days. They do not change unless the clock goes back; then they are read again after a restart. */
  const past = new Map<string, readonly BriefResult[]>();
  const readBriefResults = async (date: string, isOver: boolean): Promise<readonly BriefResult[]> => {
    const known = past.get(date);
    if (known) return known;
    const seen = (await results.read(date)).map((result) => ({
      minute: result.minute,
      checks: isUp(result) ? UP : DOWN,
    }));
    if (isOver) past.set(date, seen);
    return seen;
  };
  return async (): Promise<void> => {
    const now = clock();
    const today = now.toISOString().slice(0, 10);
    const days = (await results.days()).slice(-SHOWN.days);
    const seen: BriefResult[][] = [];
    for (const date of days) seen.push([...(await readBriefResults(date, date < today))]);
    for (const date of past.keys()) if (!days.includes(date)) past.delete(date);
    const state = toProberStatus(await readLastKnown(parts), { prober, service, results: seen.flat() }, now);
    const folder = join(dir, 'status');
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(renderStatus(state))) await replaceFile(join(folder, name), text);
  };
};
