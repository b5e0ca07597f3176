import { expect, test } from 'vitest';
import { POLICY } from '../../features/operators/policy.rule.ts';
import { createCommandFolder } from './command-folder.ts';
import { isWriting, WITHOUT_DRY_RUN } from './dry-run.rule.ts';

const writing = Object.keys(POLICY).filter(isWriting);

test('the table of commands without a dry run names only commands that write', () => {
  expect(Object.keys(WITHOUT_DRY_RUN).filter((command) => !writing.includes(command))).toEqual([]);
});

test('every command that writes has --dry-run in its help, or refuses it with a sentence', async () => {
  const folder = await createCommandFolder();
  try {
    for (const command of writing) {
      const { stdout } = await folder.call([...command.split(' '), '--help'], {});
      expect(stdout.includes('--dry-run'), command).toBe(!Object.hasOwn(WITHOUT_DRY_RUN, command));
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
