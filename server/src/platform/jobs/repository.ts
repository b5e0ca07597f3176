import { randomUUID } from 'node:crypto';
import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { AgendaBackend, JobParameters } from 'agenda';
import { type Db, database } from '../mongo.ts';
import { LockLost } from './job.ts';
import { COLLECTION } from './store.ts';

/**
 * Agenda's MongoDB repository with three changes. Each lock has its own name. The state of a job is written only by the
 * holder of its lock; the original lets a suspended process overwrite its successor. The data of a job whose round is
 * over (undefined in memory) is reset in the write that unlocks it; otherwise a process killed in between would start
 * the round again.
 */
export class FencedRepository extends MongoJobRepository {
  readonly #owner: string;

  constructor(mongo: ConstructorParameters<typeof MongoJobRepository>[0], owner: string) {
    super(mongo);
    this.#owner = owner;
  }

  override getNextJobToRun(name: string, nextScanAt: Date, lockDeadline: Date, now: Date | undefined) {
    const lastModifiedBy = `${this.#owner}:${randomUUID().slice(0, 8)}`;
    return super.getNextJobToRun(name, nextScanAt, lockDeadline, now, { lastModifiedBy });
  }

  override async saveJobState(job: JobParameters): Promise<void> {
    const { name, lastModifiedBy, lockedAt, nextRunAt, lastRunAt, lastFinishedAt, failedAt, failReason, failCount } =
      job;
    const roundIsOver = job.data === undefined;
    const { matchedCount } = await this.collection.updateOne(
      { name, lastModifiedBy: lastModifiedBy ?? '', lockedAt: { $ne: null } },
      {
        $set: {
          lockedAt: lockedAt ?? null,
          nextRunAt: nextRunAt ?? null,
          lastRunAt: lastRunAt ?? null,
          lastFinishedAt: lastFinishedAt ?? null,
          failedAt: failedAt ?? null,
          failReason: failReason?.slice(0, 500) ?? null,
          failCount: failCount ?? null,
          ...(roundIsOver ? { data: {}, progress: null } : {}),
        },
      },
    );
    if (matchedCount !== 1) throw new LockLost(name);
  }
}

/**
 * Creates a backend for agenda on mongoose's connection, with the index that the model declares and without a log
 * collection.
 */
export const createBackend = (db: Db, owner: string): AgendaBackend & { readonly repository: FencedRepository } => {
  const repository = new FencedRepository(
    { mongo: database(db), db: { collection: COLLECTION }, ensureIndex: false },
    owner,
  );
  return {
    name: 'MongoDB',
    ownsConnection: false,
    repository,
    connect: () => repository.connect(),
    disconnect: async () => {},
  };
};
