import type { MadeFile } from '../../http/endpoints/made-files.ts';
import type { Db } from '../../platform/mongo.ts';
import { createStatusPolicy } from '../../status/page.ts';
import { createStatusPage, type StatusParts } from './page.ts';
import { createStatusReader } from './read.ts';

/** Returns the status page and its data, by path. */
export const statusFiles = (db: Db, parts: Omit<StatusParts, 'read'>): Readonly<Record<string, MadeFile>> => {
  const files = createStatusPage({ ...parts, read: createStatusReader(db) });
  return {
    '/status': {
      contentType: 'text/html; charset=utf-8',
      policy: createStatusPolicy(),
      make: async () => (await files())['index.html'],
    },
    '/status.json': { contentType: 'application/json', make: async () => (await files())['status.json'] },
  };
};
