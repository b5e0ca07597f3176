import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import { entryKey, METHODOLOGY_MODULES } from '@broker-transparency/contract/record';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { hasEntry } from '../../ledger/record/read.ts';
import { snapshot } from '../../platform/mongo.ts';

/**
 * Adds the methodology of this release to the record, once. While releases are mixed, an older release does not add its
 * own again.
 */
export const publishMethodology = async (context: Context): Promise<void> => {
  const key = entryKey('methodology', METHODOLOGY_VERSION);
  if (await snapshot(context.db, (tx) => hasEntry(key, tx))) return; // true at nearly every start
  await inTransaction(context, async (c) => {
    if (await hasEntry(key, c.tx)) return;
    const value = { version: METHODOLOGY_VERSION, sha256: METHODOLOGY_MODULES[METHODOLOGY_VERSION] as string };
    c.publish({ kind: 'methodology', key, subject: key, value, cause: 'methodology' });
  });
};
