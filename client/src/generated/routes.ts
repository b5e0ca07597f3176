// Made from the contract by `pnpm generate`. Do not edit.

/** Where each call goes, in the shape of the client. */
export const routes = {
  search: { path: '/search', query: true, list: true },
  brokers: {
    list: { path: '/brokers', query: true, list: true },
    get: { path: '/brokers/{slug}' },
  },
  regulators: {
    list: { path: '/regulators', list: true },
    get: { path: '/regulators/{code}' },
  },
  reviews: {
    list: { path: '/reviews', query: true, list: true },
    create: { method: 'POST', path: '/reviews', body: true },
  },
  complaints: {
    create: { method: 'POST', path: '/complaints', body: true },
  },
  news: {
    list: { path: '/news', query: true, list: true },
  },
} as const;
