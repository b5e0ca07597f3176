import type { PrivatePage } from '../page.ts';

/** Pages about what a person wrote. */
export const MINE_PAGES: readonly PrivatePage[] = [];
