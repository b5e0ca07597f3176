import { type BrokersListQuery, createClient } from '@broker-transparency/client';
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';

const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });

/** The client tries again by itself, and answers are good for half a minute. */
export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } });

export const brokerQuery = (slug: string) =>
  queryOptions({
    queryKey: ['brokers', slug],
    queryFn: ({ signal }) => client.brokers.get(slug, { signal }),
  });

export const brokersQuery = (filter: Pick<BrokersListQuery, 'color'> = {}) =>
  infiniteQueryOptions({
    queryKey: ['brokers', filter],
    queryFn: ({ pageParam, signal }) => client.brokers.list({ ...filter, limit: 10, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ data, pagination: { offset, total } }) => {
      const next = offset + data.length;
      return data.length > 0 && next < total ? next : undefined;
    },
  });

export const newsQuery = infiniteQueryOptions({
  queryKey: ['news'],
  queryFn: ({ pageParam, signal }) => client.news.list({ limit: 10, cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.nextCursor,
});
