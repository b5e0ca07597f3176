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

/** The result of settling a restored database. */
export interface SettleReport {
  /** Number of recovered entries that were signed after the backup. */
  readonly recovered: number;
  /** Number of new entries that restate the published facts. */
  readonly restated: number;
  readonly blocks: BlockReplay;
  readonly erasures: ErasureReplay;
  /** Error that prevents the log from continuing on this database; undefined if there is none. */
  readonly failure: unknown;
}

/** The files outside the database, besides those of this machine. */
export interface RestoreEvidence {
  /** The folder of the backup, whose copy of the log may lack later signed entries. */
  readonly backup?: string | undefined;
  /** The copy of the log that an operator names as the newest. */
  readonly newest?: LogCopy | undefined;
  /** Number of entries in the database, if an operator declares all others lost. */
  readonly loss?: number | undefined;
  /** Path of another list of erasures. */
  readonly erasures?: string | undefined;
}

const readSigning = async (config: Config): Promise<SigningSettings | undefined> => {
  const keys = await Promise.all(config.logKeys.map(readLogKey));
  const [key] = keys;
  return key && { keys, keptIn: resolveLogMirror(config, key.name) };
};

/** Signs the remaining entries, and records who decided that. */
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

/** Recovers entries from every copy of the log. Returns their number; undefined if no log is signed here. */
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
 * Applies to a restored database the signed entries, blocks and erasures, which are kept in files and must outlive a
 * restore. Signed entries come first, since no other entry may get their numbers: until all signed entries are known,
 * no entry gets a number.
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
  // before erasures, which delete accounts that blocks need to recognise people
  const old = evidence.backup === undefined ? undefined : toOutsidePaths(evidence.backup);
  if (old) await mergeBlockLists(resolveBlockList(config), old.blocks);
  const blocks = await replayBlocks(context, resolveBlockList(config));
  const lists = [old?.erasures, evidence.erasures].filter((path) => path !== undefined);
  const erasures = await replayErasures(context, resolveErasureList(config), lists);
  // includes entries that an earlier attempt recovered but did not restate
  const restated = recovered === undefined ? 0 : await reconcile(context, { cause: 'restore', acceptTexts: true });
  if (failure === undefined) await numberEntries(context.db, context.clock);
  return { recovered: recovered ?? 0, restated, blocks, erasures, failure };
};
