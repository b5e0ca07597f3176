import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Binary, type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { computeRoot, hashLeaf } from '../support/log-reader.ts';
import type { Service } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { databaseName } from '../support/shared-database.ts';
import { createReader, ORIGIN } from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import { createWitnessedLog, findWitnessState, makeDue, readMetric, untilWitnessed } from './witnessed.ts';

let log: Awaited<ReturnType<typeof createWitnessedLog>>;
beforeAll(async () => {
  log = await createWitnessedLog();
});
afterAll(() => log?.remove());

describe('a witness', () => {
  /** A log that one witness has signed, with several entries. */
  const startWitnessed = async () => {
    const witness = await log.newWitness();
    const policy = log.formatPolicy({ only: witness }, 'quorum only');
    const service = await log.start(policy);
    await log.grow(service);
    return { witness, policy, service };
  };
  const contradiction = (service: Service, why: string | RegExp) =>
    until('the contradiction is shown', 40_000, async () => {
      const { failed } = await findWitnessState(service, 'only');
      return (
        failed?.contradicts && (typeof why === 'string' ? failed.why === why : why.test(failed.why ?? '')) && failed
      );
    });

  test('sees a tree that a restore has rolled back, and signs nothing of it ever again', async () => {
    const { witness, policy, service } = await startWitnessed();
    const before = await untilWitnessed(service, 1, policy);
    const backup = join(log.scratch.path, 'backup');
    succeeded(await service.cli('backup', backup));
    const lost = await untilWitnessed(service, (await log.grow(service)).size, policy);
    expect(lost.size).toBeGreaterThan(before.size);
    await service.close();
    await rm(join(service.dataDir, 'log'), { recursive: true }); // as on another machine
    const { stderr } = await service.cli(
      'restore',
      backup,
      '--drop',
      '--yes',
      databaseName(service.data['MONGODB_URL']),
    );
    expect(stderr).toContain('Nothing is signed');
    succeeded(await service.cli('admin', 'log', 'recover', '--accept-loss', String(before.size))); // which is wrong
    const restored = await log.start(policy, service.data);
    await makeDue(restored, 'only');
    await contradiction(restored, `has signed ${lost.size} entries, and the published checkpoint has ${before.size}`);
    expect((await restored.cli('log', 'show')).stdout).toContain('It has seen another history of this log');
    const line = 'a witness has seen another history of the log than this database has';
    await until('it is logged', 5000, async () => restored.output().includes(line));
    expect(await readMetric(restored, 'contradicted', 'only')).toBe(1);

    expect((await log.grow(restored, 5)).size).toBeGreaterThan(lost.size);
    await makeDue(restored, 'only');
    await contradiction(restored, 'answers 422: the checkpoint does not continue the one that it signed');
    expect(witness.tree().size).toBe(lost.size);
    expect((await createReader(restored).checkpoint())?.signers).toEqual([ORIGIN]);
  });

  test('sees a tree that was computed anew after an entry was changed, even by somebody who removes every trace of it', async () => {
    const { witness, policy, service } = await startWitnessed();
    const before = await untilWitnessed(service, 1, policy);
    await inDatabase(service, async (db) => {
      await db.collection('recordEntries').updateOne({ number: 3 }, { $set: { cause: 'undo' } });
      await recompute(db, await createReader(service).entries(before.size));
      await importRows(service, 'brokers', [brokerRow('one-more')]);
      await until('the service refuses', 20_000, async () => service.output().includes('the log is not signed'));
      await db.collection('logHeads').deleteOne({ _id: 'checkpoint' as never });
      await rm(join(service.dataDir, 'log'), { recursive: true });
    });
    const later = await log.grow(service);
    await contradiction(service, /^answers 422: /);
    expect(witness.tree().size).toBe(before.size);
    const refused = witness.submissions.at(-1);
    expect(refused).toMatchObject({ old: before.size, status: 422 });
    expect(later.size).toBeGreaterThanOrEqual(refused?.size as number); // it may have been asked before the log grew
    expect(refused?.size).toBeGreaterThan(before.size);
    expect((await createReader(service).checkpoint())?.signers).toEqual([ORIGIN]);
  });

  /** Writes the tree and the tiles that follow from these entries, as somebody would who wants to hide a change. */
  const recompute = async (db: Db, entries: readonly Buffer[]): Promise<void> => {
    const leaves = entries.map(hashLeaf);
    if (leaves.length >= 256) throw new Error('there is one tile only');
    const hashes: string[] = [];
    for (let [from, width] = [0, 256]; width >= 1; width /= 2) {
      if (leaves.length - from < width) continue;
      hashes.push(computeRoot(leaves.slice(from, from + width)).toString('base64'));
      from += width;
    }
    const tile = { hashes: leaves.map((leaf) => new Binary(leaf)) };
    await db.collection('logTiles').updateOne({ _id: '0/0' as never }, { $set: tile });
    await db.collection('logHeads').updateOne({ _id: 'tree' as never }, { $set: { hashes } });
  };
});
