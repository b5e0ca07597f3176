/**
 * Checks the service's queries on a large database: `node test/bench/queries.ts` after `pnpm build`. Prints the
 * commands by collection and plan. Exits with 1 if one scans a collection, sorts in memory, or reads many documents in
 * vain.
 */
import { join } from 'node:path';
import { CACHE } from '../support/cache.ts';
import { createToken } from '../support/filled-service.ts';
import { startProcess } from '../support/process.ts';
import {
  countWastedReads,
  createGetter,
  findMostReviewed,
  getCollection,
  listComplaints,
  profileWork,
  readPublic,
  write,
} from '../support/queries.ts';
import { openData, SIZES } from './data.ts';

const PERSON = 'bench-queries';

const data = await openData(SIZES.large, join(CACHE, 'bench'), console.error);
const service = await startProcess({ MONGODB_URL: data.url, PREPARED_MB: '0' });
try {
  const slug = await findMostReviewed(data.db);
  const token = await createToken(service, PERSON);
  const get = createGetter(service, token);
  const commands = await profileWork(data.db, async () => {
    await readPublic(get, slug);
    await write(service, get, token, slug);
  });
  const plans = Map.groupBy(
    commands,
    (command) => `${command['op']} ${getCollection(command)}: ${command['planSummary']}`,
  );
  for (const [plan, found] of [...plans].sort())
    console.log(
      `${plan}: ${found.length} commands, at most ${Math.max(...found.map(countWastedReads))} documents in vain`,
    );
  const found = listComplaints(commands);
  for (const complaint of found) console.error(complaint);
  process.exitCode = found.length > 0 ? 1 : 0;
} finally {
  await service.cli('account', 'erase', PERSON, '--yes', PERSON, '--reason', 'requested');
  await service.remove();
  await data.close();
}
