import * as store from './store.ts';

export type { Agreement, Organisation } from './store.ts';

/** What access reads of organisations and their keys, and the last use that it notes. */
export const { findKey, findByClient, touchKeys } = store;
