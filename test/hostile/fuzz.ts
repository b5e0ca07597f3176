import { parseArgs } from 'node:util';
import { startFilledProcess } from '../support/filled-service.ts';
import { fuzz } from './fuzzing.ts';

/** `npx -y pnpm fuzz [--seconds=600] [--seed=N] [--path=P]`. The seed and path of a failure reproduce it. */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    path: { type: 'string' },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}`);
const service = await startFilledProcess({ LOG_LEVEL: 'error' });
try {
  const extent = { seed, rounds: 10_000_000, ms: Number(values.seconds) * 1000, path: values.path };
  const statuses = await fuzz(service, extent);
  console.log(Object.fromEntries([...statuses].sort(([a], [b]) => a - b)));
  const faults = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  if (faults.length > 0) throw new Error(`the server logged ${faults.length} faults, the first of them:\n${faults[0]}`);
} finally {
  await service.remove();
}
