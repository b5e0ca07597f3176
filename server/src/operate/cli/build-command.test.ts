import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Rights } from '../../features/operators/policy.rule.ts';
import { type Terminal, withTerminal } from '../../platform/terminal.ts';
import { addCommands } from './build-command.ts';
import { type CommandDefinition, type CommandTools, defineCommand } from './define-command.ts';

/** Builds one command. */
const build = (definition: CommandDefinition): Command => {
  const start = async (_: CommandDefinition, command: Command) =>
    ({ json: command.opts()['json'] === true }) as CommandTools;
  const program = new Command('program').exitOverride().configureOutput({ writeErr: () => undefined });
  addCommands(program, '', [definition], start, false);
  for (const command of program.commands) command.exitOverride();
  return program;
};

/** Runs a command line. Returns what it prints. */
const call = async (definition: CommandDefinition, ...argv: string[]): Promise<string> => {
  let out = '';
  const terminal = {
    write: (text: string): void => {
      out += text;
    },
    columns: undefined,
  } as Terminal;
  await withTerminal(terminal, () => build(definition).parseAsync(['node', 'program', ...argv]));
  return out;
};

describe('options follow from the rights', () => {
  test.each<[Rights, Partial<CommandDefinition>, string[]]>([
    [{ roles: ['editor'] }, {}, ['--actor', '--dry-run']],
    [{ roles: ['editor'], reads: true }, {}, ['--json']],
    [{ open: true }, {}, []],
    [{ open: true }, { columns: ['id'] }, ['--json']],
    [{ open: true }, { json: true, actor: true }, ['--json', '--actor']],
    [{ roles: ['admin'], unattended: true }, { actor: false }, ['--dry-run']],
    [{ roles: ['admin'] }, { options: { dryRun: 'say it' } }, ['--dry-run', '--actor']],
  ])('rights %j with %j give the options %j', (rights, more, flags) => {
    const [command] = build({ words: 'thing', rights, example: '', run: () => undefined, ...more }).commands;
    expect(command?.options.map(({ long }) => long)).toEqual(flags);
  });
});

const COUNT = defineCommand({
  words: 'count',
  description: 'count things',
  rights: { open: true, reads: true },
  args: { names: { value: '<names...>', what: 'things' } },
  options: {
    least: { value: '<count>', what: 'at least', parse: z.coerce.number().min(1), default: '2' },
    loud: 'shout',
  },
  example: 'a b',
  run: (_, { names, least, loud = false }) => ({ names, least, loud }),
  format: ({ names }, { least }) => `${names.length} of ${least}`,
});

test('a command gets the values that its schemas read, and its default as people would type it', async () => {
  expect(JSON.parse(await call(COUNT, 'count', 'a', 'b', '--json'))).toEqual({
    names: ['a', 'b'],
    least: 2,
    loud: false,
  });
  expect(await call(COUNT, 'count', 'a', '--least', '7', '--loud')).toBe('1 of 7\n');
  await expect(call(COUNT, 'count', 'a', '--least', '0')).rejects.toThrow("'0' is invalid. Too small");
  expect(build(COUNT).commands[0]?.helpInformation()).toContain('at least (default: 2)');
});

test('a value without lines of its own refuses control characters, one by one', async () => {
  const say = defineCommand({
    words: 'say',
    description: 'say it',
    rights: { open: true, reads: true },
    args: { names: { value: '<names...>', what: 'to whom' } },
    options: { label: { value: '<label>', what: 'a label' }, text: { value: '<text>', what: 'a text', lines: true } },
    example: 'ann',
    run: (_, input) => input,
  });
  expect(JSON.parse(await call(say, 'say', 'ann', 'bob', '--label', 'x y', '--text', 'a\nb', '--json'))).toEqual({
    names: ['ann', 'bob'],
    label: 'x y',
    text: 'a\nb',
  });
  const refusal = 'Leave out line feeds and other control characters.';
  await expect(call(say, 'say', 'ann', 'b\nob')).rejects.toThrow(refusal);
  await expect(call(say, 'say', 'ann', '--label', 'x\u001b[2Jy')).rejects.toThrow(refusal);
});

test('a list prints its columns, says what it leaves out, and prints all of a row as JSON', async () => {
  const list = defineCommand({
    words: 'list',
    description: 'list things',
    rights: { open: true, reads: true },
    example: '',
    run: () => ({ rows: [{ id: 1, at: new Date(0), secret: null }], total: 3 }),
    columns: ['id', ['since', 'at'], 'secret', ['twice', ({ id }) => id * 2]],
  });
  expect((await call(list, 'list')).split('\n')).toEqual([
    expect.stringMatching(/^id +since +secret +twice$/),
    expect.stringMatching(/^1 +1970-01-01T00:00:00.000Z +– +2$/),
    '1 of 3 shown: --limit 3 shows all.',
    '',
  ]);
});
