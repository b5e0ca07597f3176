import { InvalidArgumentError } from 'commander';
import type { Context } from '../../ledger/context.ts';
import { folderCopy, type LogCopy, publicCopy } from '../../ledger/log/copy.ts';
import { CURE } from '../../ledger/log/doubt.ts';
import { holdText } from '../../ledger/log/hold.ts';
import { newLogKey, parseLogKey } from '../../ledger/log/keys.ts';
import { readLogState } from '../../ledger/log/state.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { writePrivate } from '../../platform/private-file.ts';
import { type EntrySetAside, setEntryAside } from '../../published/record/set-aside.ts';
import { type SettleReport, settleRestored } from '../backup/settle.ts';
import { readConfig, resolveBlockList, resolveErasureList } from '../config.ts';
import { refuseUnreadableBlocks } from './block.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { requireInvocation } from './invocation.ts';
import { print, printJson } from './output.ts';
import { describeReplay, refuseUnreadable } from './people.ts';
import { printTarget } from './target.ts';

type LogState = Awaited<ReturnType<typeof readLogState>>;

/** Prints who else has signed the log. */
const printWitnesses = ({ cosigned, known, witnessed, each }: NonNullable<LogState['witnesses']>): void => {
  print(`Signed by ${cosigned} of ${known} witnesses.`);
  if (witnessed) print(`Enough have signed ${witnessed.size} entries, since ${witnessed.since.toISOString()}.`);
  else print('Not enough have signed any checkpoint yet.');
  for (const { name, cosigned: last, failed } of each) {
    const signed = last ? `signed ${last.size} entries, last at ${last.at.toISOString()}` : 'has signed nothing yet';
    print(`  ${name}: ${signed}`);
    if (failed)
      print(`    fails since ${failed.since?.toISOString()}, last at ${failed.at.toISOString()}: ${failed.why}`);
    if (failed?.contradicts) print('    It has seen another history of this log: see docs/operating/record.md.');
  }
};

/** Host and path of a log, without what a signed note cannot have. */
const ORIGIN = /^[^\s+/]+\/transparency\/v1\/log\/[a-z0-9][a-z0-9-]{0,40}$/;

const requireOriginForm = (origin: string): string => {
  if (ORIGIN.test(origin)) return origin;
  throw new DomainError(
    'invalid_input',
    `"${origin}" is not an origin; it must be like ratings.example/transparency/v1/log/a, with the host that readers use`,
  );
};

/** Says what was taken back into the log; empty if nothing was. */
export const formatRecovered = ({ recovered, restated }: Pick<SettleReport, 'recovered' | 'restated'>): string =>
  recovered === 0 && restated === 0
    ? ''
    : `\n${recovered} entries that were signed later are in the record again; ${restated} more say what is published now.`;

interface RecoverOptions {
  readonly from?: LogCopy;
  readonly acceptLoss?: number;
}

/** Reasons to set an entry aside, by who wrote it. */
const REASONS = ['written_past_the_service', 'fault_of_the_service'] as const;

/** Returns the words for an entry that was set aside. */
const describeSetAside = ({ before, after }: EntrySetAside): string => {
  if (after.value === 'null') return `says nothing any more, in place of ${before.key}`;
  return `says again what ${after.key} said before`;
};

/** Makes a parser of numbers from 0 on, which refuses everything else by a sentence that says what to give. */
const createCountParser =
  (cure: string) =>
  (text: string): number => {
    if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
    throw new InvalidArgumentError(cure);
  };
const parseNumber = createCountParser(
  'Give the number of the entry before which the log stops, as `log show` prints it.',
);
const parseSize = createCountParser('Give the number of entries that `log show` prints.');

/** Parses the place of a copy of the log: an address, or a folder. */
const parseCopy = (text: string): LogCopy => {
  if (!/^https?:/.test(text)) return folderCopy(text);
  if (URL.parse(text) !== null && !/[?#]/.test(text)) return publicCopy(text);
  throw new InvalidArgumentError('Give the address of the log, such as https://ratings.example/transparency/v1/log/a');
};

const recover = async (
  { database, env, json }: CommandTools,
  { from: newest, acceptLoss: loss }: RecoverOptions,
): Promise<void> => {
  const config = readConfig(env);
  if (config.logKeys.length === 0)
    throw new DomainError('invalid_setting', 'LOG_KEY is not set. It names the log to recover.');
  const settle = (context: Context) => settleRestored(context, config, { newest, loss });
  const { failure, ...settled } = await database(settle, 'alone');
  if (json) printJson(settled);
  else
    print(
      `${describeReplay(settled.erasures)}${formatRecovered(settled) || (failure ? '' : '\nNo entry that was signed is missing.')}`,
    );
  refuseUnreadable(settled.erasures, resolveErasureList(config));
  refuseUnreadableBlocks(settled.blocks, resolveBlockList(config));
  if (failure !== undefined) throw failure;
};

export const logCommands = [
  defineCommand({
    words: 'log show',
    description: 'show how far the record, its log, the published checkpoint and its witnesses reach',
    rights: { open: true, reads: true },
    example: '',
    run: async ({ json, database }) => {
      const state = await database(({ clock, db }) => readLogState(db, clock()));
      if (json) {
        printJson(state);
        return;
      }
      const { entries, waiting, logged, checkpoint, witnesses, hold, refusals } = state;
      print(`${entries} entries have numbers, ${waiting} wait for one. The log has ${logged} of them.`);
      if (checkpoint)
        print(`${checkpoint.origin}: signed up to ${checkpoint.size}, at ${checkpoint.signedAt.toISOString()}.`);
      else print('No checkpoint is signed: no process with LOG_KEY runs. Nobody can check the log yet.');
      if (witnesses) printWitnesses(witnesses);
      if (hold) print(`Since ${hold.since.toISOString()}: ${holdText(hold)}`);
      for (const { why, since } of refusals) print(`Nothing is signed since ${since.toISOString()}: ${why}. ${CURE}`);
    },
  }),
  defineCommand({
    words: 'log sign',
    description:
      'keep and sign the log until a signal arrives; each serve process then needs LOG_SIGNER=apart, and no key',
    rights: { open: true, writes: true },
    actor: false,
    noDryRun: 'It signs until a signal arrives.',
    example: 'LOG_KEY=/etc/broker-rating/log.key broker-rating log sign',
    run: async ({ env }) => {
      if (requireInvocation(env).host) throw new DomainError('state_conflict', 'log sign needs a process of its own.');
      const config = readConfig(env);
      printTarget(config);
      const { signLog } = await import('../log-signer.ts');
      await signLog(config);
    },
  }),
];

export const logAdminCommands = [
  defineCommand({
    words: 'admin log new-key',
    description: 'make a key that signs the log; LOG_KEY is then the path of its file',
    rights: { open: true },
    args: {
      origin: {
        value: '<origin>',
        what: 'host and path of the log, which can never change: ratings.example/transparency/v1/log/a',
      },
      file: { value: '<file>', what: 'where to write it; a file that exists is not overwritten' },
    },
    example: 'ratings.example/transparency/v1/log/a log.key',
    run: async (_, { origin, file: path }) => {
      const text = newLogKey(requireOriginForm(origin));
      await writePrivate(path, text);
      return parseLogKey(text).verifierKey;
    },
  }),
  defineCommand({
    words: 'admin log set-aside',
    description: 'set aside the entry at which the log stops because it contradicts the facts',
    rights: { roles: ['admin'] },
    args: { number: { value: '<number>', what: 'number of the entry, as log show prints it', parse: parseNumber } },
    options: {
      reason: { value: '<code>', what: 'who wrote it, for the audit trail', choices: REASONS, required: true },
    },
    json: true,
    noDryRun: 'It works in steps, and each needs what the step before wrote.',
    example: '7000 --reason written_past_the_service',
    run: ({ database }, { number, reason }) => database((context) => setEntryAside(context, number, reason)),
    format: (done, { number }) => `Entry ${number} ${describeSetAside(done)}. The log goes on within a second.`,
  }),
  defineCommand({
    words: 'admin log recover',
    description:
      'after a restore by other tools: bring back the signed entries that are missing, and repeat blocks and erasures',
    rights: { roles: ['admin'] },
    options: {
      from: {
        value: '<url|dir>',
        what: 'the newest copy of the log: the address of the log, or a folder',
        parse: parseCopy,
        conflicts: 'acceptLoss',
      },
      acceptLoss: {
        value: '<size>',
        what: 'sign the log with this many entries, as the database has it; entries beyond them are lost',
        parse: parseSize,
      },
    },
    json: true,
    noDryRun: 'It works in steps, and each needs what the step before wrote.',
    example: '--from https://ratings.example/transparency/v1/log/a',
    run: recover,
  }),
];
