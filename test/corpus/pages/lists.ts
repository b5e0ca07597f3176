import { COLORS } from '@broker-transparency/contract';
import type { RawAnswer } from '../../support/raw-http.ts';
import type { Ask } from '../wire.ts';

interface PageBody {
  readonly data: readonly { readonly slug: string; readonly code: string; readonly name: string }[];
  readonly pagination?: { readonly nextCursor?: string | null };
}

const parseBody = ({ status, body }: RawAnswer, target: string): PageBody => {
  if (status !== 200) throw new Error(`${target} was answered by ${status}: ${body}`);
  return JSON.parse(body) as PageBody;
};

const findNextLink = ({ headers }: RawAnswer): string | undefined =>
  /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

/** Reads a list to its end by its own links or cursors. Returns all its items. */
const walk = async (ask: Ask, kind: string, first: string): Promise<PageBody['data']> => {
  const items: PageBody['data'][number][] = [];
  for (let target: string | undefined = first; target !== undefined; ) {
    const answer = await ask(kind, { target });
    const { data, pagination } = parseBody(answer, target);
    items.push(...data);
    const cursor = pagination?.nextCursor;
    const glue = first.includes('?') ? '&' : '?';
    target = cursor ? `${first}${glue}cursor=${encodeURIComponent(cursor)}` : findNextLink(answer);
  }
  return items;
};

const brokers = async (ask: Ask): Promise<PageBody['data']> => {
  for (const query of ['', '?limit=100', ...COLORS.flatMap((color) => [`?color=${color}`, `?color=${color}&limit=7`])])
    await walk(ask, 'brokers', `/api/v1/brokers${query}`);
  for (const query of ['limit=1', 'limit=1&offset=299', 'limit=100&offset=299', 'offset=100000', 'offset=19'])
    await ask('brokers', { target: `/api/v1/brokers?${query}` });
  return walk(ask, 'brokers', '/api/v1/brokers?limit=50');
};

const regulators = async (ask: Ask): Promise<void> => {
  for (const { code } of await walk(ask, 'regulators', '/api/v1/regulators'))
    await ask('one regulator', { target: `/api/v1/regulators/${code}` });
};

/** Reads every list to its end, and every item in it. Returns all brokers. */
export const readLists = async (ask: Ask): Promise<PageBody['data']> => {
  const all = await brokers(ask);
  await regulators(ask);
  for (const limit of ['', '?limit=7', '?limit=100']) await walk(ask, 'news', `/api/v1/news${limit}`);
  for (const { slug } of all) {
    await ask('one broker', { target: `/api/v1/brokers/${slug}` });
    await walk(ask, 'reviews', `/api/v1/reviews?broker=${slug}&limit=50`);
    await ask('moderation', { target: `/transparency/v1/moderation/${slug}` });
  }
  for (const query of ['alpha-markets', 'alpha-markets&limit=100', 'alpha-markets&limit=19', 'story-replied&limit=1'])
    await walk(ask, 'reviews', `/api/v1/reviews?broker=${query}`);
  return all;
};
