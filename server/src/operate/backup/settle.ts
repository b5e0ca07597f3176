import { type BlockReplay, mergeBlockLists, replayBlocks } from '../../features/accounts/blocking.ts';
import { type ErasureReplay, replayErasures } from '../../features/people/actions.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { publishKeys, requireOrigin, type SigningSettings } from '../../ledger/log/checkpoint.ts';
import { folderCopy, type LogCopy } from '../../ledger/log/copy.ts';
import { readLogKey } from '../../ledger/log/keys.ts';
import { acceptLoss, requireKnown, trustCopy } from '../../ledger/log/recover.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { database } from '../../platform/mongo.ts';
import { findUnfounded } from '../../published/record/founded.ts';
import { reconcile } from '../../published/record/reconcile.ts';
import { recoverRecord } from '../../published/record/recover.ts';
import { type Config, requireRealClock, resolveBlockList, resolveErasureList, resolveLogMirror } from '../config.ts';
import { requireOwnKeys } from '../demo/log.ts';
import { openLogCopy, toOutsidePaths } from './outside.ts';

/** What a restore may not undo, and what was done about it. */
export interface SettleReport {
  /** Entries of the record that were signed after the backup. */
  readonly recovered: number;
  /** Entries that say what is published again instead. */
  readonly restated: number;
  readonly blocks: BlockReplay;
  readonly erasures: ErasureReplay;
  /** Why the log cannot go on from this database; undefined if it can. */
  readonly failure: unknown;
}

/** What lies outside the database, beside what this machine keeps. */
export interface RestoreEvidence {
  /** The folder of the backup: its copy of the log gives entries back, and more may have been signed. */
  readonly backup?: string | undefined;
  /** The copy that an operator names as the newest. */
  readonly newest?: LogCopy | undefined;
  /** Entries that the database has: an operator says that all others are lost. */
  readonly loss?: number | undefined;
  /** A list of erasures. */
  readonly erasures?: string | undefined;
}

const readSigning = async (config: Config): Promise<SigningSettings | undefined> => {
  const keys = await Promise.all(config.logKeys.map(readLogKey));
  const [key] = keys;
  return key && { keys, keptIn: resolveLogMirror(config, key.name) };
};

/** Signs what is left, and says who decided that. */
const signAcceptedLoss = async (
  context: Context,
  config: Config,
  signing: SigningSettings,
  size: number,
): Promise<void> => {
  requireRealClock(config);
  await acceptLoss(context.db, signing, size, { findUnfounded, clock: context.clock });
  const subject = { kind: 'database', id: database(context.db).databaseName } as const;
  const change = { before: null, after: { log: signing.keys[0]?.name ?? null, size }, reason: 'operator_command' };
  await inTransaction(context, async ({ audit }) => audit('log.loss_accepted', subject, change));
};

/** Takes entries back from every copy of the log. Returns how many; undefined if no log is signed here. */
const recoverLog = async (
  context: Context,
  config: Config,
  { backup, newest, loss }: RestoreEvidence,
): Promise<number | undefined> => {
  const { db, clock } = context;
  const signing = await readSigning(config);
  const [key] = signing?.keys ?? [];
  if (!signing || !key) return undefined;
  await requireOrigin(db, signing.keys);
  await requireOwnKeys(db, signing.keys);
  await publishKeys(db, signing.keys, clock);
  let count = 0;
  const old = backup === undefined ? [] : [openLogCopy(backup, key.name)];
  for (const copy of [...old, newest ?? folderCopy(signing.keptIn)]) {
    const recovered = await recoverRecord(context, copy, key.name);
    count += recovered?.count ?? 0;
    if (copy !== newest) continue;
    if (!recovered)
      throw new DomainError('not_found', `${copy.where} has no checkpoint: name another copy of the log.`);
    await trustCopy(db, signing.keptIn, copy, recovered, clock());
  }
  if (loss !== undefined) await signAcceptedLoss(context, config, signing, loss);
  await requireKnown(db, signing.keptIn);
  return count;
};

/**
 * Brings a restored database up to what must outlive a restore: the entries that were signed, blocks and erasures. They
 * are kept in files. Signed entries come first, since nothing else may get their numbers: as long as it is unknown what
 * was signed, no entry gets any.
 */
export const settleRestored = async (
  context: Context,
  config: Config,
  evidence: RestoreEvidence,
): Promise<SettleReport> => {
  let failure: unknown;
  const recovered = await recoverLog(context, config, evidence).catch((error) => {
    failure = error; // people must be erased again all the same
    return undefined;
  });
  // before erasures, which delete the accounts by which blocks find people
  const old = evidence.backup === undefined ? undefined : toOutsidePaths(evidence.backup);
  if (old) await mergeBlockLists(resolveBlockList(config), old.blocks);
  const blocks = await replayBlocks(context, resolveBlockList(config));
  const lists = [old?.erasures, evidence.erasures].filter((path) => path !== undefined);
  const erasures = await replayErasures(context, resolveErasureList(config), lists);
  // also what an earlier attempt took back and did not get to
  const restated = recovered === undefined ? 0 : await reconcile(context, { cause: 'restore', acceptTexts: true });
  if (failure === undefined) await numberEntries(context.db, context.clock);
  return { recovered: recovered ?? 0, restated, blocks, erasures, failure };
};
