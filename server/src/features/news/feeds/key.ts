import { hash } from 'node:crypto';

/** Returns the key that recognises an item when its address changes. Ids are unique only within their feed. */
export const entryKey = (feedUrl: string, guid: string): string =>
  `id:${hash('sha256', `${feedUrl}\n${guid}`).slice(0, 32)}`;
