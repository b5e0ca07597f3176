import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandFolder, createCommandFolder } from './command-folder.ts';
import { SHELLS, type Shell } from './completion.rule.ts';
import { loadCommands } from './policy.ts';

const isPresent = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const PRESENT = SHELLS.filter(isPresent);

let folder: CommandFolder;
beforeAll(async () => {
  folder = await createCommandFolder();
  for (const shell of PRESENT) {
    const { code, stdout } = await folder.call(['completion', shell], {});
    expect(code).toBe(0);
    await writeFile(join(folder.path, shell), stdout);
  }
});
afterAll(() => folder?.remove());

/** A line after the candidates of each completed line. */
const END = '--end--';

/** Sets the variables of a completion function, calls it, and prints the candidates. */
const toBash = (words: readonly string[]): string =>
  `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=()\n` +
  `_broker_rating; printf '%s\\n' "\${COMPREPLY[@]}" ${END}`;

/** Commands for each shell that complete lines of words. */
const RUN: Readonly<Record<Shell, (script: string, lines: readonly (readonly string[])[]) => string>> = {
  bash: (script, lines) => [`source ${script}`, ...lines.map(toBash)].join('\n'),
  zsh: (script, lines) =>
    // compdef works in a terminal only; the options are those of the function of zsh that calls functions for bash
    [
      `compdef() { }; source ${script}`,
      `complete_lines() {\nemulate -L sh; setopt kshglob noshglob braceexpand\n${lines.map(toBash).join('\n')}\n}`,
      'complete_lines',
    ].join('\n'),
  fish: (script, lines) =>
    [
      `source ${script}`,
      ...lines.map((words) => `complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; echo ${END}`),
    ].join('\n'),
};

/** Returns the candidates of each line of words. */
const complete = (shell: Shell, lines: readonly (readonly string[])[]): string[][] => {
  const found = execFileSync(shell, ['-c', RUN[shell](join(folder.path, shell), lines)], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], HOME: folder.path },
    encoding: 'utf8',
  });
  return found
    .split(`${END}\n`)
    .slice(0, lines.length)
    .map((text, at) => {
      const begun = lines[at]?.at(-1) ?? ''; // zsh itself leaves out what begins otherwise
      return text.split('\n').filter((word) => word !== '' && (shell !== 'zsh' || word.startsWith(begun)));
    });
};

const LINES: readonly (readonly [line: string, candidates: readonly string[]])[] = [
  ['rev', ['review']],
  ['broker re', ['rename']],
  ['licence l', ['leis', 'list']],
  ['admin log re', ['recover']],
  ['review list --st', ['--status']],
  ['review list --status p', ['pending', 'published']],
  ['--context review broker re', ['rename']],
  ['review list --limit 5 --hi', ['--hint']],
  ['token list --tok', ['--token-file']],
  ['review publish --dry', ['--dry-run']],
  ['review work --dry', []],
  ['completion z', ['zsh']],
  ['backup feeds', ['feeds.json']],
  ['complaint answer C-1 --file feeds', ['feeds.json']],
];

test.each(PRESENT)('%s completes commands, options and their values', (shell) => {
  const lines = LINES.filter(([line]) => shell === 'fish' || !line.startsWith('backup'));
  const found = complete(
    shell,
    lines.map(([line]) => ['broker-rating', ...line.split(' ')]),
  );
  expect(lines.map(([line], at) => [line, found[at]?.toSorted()])).toEqual(lines.map(([line, words]) => [line, words]));
});

test('bash completes values after an equals sign', () => {
  const line = ['broker-rating', 'review', 'list', '--status', '='];
  expect(complete('bash', [[...line, 'pe'], line])).toEqual([['pending'], expect.arrayContaining(['rejected'])]);
});

test.each(PRESENT)('%s completes every command', async (shell) => {
  const lines = (await loadCommands()).map(({ words }) => ['broker-rating', ...words.split(' ')]);
  const found = complete(shell, lines);
  expect(lines.filter((words, at) => !found[at]?.includes(words.at(-1) as string))).toEqual([]);
});
