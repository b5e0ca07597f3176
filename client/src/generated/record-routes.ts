// Made from the contract by `pnpm generate`. Do not edit.

/** Where each call goes, in the shape of the client. */
export const recordRoutes = {
  history: { path: '/brokers/{slug}/history', query: true, list: true },
  at: { path: '/brokers/{slug}/at', query: true },
  proof: { path: '/brokers/{slug}/proof', query: true },
} as const;
