import { addressIn, LANGUAGES } from '@broker-transparency/portal';
import { toStatusFile } from '@broker-transparency/portal/status';
import type { MadeFile } from '../../http/endpoints/made-files.ts';
import type { Db } from '../../platform/mongo.ts';
import { createStatusPolicy } from '../../status/page.ts';
import { createStatusPage, type StatusParts } from './page.ts';
import { createStatusReader } from './read.ts';

/** Returns the status page in each language and its data, by path. */
export const statusFiles = (db: Db, parts: Omit<StatusParts, 'read'>): Readonly<Record<string, MadeFile>> => {
  const files = createStatusPage({ ...parts, read: createStatusReader(db) });
  const page = { contentType: 'text/html; charset=utf-8', policy: createStatusPolicy() };
  const pages = LANGUAGES.map((language): [string, MadeFile] => [
    addressIn(language, '/status'),
    { ...page, make: async () => (await files())[toStatusFile(language)] as string },
  ]);
  return {
    ...Object.fromEntries(pages),
    '/status.json': { contentType: 'application/json', make: async () => (await files())['status.json'] },
  };
};
