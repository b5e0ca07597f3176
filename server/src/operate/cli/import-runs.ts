import type { Command } from 'commander';
import { listRuns } from '../../intake/imports/runs.ts';
import { checkUndo, undoRun } from '../../intake/imports/undo.ts';
import { actorName } from '../../ledger/audit/store.ts';
import type { Context } from '../../ledger/context.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import { addConsentOptions, type ConsentOptions, requireConsent } from './consent.ts';
import { print, printRows, printTruncation, truncateRows } from './output.ts';
import { createProgress } from './progress.ts';
import { parseLimit } from './review.ts';
import { wrapError } from './reworded.ts';
import { type ActorOption, withDatabase } from './session.ts';

/** Labels of run states. A run in `writing` or `undoing` is either under way or was interrupted. */
const STATES = { writing: 'stopped or running', done: 'done', undoing: 'undo stopped or running', undone: 'undone' };

const addList = (command: Command, env: NodeJS.ProcessEnv): void => {
  command
    .command('list')
    .description('list what was brought in, newest first')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating import list --limit 10')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const { rows: runs, total } = truncateRows(
        await withDatabase(env, 'system', ({ db }) => listRuns(db, limit + 1)),
        limit,
      );
      printRows(
        runs.map(({ _id, ...run }) => ({ id: _id, ...run })),
        {
          id: (run) => run.id,
          what: (run) => run.what,
          file: (run) => run.fileName,
          rows: (run) => run.rows,
          state: (run) => STATES[run.state],
          actor: (run) => actorName(run.actor),
          started: (run) => run.startedAt.toISOString(),
          license: (run) => run.license,
          attribution: (run) => run.attribution,
          reason: (run) => run.note,
        },
        json === true,
      );
      printTruncation(runs.length, total, json === true);
    });
};

const undo = async (env: NodeJS.ProcessEnv, id: string, options: ActorOption & ConsentOptions): Promise<void> => {
  const { actor, dryRun } = options;
  keepHeapSmall();
  const progress = createProgress();
  try {
    const work = async (context: Context) => {
      if (dryRun) return checkUndo(context, id, progress.show);
      await requireConsent(id, options, `withdraws what run ${id} said`);
      return undoRun(context, id, progress.show);
    };
    const run = await withDatabase(
      env,
      actor,
      (context) => wrapError(work(context), ({ message }) => `Run ${id} cannot be undone: ${message}`),
      dryRun ? 'read' : 'shared',
    );
    progress.stop();
    const about = `Run ${id} (${run.what} from ${run.fileName}, ${run.rows} rows)`;
    print(dryRun ? `${about} can be undone. Nothing was changed.` : `${about} is undone: what it said is withdrawn.`);
  } finally {
    progress.stop();
  }
};

/** Adds the commands about earlier imports. */
export const addRunCommands = (command: Command, env: NodeJS.ProcessEnv): void => {
  addList(command, env);
  const undoing = command
    .command('undo')
    .description('withdraw what a run said, whatever was said later; refused if something in use would go')
    .argument('<run>', 'as import list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system');
  addConsentOptions(undoing, 'run')
    .addHelpText('after', '\nExample:\n  broker-rating import undo 4f0c2a9b71de --actor maria')
    .action((id: string, options: ActorOption & ConsentOptions) => undo(env, id, options));
};
