import { listRuns } from '../../intake/imports/runs.ts';
import { checkUndo, undoRun } from '../../intake/imports/undo.ts';
import { actorName } from '../../ledger/audit/store.ts';
import type { Context } from '../../ledger/context.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import { type ConsentOptions, createConsentOptions, requireConsent } from './consent.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT } from './options.ts';
import { truncateRows } from './output.ts';
import { createProgress } from './progress.ts';
import { wrapError } from './reworded.ts';
import type { OpenDatabase } from './session.ts';

/** Labels of run states. A run in `writing` or `undoing` is either under way or was interrupted. */
const STATES = { writing: 'stopped or running', done: 'done', undoing: 'undo stopped or running', undone: 'undone' };

const undo = async (database: OpenDatabase, id: string, options: ConsentOptions): Promise<string> => {
  const { dryRun } = options;
  keepHeapSmall();
  const progress = createProgress();
  try {
    const work = async (context: Context) => {
      if (dryRun) return checkUndo(context, id, progress.show);
      await requireConsent(id, options, `withdraws what run ${id} said`);
      return undoRun(context, id, progress.show);
    };
    const run = await database(
      (context) => wrapError(work(context), ({ message }) => `Run ${id} cannot be undone: ${message}`),
      dryRun ? 'read' : 'shared',
    );
    progress.stop();
    const about = `Run ${id} (${run.what} from ${run.fileName}, ${run.rows} rows)`;
    return dryRun ? `${about} can be undone. Nothing was changed.` : `${about} is undone: what it said is withdrawn.`;
  } finally {
    progress.stop();
  }
};

export const runCommands = [
  defineCommand({
    words: 'import list',
    description: 'list what was brought in, newest first',
    rights: { roles: ['editor'], reads: true },
    options: { limit: LIMIT },
    example: '--limit 10',
    run: async ({ database }, { limit }) => {
      const { rows: runs, total } = truncateRows(await database(({ db }) => listRuns(db, limit + 1)), limit);
      return { rows: runs.map(({ _id, ...run }) => ({ id: _id, ...run })), total };
    },
    columns: [
      'id',
      'what',
      ['file', 'fileName'],
      'rows',
      ['state', (run) => STATES[run.state]],
      ['actor', (run) => actorName(run.actor)],
      ['started', 'startedAt'],
      'license',
      'attribution',
      ['reason', 'note'],
    ],
  }),
  defineCommand({
    words: 'import undo',
    description:
      'withdraw everything that an import stated, whatever was stated later; refused if something in use would vanish',
    rights: { roles: ['editor'] },
    args: { run: { value: '<run>', what: 'as import list shows it' } },
    options: { ...createConsentOptions('run') },
    example: '4f0c2a9b71de --actor maria',
    run: ({ database }, { run, ...options }) => undo(database, run, options),
  }),
];
