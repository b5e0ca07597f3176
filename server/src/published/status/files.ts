import { STATUS_PAGES } from '@broker-transparency/portal/status';
import type { MadeFile } from '../../http/endpoints/made-files.ts';
import type { Db } from '../../platform/mongo.ts';
import { createStatusPolicy } from '../../status/page.ts';
import { createStatusPage, type StatusParts } from './page.ts';
import { createStatusReader } from './read.ts';

/** Returns the status page in each language and its data, by path. */
export const statusFiles = (db: Db, parts: Omit<StatusParts, 'read'>): Readonly<Record<string, MadeFile>> => {
  const files = createStatusPage({ ...parts, read: createStatusReader(db) });
  const page = { contentType: 'text/html; charset=utf-8', policy: createStatusPolicy() };
  const pages = STATUS_PAGES.map(({ path, file }): [string, MadeFile] => [
    path,
    { ...page, make: async () => (await files())[file] as string },
  ]);
  return {
    ...Object.fromEntries(pages),
    '/status.json': { contentType: 'application/json', make: async () => (await files())['status.json'] as string },
  };
};
