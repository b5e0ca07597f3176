/** `npx -y pnpm overload [--seconds=N] [--write]`: three times as many requests as the service can answer, for half a minute twice. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { importRows } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { measureOverload } from './measure.ts';
import { tableOf, withTable } from './row.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, write: { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) throw new Error('--seconds must be a number');

const service = await startService({ PREPARED_MB: '0' });
try {
  const rows = Array.from({ length: 300 }, (_, n) => brokerRow(`broker-${n}`));
  await importRows(service, 'brokers', rows);
  const lasts = { load: seconds, capacity: 5 };
  const kept = await measureOverload(service, 'kept', lasts);
  const table = tableOf([kept, await measureOverload(service, 'new', lasts)]);
  process.stdout.write(`${table}\n`);
  if (values.write) {
    const page = new URL('../../docs/reliability.md', import.meta.url);
    await writeFile(page, withTable(await readFile(page, 'utf8'), table));
  }
} finally {
  await service.remove();
}
