import { BASE_PATH, type BrokerDetail, type BrokerList, contract } from '@broker-transparency/contract';
import type * as z from 'zod';
import { brokerNotFound, requireBroker, resolveSlugs } from '../../features/brokers/facts.ts';
import { listRegulatorNames } from '../../features/regulators/facts.ts';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { findNearestName } from '../../http/problem/invalid-request.ts';
import { invalidRequest } from '../../http/problem/problem.ts';
import { createAddressFormatter } from '../../http/request/canonical.ts';
import { SlugRedirect } from '../../http/response/moved.ts';
import { readyJson, readyList } from '../../http/response/ready-json.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { readDetail, readSummaries } from './answers.ts';
import type { NoteChanges } from './newest-changes.ts';
import type { Ranking } from './ranking.rule.ts';
import { readUpdates } from './updates.ts';

type BrokerQuery = z.output<typeof contract.brokers.list.query>;

/** Returns RFC 8288 links to the next and previous pages; empty if there are none. */
const formatLinks = ({ limit, offset, ...filter }: BrokerQuery, total: number): string => {
  const at = (offset: number) => {
    const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
    return `<${BASE_PATH}/brokers?${query}>`;
  };
  const found: string[] = [];
  if (offset + limit < total) found.push(`${at(offset + limit)}; rel="next"`);
  if (offset > 0) found.push(`${at(Math.max(0, offset - limit))}; rel="prev"`);
  return found.join(', ');
};

/** Slugs that a request names, by what has become of their brokers. */
interface NamedSlugs {
  /** The current slugs of all of them. */
  readonly slugs: readonly string[];
  readonly moved: { asked: string; slug: string }[];
  readonly unknown: string[];
}

const findNamed = async (db: Db, ranking: Ranking, asked: readonly string[]): Promise<NamedSlugs> => {
  const others = asked.filter((slug) => !ranking.has(slug));
  const find = others.length === 0 ? () => undefined : await resolveSlugs(db, others);
  const moved = others.flatMap((slug) => {
    const found = find(slug);
    return found && found.slug !== slug ? [{ asked: slug, slug: found.slug }] : [];
  });
  const unknown = others.filter((slug) => find(slug) === undefined);
  return { slugs: [...new Set([...asked, ...moved.map(({ slug }) => slug)])], moved, unknown };
};

/** @throws ProblemError invalid_request if no regulator has the code */
const requireRegulator = async (db: Db, ranking: Ranking, code: string): Promise<void> => {
  if (ranking.page({ regulator: code }, 0, 0).total > 0) return;
  const codes = (await listRegulatorNames(db)).map((known) => known.code);
  if (codes.includes(code)) return;
  const nearest = findNearestName(code, codes);
  const hint = nearest ? `; did you mean "${nearest}"?` : '. /regulators lists all codes.';
  throw invalidRequest([
    { parameter: 'regulator', code: 'not_one_of', detail: `"regulator" is the code of no regulator${hint}` },
  ]);
};

const toAddress = createAddressFormatter(contract.brokers.get, BASE_PATH);
const toListAddress = createAddressFormatter(contract.brokers.list, BASE_PATH);

export const brokerRoutes = (db: Db, ranking: Ranking, noteChanges: NoteChanges, clock: Clock) =>
  initServer().router(contract.brokers, {
    list: async (args) => {
      const { limit, offset, sort, slugs: asked, updatedSince: from, ...filter } = args.query;
      if (filter.regulator !== undefined) await requireRegulator(db, ranking, filter.regulator);
      const { slugs, ...named } = asked ? await findNamed(db, ranking, asked) : {};
      if (from !== undefined) {
        addCacheTags(args, ['record']);
        const { summaries, ...updates } = await readUpdates(db, { ...filter, slugs, from, limit, at: clock() });
        const pagination = { limit, offset, total: summaries.length };
        const next = { params: {}, query: { ...args.query, updatedSince: updates.next } };
        const headers = updates.more ? { Link: `<${toListAddress(next)}>; rel="next"` } : {};
        const rest = { pagination, updates, ...named };
        return { status: 200, body: readyList<z.infer<typeof BrokerList>>(summaries, rest, headers) };
      }
      if (sort) {
        addCacheTags(args, ['record']);
        await noteChanges();
      }
      const page = ranking.page({ ...filter, slugs }, limit, offset, sort ? 'changed' : 'best');
      const rows = await readSummaries(db, page.slugs);
      const link = formatLinks(args.query, page.total);
      const pagination = { limit, offset, total: page.total };
      const headers = link ? { Link: link } : {};
      return { status: 200, body: readyList<z.infer<typeof BrokerList>>(rows, { pagination, ...named }, headers) };
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
