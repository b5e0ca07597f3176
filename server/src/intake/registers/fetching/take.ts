import { basename } from 'node:path';
import {
  confirmFile,
  findRegister,
  keepFile,
  noteWait,
  type PublishedList,
} from '../../../features/registers/actions.ts';
import { type KeptFile, NO_VALIDATORS, type Validators } from '../../../features/registers/policy.rule.ts';
import type { Context } from '../../../ledger/context.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Db } from '../../../platform/mongo.ts';
import { findCountRefusal } from '../../sources/expected.rule.ts';
import { readSource } from '../../sources/read.ts';
import type { LicenceSource, SourceMapping } from '../../sources/source.rule.ts';
import { importList, type ListReport } from '../../warnings/import.ts';
import { readList } from '../../warnings/lists.ts';
import { applyCheck, findLastRowCount } from '../apply.ts';
import { checkRegister, type RegisterCheck } from '../check.ts';
import { selectUnattended, type UnattendedChanges } from './alone.rule.ts';
import type { ApplyMode } from './configured.rule.ts';
import type { ListFolder } from './folder.ts';

/** A received file before any check. */
export interface IncomingFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Origin of the file: an address, or a file name. */
  readonly origin: string;
  readonly validators?: Validators;
  /** Time that the file describes, RFC 3339. */
  readonly asOf: string;
  readonly isDated: boolean;
}

export interface IngestOptions {
  readonly apply: ApplyMode;
  /** Numbers whose new name the operator has confirmed. */
  readonly acceptedNames?: readonly string[];
  /** Minimum number of entries, if the operator knows better than the mapping. */
  readonly least?: number | undefined;
  /** True if the operator has reviewed the changes of a list of warnings that wait for a person. */
  readonly isAccepted?: boolean;
  /** True if an operator provides the file: it counts even if it was dropped before. */
  readonly isBrought?: boolean;
  /** True: keep and write nothing. */
  readonly isDryRun?: boolean;
}

/** Contents of a file, and the changes written from it. */
export interface IngestReport {
  /** Time that the file describes, RFC 3339. */
  readonly asOf: string;
  readonly entries: number;
  /** Codes of the regulators with entries in the file. */
  readonly regulators: readonly string[];
  /** For a register: the comparison with our licences. */
  readonly checked?: RegisterCheck;
  /** For warnings: the changes of the list, and the matching brokers. */
  readonly warnings?: ListReport;
  /** The run that wrote the changes. */
  readonly run: string | null;
  /** Reason why configured changes were not written. */
  readonly waits?: string | undefined;
}

export const toList = (source: SourceMapping): PublishedList => ({
  name: source.name,
  page: source.page,
  isRegister: source.kind === 'licences',
  listsAll: source.kind === 'licences' && source.listsAll,
});

/** Reads a whole file. @throws DomainError unreadable_file */
const readEntries = async (db: Db, source: SourceMapping, path: string, asOf: string, accepted: readonly string[]) => {
  if (source.kind === 'licences') {
    const checked = await checkRegister(db, source, path, asOf, new Set(accepted));
    return { entries: checked.rows, regulators: [...checked.regulators].sort(), checked };
  }
  const regulators = new Set<string>();
  let entries = 0;
  for await (const entry of readSource(path, source, asOf.slice(0, 10))) {
    entries++;
    if ('authority' in entry && entry.authority !== null) regulators.add(entry.authority);
  }
  return { entries, regulators: [...regulators].sort() };
};

/** @throws DomainError invalid_input if the number of entries shows that the file is incomplete */
const requireEntryCount = async (
  db: Db,
  source: SourceMapping,
  entries: number,
  least: number | undefined,
): Promise<void> => {
  const kept = (await findRegister(db, source.name))?.current?.entries;
  const last = kept ?? (source.kind === 'licences' ? await findLastRowCount(db, source) : undefined);
  const refusal = findCountRefusal(source, entries, { last, least });
  if (refusal !== undefined) throw new DomainError('invalid_input', refusal);
};

/** Reads a list of warnings by the rules of `warning import`, which name the decisions for a person. */
const readWarnings = async (
  context: Context,
  { name }: SourceMapping,
  { path, asOf }: Pick<IncomingFile, 'path' | 'asOf'>,
  { least, isDryRun = false, isAccepted = false }: IngestOptions,
): Promise<Pick<IngestReport, 'run' | 'waits' | 'warnings'>> => {
  const list = await readList(context.db, path, asOf, { source: name, least });
  const warnings = await importList(context, { ...list, fileName: basename(path) }, { dryRun: isDryRun, isAccepted });
  return { run: warnings.run, waits: warnings.upheaval ?? undefined, warnings };
};

/** Writes the changes that need no person. */
const applyUnattended = async (
  context: Context,
  source: LicenceSource,
  { path, asOf }: Pick<IncomingFile, 'path' | 'asOf'>,
  checked: RegisterCheck,
  alone: UnattendedChanges,
): Promise<string | null> => {
  const { license, attribution } = source.terms;
  const job = { source, file: path, asOf, terms: { license, attribution, sourceUrl: source.page } };
  return (await applyCheck(context, job, { ...checked, findings: alone.findings }))?._id ?? null;
};

/** A list, its file, the comparison with our licences, and the options. */
type WriteArguments = [
  source: SourceMapping,
  file: Pick<IncomingFile, 'path' | 'asOf'>,
  checked: RegisterCheck | undefined,
  taking: IngestOptions,
];

const writeUnattended = async (
  context: Context,
  ...[source, file, checked, taking]: WriteArguments
): Promise<Pick<IngestReport, 'run' | 'waits' | 'warnings'>> => {
  if (source.kind === 'warnings' && taking.apply === 'everything') return readWarnings(context, source, file, taking);
  if (source.kind !== 'licences' || checked === undefined) return { run: null };
  const alone = selectUnattended(checked.findings, taking.apply);
  if (alone === undefined || taking.isDryRun) return { run: null, waits: alone?.waits };
  return { run: await applyUnattended(context, source, file, checked, alone), waits: alone.waits };
};

/** Writes the changes that need no person, and stores which ones wait. */
const writeAndSave = async (
  context: Context,
  ...work: WriteArguments
): Promise<Awaited<ReturnType<typeof writeUnattended>>> => {
  const [source, , , { apply, isDryRun }] = work;
  const result = await writeUnattended(context, ...work);
  const { waits } = result;
  if (apply === 'everything' && !isDryRun)
    await noteWait(context.db, source.name, waits === undefined ? null : { why: waits, at: context.clock() });
  return result;
};

/** @throws DomainError invalid_input if an operator has dropped this file */
const refuseDropped = async (db: Db, { name }: SourceMapping, sha256: string): Promise<void> => {
  if ((await findRegister(db, name))?.dropped.includes(sha256))
    throw new DomainError(
      'invalid_input',
      'It is the file that was dropped. If it is right after all: register add-file',
    );
};

/**
 * Reads a received file, and keeps it as the last good one if it is complete. Then writes the changes that need no
 * person.
 * @throws DomainError unreadable_file, invalid_input: the file is not kept, and the last good one stays
 */
export const ingestFile = async (
  context: Context,
  source: SourceMapping,
  incoming: IncomingFile,
  folder: ListFolder,
  taking: IngestOptions,
): Promise<IngestReport> => {
  const { path, sha256, bytes, origin, asOf, isDated } = incoming;
  if (!taking.isBrought) await refuseDropped(context.db, source, sha256);
  const read = await readEntries(context.db, source, path, asOf, taking.acceptedNames ?? []);
  await requireEntryCount(context.db, source, read.entries, taking.least);
  if (taking.isDryRun)
    return { asOf, ...read, ...(await writeUnattended(context, source, incoming, read.checked, taking)) };
  const { entries, regulators } = read;
  const kept: KeptFile = { sha256, bytes, entries, regulators, asOf, isDated, keptAt: context.clock(), origin };
  const file = await folder.keep(path, sha256, new Date(asOf));
  await keepFile(context, toList(source), kept, incoming.validators ?? NO_VALIDATORS);
  const state = await findRegister(context.db, source.name);
  await folder.prune([state?.current, ...(state?.former ?? [])].flatMap((one) => one?.sha256 ?? []));
  return { asOf, ...read, ...(await writeAndSave(context, source, { path: file, asOf }, read.checked, taking)) };
};

/** Confirms the last good file, and compares it again, since our licences may have changed. */
export const recheckFile = async (
  context: Context,
  source: SourceMapping,
  { current, folder }: { readonly current: KeptFile; readonly folder: ListFolder },
  taking: IngestOptions,
): Promise<IngestReport> => {
  const { sha256, asOf } = taking.isDryRun ? current : await confirmFile(context, toList(source));
  const file = { path: folder.toPath(sha256), asOf };
  const read = await readEntries(context.db, source, file.path, asOf, taking.acceptedNames ?? []);
  return { asOf, ...read, ...(await writeAndSave(context, source, file, read.checked, taking)) };
};
