import type { PrivatePage } from '../page.ts';

/** Pages behind a signed link. */
export const CASE_PAGES: readonly PrivatePage[] = [];
