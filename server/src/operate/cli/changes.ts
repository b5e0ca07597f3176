import type { RecordChange } from '../../intake/imports/run.ts';
import { sourceKey } from '../../ledger/statements/statement.rule.ts';
import { omitDerived, print, printRows } from './output.ts';

/** Shows the fields that one record changes. */
export const printFields = (change: RecordChange): void => {
  const lines = toChangeLines(change);
  if (change.change === 'overruled' || lines.length === 0) return;
  printRows(lines, ['field', 'before', 'after'], false);
};

/** Maximum number of lines that a dry run shows of what would change. */
const SHOWN = 200;

/** One line for each field that changes, the score first. A new record has one line, since every field is new. */
const toChangeLines = ({ line, key, change, fields, score }: RecordChange) => {
  const at = { line, key };
  const scores = score ? [{ ...at, field: 'score', before: score.before, after: score.after }] : [];
  const rest = omitDerived(fields).map(({ field, before, after }) => ({ ...at, field, before, after }));
  if (change === 'new') return [{ ...at, field: '(new)', before: null, after: score?.after ?? null }];
  return [...scores.filter(({ before, after }) => before !== after), ...rest];
};

/** Shows what rows say and a stronger source denies. */
export const printOverruled = (changes: readonly RecordChange[]): void => {
  const rows = changes.flatMap(({ line, key, overruled }) => overruled.map((one) => ({ line, key, ...one })));
  if (rows.length === 0) return;
  print('Not published, since a stronger source says something else:');
  printRows(
    rows.slice(0, SHOWN),
    ['line', ['record', 'key'], 'field', ['row', 'says'], 'published', ['by', (row) => sourceKey(row.publishedSource)]],
    false,
  );
  if (rows.length > SHOWN) print(`… and ${rows.length - SHOWN} more; --json has all of them.`);
};

export const printChanges = (changes: readonly RecordChange[]): void => {
  const lines = changes.filter(({ change }) => change !== 'overruled').flatMap(toChangeLines);
  if (lines.length === 0) return;
  printRows(lines.slice(0, SHOWN), ['line', ['record', 'key'], 'field', 'before', 'after'], false);
  if (lines.length > SHOWN) print(`… and ${lines.length - SHOWN} more lines; --json has all of them.`);
};
