import { expect, test } from 'vitest';
import { createCommandFolder } from './command-folder.ts';
import { isWriting } from './define-command.ts';
import { loadCommands } from './policy.ts';

test('every command that writes has --dry-run in its help, or refuses it with a sentence', async () => {
  const folder = await createCommandFolder();
  try {
    for (const { words, noDryRun } of (await loadCommands()).filter(({ rights }) => isWriting(rights))) {
      const { stdout } = await folder.call([...words.split(' '), '--help'], {});
      expect(stdout.includes('--dry-run'), words).toBe(noDryRun === undefined);
    }
    const refused = await folder.call(['admin', 'job', 'run', 'score-refresh', '--dry-run'], {});
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: 'admin job run has no --dry-run. It works in steps, and each needs what the step before wrote.\n',
    });
  } finally {
    await folder.remove();
  }
});
