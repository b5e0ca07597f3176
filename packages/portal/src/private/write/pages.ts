import type { PrivatePage } from '../page.ts';

/** Pages on which people write. */
export const WRITE_PAGES: readonly PrivatePage[] = [];
