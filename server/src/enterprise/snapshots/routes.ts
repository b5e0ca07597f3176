import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { findCoveringCheckpoint } from '../../ledger/log/covering.ts';
import { type Db, inReadOrder } from '../../platform/mongo.ts';
import { requireCustomer } from '../access/customer.ts';
import { listManifests, readManifest, type StoredManifest } from './folder.ts';
import { manifestView, summaryView } from './view.ts';

/** @throws ProblemError not_found */
export const requireSnapshot = async (dataDir: string, number: number): Promise<StoredManifest> => {
  const manifest = await readManifest(dataDir, number);
  if (manifest) return manifest;
  throw new ProblemError('not_found', `There is no snapshot ${number}, or it is not kept any more: see the list.`);
};

/** Routes of the kept snapshots. */
export const snapshotRoutes = (db: Db, dataDir: string) =>
  initServer().router(enterpriseContract.snapshots, {
    list: async () => ({ status: 200, body: { data: (await listManifests(dataDir)).map(summaryView) } }),
    get: async ({ req, params: { number } }) => {
      const manifest = await requireSnapshot(dataDir, number);
      const signed = await inReadOrder(db, (session) => findCoveringCheckpoint(manifest.tree.size, session));
      return { status: 200, body: manifestView(manifest, signed, requireCustomer(req)) };
    },
  });
