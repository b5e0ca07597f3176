import { BASE_PATH, type BrokerDetail, type BrokerList, contract } from '@broker-transparency/contract';
import type * as z from 'zod';
import { brokerNotFound, requireBroker } from '../../features/brokers/facts.ts';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { createAddressFormatter } from '../../http/request/canonical.ts';
import { SlugRedirect } from '../../http/response/moved.ts';
import { readyJson, readyList } from '../../http/response/ready-json.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { readDetail, readSummaries } from './answers.ts';
import type { Ranking } from './ranking.rule.ts';

interface BrokerPage {
  readonly limit: number;
  readonly offset: number;
  readonly color?: string | undefined;
}

/** Returns RFC 8288 links to the next and previous pages; empty if there are none. */
const formatLinks = (page: BrokerPage, total: number): string => {
  const at = (offset: number) => {
    const query = new URLSearchParams({ limit: String(page.limit), offset: String(offset) });
    if (page.color !== undefined) query.set('color', page.color);
    return `<${BASE_PATH}/brokers?${query}>`;
  };
  const found: string[] = [];
  if (page.offset + page.limit < total) found.push(`${at(page.offset + page.limit)}; rel="next"`);
  if (page.offset > 0) found.push(`${at(Math.max(0, page.offset - page.limit))}; rel="prev"`);
  return found.join(', ');
};

const toAddress = createAddressFormatter(contract.brokers.get, BASE_PATH);

export const brokerRoutes = (db: Db, ranking: Ranking) =>
  initServer().router(contract.brokers, {
    list: async ({ query: { limit, offset, color } }) => {
      const total = ranking.count(color);
      const rows = await readSummaries(db, ranking.page(color, limit, offset));
      const link = formatLinks({ limit, offset, color }, total);
      const pagination = { limit, offset, total };
      const headers = link ? { Link: link } : {};
      return { status: 200, body: readyList<z.infer<typeof BrokerList>>(rows, { pagination }, headers) };
    },
    get: async (args) => {
      const { slug: asked } = args.params;
      const detail = await readDetail(db, asked);
      if (detail) return { status: 200, body: readyJson<BrokerDetail>(detail) };
      const { slug } = await requireBroker(db, asked);
      if (slug === asked) throw brokerNotFound(asked); // its document is being written
      if (!(await readDetail(db, slug)))
        throw new DomainError('unavailable', `"${asked}" is about to be published as "${slug}".`, { retryAfter: 1 });
      addCacheTags(args, [`broker:${slug}`]);
      throw new SlugRedirect(toAddress({ params: { slug }, query: {} }), slug);
    },
  });
