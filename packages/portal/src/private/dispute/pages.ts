import type { PrivatePage } from '../page.ts';

/** Pages for brokers. */
export const DISPUTE_PAGES: readonly PrivatePage[] = [];
