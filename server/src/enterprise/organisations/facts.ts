import * as store from './store.ts';

export type { Agreement, Organisation } from './store.ts';

/** The functions by which access reads organisations and keys, and records the last use. */
export const { findKey, findByClient, touchKeys } = store;
