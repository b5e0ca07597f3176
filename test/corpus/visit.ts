import { account } from './pages/account.ts';
import { addresses, READS } from './pages/addresses.ts';
import { sendBodies } from './pages/bodies.ts';
import { budgets } from './pages/budgets.ts';
import { conditions } from './pages/conditions.ts';
import { framing, waiting } from './pages/framing.ts';
import { readLists } from './pages/lists.ts';
import { search } from './pages/search.ts';
import { readSite } from './pages/site.ts';
import { tokens } from './pages/tokens.ts';
import { sendWrites } from './pages/writes.ts';
import type { Ask } from './wire.ts';

const BESIDE = ['/openapi.json', '/docs', '/problems/not_found', '/healthz', '/readyz', '/nothing', '/api/v1/nothing'];

/** Sends all requests, always in the same order. */
export const visit = async (ask: Ask, now: Date, jwtLines: readonly string[]): Promise<void> => {
  const late = waiting(ask);
  late.catch(() => {}); // awaited at the end, unless something fails before
  const brokers = await readLists(ask);
  await search(ask, brokers);
  const assets = await readSite(ask);
  await conditions(ask, [...READS, ...assets, ...BESIDE]);
  await addresses(ask);
  await account(ask);
  await tokens(ask, jwtLines);
  await framing(ask);
  await budgets(ask);
  await sendBodies(ask);
  await sendWrites(ask, now);
  await late;
};
