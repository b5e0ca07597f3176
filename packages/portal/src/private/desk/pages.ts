import type { PrivatePage } from '../page.ts';

/** Pages for operators. */
export const DESK_PAGES: readonly PrivatePage[] = [];
