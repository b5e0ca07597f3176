import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderStatusPage, STATUS_FILE } from '../../server/scripts/status-page.ts';

test('the table of signals has the checks of all modules: npx -y pnpm docs:write', async () => {
  expect(await readFile(STATUS_FILE, 'utf8')).toBe(renderStatusPage());
});
