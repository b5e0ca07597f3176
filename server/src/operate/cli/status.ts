import { type Command, Option } from 'commander';
import { operatorsWithTokens } from '../../features/operators/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { version } from '../../version.ts';
import { readConfig } from '../config.ts';
import { readSignals } from '../signals/read.ts';
import { LEVELS, type Level, rowsOf, type SignalRow, worstOf } from '../signals/signals.rule.ts';
import { print, printJson, printRows } from './output.ts';
import { withDatabase } from './session.ts';

interface StatusOptions {
  readonly failOn: Exclude<Level, 'fine'>;
  readonly json?: boolean;
}

const isBad = (level: Level, failOn: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(failOn);

const printStatus = (rows: readonly SignalRow[], actors: string): void => {
  printRows(
    rows,
    {
      signal: (row) => row.signal,
      level: (row) => row.level,
      what: (row) => row.what,
      value: (row) => row.value,
      see: (row) => (row.level === 'fine' ? undefined : row.help),
    },
    false,
  );
  for (const { signal, named } of rows) if (named.length > 0) print(`\n${signal}:\n  ${named.join('\n  ')}`);
  print(`\nVersion ${version}. ${actors}`);
};

export const addStatusOptions = (status: Command, env: NodeJS.ProcessEnv): void => {
  status
    .addOption(
      new Option('--fail-on <level>', 'exit with 1 from this level on').choices(['look', 'act']).default('act'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating status --json')
    .action(async ({ failOn, json }: StatusOptions) => {
      const config = readConfig(env);
      const { rows, operators } = await withDatabase(env, 'system', async ({ clock }) => {
        const now = clock();
        const found = await Promise.all([readSignals(config, now), operatorsWithTokens(clock)]);
        return { rows: rowsOf(found[0], now), operators: found[1].filter(({ endedAt }) => !endedAt).length };
      });
      const level = worstOf(rows);
      if (json) printJson({ version, level, operators, signals: rows }, 2);
      else
        printStatus(
          rows,
          operators > 0 ? `${operators} operators act by token.` : 'No operators: --actor is free. See: operator list',
        );
      if (isBad(level, failOn)) {
        const bad = rows.filter((row) => isBad(row.level, failOn)).map(({ signal }) => signal);
        throw new DomainError('failed', `${level}: ${bad.join(', ')}`);
      }
    });
};
