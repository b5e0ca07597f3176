import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, startService } from '../support/service.ts';

let service: LocalService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.remove());

test('the sample that embeds a service runs as it is written, and ends', async () => {
  const page = await readFile(new URL('../../docs/operating/embedding.md', import.meta.url), 'utf8');
  const sample = /^```js\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
  const program = sample
    .replace('listen(3000', `listen(${await freePort()}`)
    .replace("createLog('error')", "createLog('silent')"); // a busy machine may log that it tries something again
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MONGODB_URL: service.data['MONGODB_URL'] },
  });
  expect(stdout).toBe('65 regulators\n');
  expect(stderr).toBe('');
});
