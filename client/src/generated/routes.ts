// Made from the contract by `pnpm generate`. Do not edit.

/** Where each call goes, in the shape of the client. */
export const routes = {
  search: { method: 'GET', path: '/search', query: true, list: 'whole' },
  brokers: {
    list: { method: 'GET', path: '/brokers', query: true, list: 'offset' },
    get: { method: 'GET', path: '/brokers/{slug}' },
  },
  regulators: {
    list: { method: 'GET', path: '/regulators', list: 'whole' },
    get: { method: 'GET', path: '/regulators/{code}' },
  },
  reviews: {
    list: { method: 'GET', path: '/reviews', query: true, list: 'cursor' },
    create: { method: 'POST', path: '/reviews', body: true },
  },
  complaints: {
    create: { method: 'POST', path: '/complaints', body: true },
  },
  news: {
    list: { method: 'GET', path: '/news', query: true, list: 'cursor' },
  },
} as const;
