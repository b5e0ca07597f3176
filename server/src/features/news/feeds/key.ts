import { hash } from 'node:crypto';

/** What an item is known again by when its address changes. An id means something within its feed only. */
export const entryKey = (feedUrl: string, guid: string): string =>
  `id:${hash('sha256', `${feedUrl}\n${guid}`).slice(0, 32)}`;
