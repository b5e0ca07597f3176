import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Makes the files that the sources need and git does not hold. */
export const setup = (): void => {
  const script = join(import.meta.dirname, '../../generate.ts');
  execFileSync(process.execPath, ['--conditions=@broker-transparency/source', script]);
};
