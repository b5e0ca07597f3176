// Made from the contract by `pnpm generate`. Do not edit.

/** Where each call goes, in the shape of the client. */
export const routes = {
  search: { method: 'GET', path: '/search', query: true, body: false, list: 'whole' },
  brokers: {
    list: { method: 'GET', path: '/brokers', query: true, body: false, list: 'offset' },
    get: { method: 'GET', path: '/brokers/{slug}', query: false, body: false },
  },
  regulators: {
    list: { method: 'GET', path: '/regulators', query: false, body: false, list: 'whole' },
    get: { method: 'GET', path: '/regulators/{code}', query: false, body: false },
  },
  reviews: {
    list: { method: 'GET', path: '/reviews', query: true, body: false, list: 'cursor' },
    create: { method: 'POST', path: '/reviews', query: false, body: true },
  },
  complaints: {
    create: { method: 'POST', path: '/complaints', query: false, body: true },
  },
  news: {
    list: { method: 'GET', path: '/news', query: true, body: false, list: 'cursor' },
  },
} as const;
