import { listOperatorsWithTokens } from '../../features/operators/facts.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { version } from '../../version.ts';
import { readConfig } from '../config.ts';
import { listRunnableJobs } from '../jobs/table.ts';
import { type Installation, readInstallation } from '../signals/installation.ts';
import { readSignals } from '../signals/read.ts';
import {
  findWorstLevel,
  formatSummary,
  LEVELS,
  type Level,
  type SignalRow,
  toSignalRows,
} from '../signals/signals.rule.ts';
import { defineCommand } from './define-command.ts';
import { formatCell, print, printJson, printRecord, printRows } from './output.ts';

const isBad = (level: Level, failOn: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(failOn);

const printStatus = (rows: readonly SignalRow[], installation: Installation, actors: string): void => {
  printRows(
    rows,
    ['signal', 'level', 'what', 'value', ['see', (row) => (row.level === 'fine' ? undefined : row.help)]],
    false,
  );
  for (const { signal, named, count } of rows.filter((row) => row.named.length > 0)) {
    const more = count > named.length ? [`… and ${count - named.length} more`] : [];
    print(`\n${signal}:\n  ${[...named, ...more].map(formatCell).join('\n  ')}`);
  }
  print(`\nVersion ${version}. ${actors}`);
  printRecord(installation, false);
};

const printSummary = (rows: readonly SignalRow[], now: Date): void => {
  const { subject, text } = formatSummary(rows, now);
  print(`${subject}\n`);
  for (const line of text.split('\n')) print(formatCell(line));
};

export const statusCommands = [
  defineCommand({
    words: 'status',
    rights: { open: true, reads: true },
    options: {
      failOn: { value: '<level>', what: 'exit with 1 from this level on', choices: ['look', 'act'], default: 'act' },
      summary: 'print the summary of the day, what is urgent first',
    },
    example: '--json',
    run: async ({ json, env, database }, { failOn, summary }) => {
      const config = readConfig(env);
      const { rows, installation, operators, now } = await database(async ({ clock, db }) => {
        const now = clock();
        const found = await Promise.all([
          readSignals(db, { ...config, jobs: listRunnableJobs(config) }, now),
          listOperatorsWithTokens(db, clock),
          readInstallation(db, config, now),
        ]);
        const operators = found[1].filter(({ endedAt }) => !endedAt).length;
        return { now, rows: toSignalRows(found[0], now), operators, installation: found[2] };
      });
      const level = findWorstLevel(rows);
      if (json) printJson({ version, ...installation, level, operators, signals: rows });
      else if (summary) printSummary(rows, now);
      else
        printStatus(
          rows,
          installation,
          operators > 0
            ? `${operators} operators act by token.`
            : 'No operators: --actor takes any name. See: operator list',
        );
      if (isBad(level, failOn)) {
        const bad = rows.filter((row) => isBad(row.level, failOn)).map(({ signal }) => signal);
        throw new DomainError('failed', `${level}: ${bad.join(', ')}`);
      }
    },
  }),
];
