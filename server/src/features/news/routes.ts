import { contract } from '@broker-transparency/contract';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import { resolveCurrentSlugs } from '../brokers/facts.ts';
import { listNews } from './store.ts';
import { newsView } from './view.ts';

export const newsRoutes = ({ db }: RouteParts) => ({
  public: {
    news: initServer().router(contract.news, {
      list: async (args) => {
        const { limit, cursor } = args.query;
        const rows = await listNews(db, limit, cursor === undefined ? undefined : decodeCursor(cursor));
        const page = toPage(rows, limit, (row) => ({ at: row.publishedAt, id: row._id }));
        const toCurrentSlug = await resolveCurrentSlugs(
          db,
          page.data.flatMap(({ brokerSlugs }) => brokerSlugs),
        );
        const data = page.data.map((item) => newsView(item, toCurrentSlug));
        // the answer changes if one of these brokers is renamed, merged or split
        addCacheTags(args, [
          ...new Set(data.flatMap(({ brokerSlugs }) => brokerSlugs.map((slug) => `broker:${slug}`))),
        ]);
        return { status: 200, body: { data, pagination: page.pagination } };
      },
    }),
  },
});
