/**
 * Publishes reviews as the operator's command does, four at a time: `publish-process.ts URL ID…`. Prints the processor
 * time that it took for that, in milliseconds.
 */
import { decideReview } from '../../server/src/features/moderation/actions.ts';
import type {} from '../../server/src/http/request/context.ts'; // the first needs its types of requests
import { createClock } from '../../server/src/platform/clock.ts';
import { closeDb, connectAsReader } from '../../server/src/platform/mongo.ts';

const [url = '', ...ids] = process.argv.slice(2);
const AT_ONCE = 4;

const db = await connectAsReader(url);
const context = { actor: { type: 'operator', name: 'bench' }, clock: createClock(), db } as const;
const before = process.cpuUsage();
const publish = async (): Promise<void> => {
  for (let id = ids.pop(); id !== undefined; id = ids.pop())
    await decideReview(context, id, { kind: 'publish', reasonCode: undefined, note: undefined });
};
await Promise.all(Array.from({ length: AT_ONCE }, publish));
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
await closeDb(db);
