/**
 * `npx -y pnpm overload [--seconds=N] [--write]`: three times as many requests as the service can answer, for half a minute twice.
 * `npx -y pnpm overload --silent [--seconds=N]`: 4096 callers who say nothing, for five minutes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { importRows } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { measureOverload } from './measure.ts';
import { tableOf, withTable } from './row.ts';
import { measureSiege } from './silent.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    silent: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds ?? (values.silent ? 300 : 30));
if (!(seconds > 0)) throw new Error('--seconds must be a number');

const measureSilent = async (): Promise<void> => {
  const service = await startService({ PUBLIC_RATE_LIMIT: undefined });
  try {
    const { opened, answers, worstMs } = await measureSiege(service, { callers: 4096, seconds });
    process.stdout.write(`${opened} silent connections in ${seconds} s; answers to fresh callers by status: `);
    process.stdout.write(`${JSON.stringify(answers)}, the worst after ${worstMs} ms\n`);
    if (Object.keys(answers).join() !== '200') process.exitCode = 1;
  } finally {
    await service.remove();
  }
};

const measureLoad = async (): Promise<void> => {
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
};

await (values.silent ? measureSilent() : measureLoad());
