import { stat } from 'node:fs/promises';
import { findRegister, noteFailure } from '../../../features/registers/actions.ts';
import { NO_VALIDATORS } from '../../../features/registers/policy.rule.ts';
import type { Context } from '../../../ledger/context.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { OutboundError, type OutboundRules } from '../../../platform/outbound/rules.ts';
import type { SourceFetch, SourceMapping } from '../../sources/source.rule.ts';
import { requireSource } from '../../sources/sources.ts';
import type { ConfiguredList } from './configured.rule.ts';
import { computeDueAt } from './due.rule.ts';
import { type FetchResult, fetchList } from './fetch.ts';
import { type ListFolder, openListFolder } from './folder.ts';
import { type IngestOptions, type IngestReport, ingestFile, recheckFile } from './take.ts';

/** Dependencies of fetching lists. */
export interface FetchContext {
  readonly dataDir: string;
  readonly rules: OutboundRules;
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of the fetch of one list. */
export interface FetchOutcome {
  readonly name: string;
  readonly status: 'kept' | 'unchanged' | 'failed' | 'not due';
  readonly taken?: IngestReport;
  readonly error: string | null;
}

/** Limits of an answer from the operator's address, if the mapping has none. */
const OWN_FETCH = { method: 'GET', headers: {}, everyHours: 24, maxBytes: 500_000_000, pauseMs: 1000 } as const;

/**
 * Returns the rules for fetching a list.
 * @throws DomainError invalid_input if the list is not fetched, or its terms have to be read first
 */
const requireFetch = (source: SourceMapping, { url, termsRead, maxBytes }: ConfiguredList): SourceFetch => {
  const { name, terms, page } = source;
  if (terms.use !== 'open' && !termsRead)
    throw new DomainError(
      'invalid_input',
      terms.use === 'by-hand'
        ? `The terms of ${name} do not let machines fetch it. Download it from ${page}, then: register add-file ${name} FILE`
        : `The terms of ${name} were not found. Read them at ${terms.url ?? page}; if they allow it, say "termsRead": true, or --terms-read.`,
    );
  if (url === undefined && source.fetch === null)
    throw new DomainError(
      'invalid_input',
      `No address is known where ${name} can be fetched. Download it from ${page}, then: register add-file ${name} FILE`,
    );
  const own = { ...(url === undefined ? {} : { url }), ...(maxBytes === undefined ? {} : { maxBytes }) };
  return { ...OWN_FETCH, ...source.fetch, ...own } as SourceFetch;
};

const isExpected = (error: unknown): error is Error => error instanceof OutboundError || error instanceof DomainError;

/** Stores the reason why a fetch brought no good file, and rethrows faults of the service. */
const saveFailure = async (
  context: Context,
  name: string,
  error: unknown,
  { isDryRun }: IngestOptions,
): Promise<FetchOutcome> => {
  if (!isExpected(error)) throw error;
  if (!isDryRun) await noteFailure(context.db, name, context.clock(), error.message);
  return { name, status: 'failed', error: error.message };
};

const ingestFetched = (
  context: Context,
  source: SourceMapping,
  arrived: Exclude<FetchResult, undefined>,
  { path, folder, taking }: { readonly path: string; readonly folder: ListFolder; readonly taking: IngestOptions },
): Promise<IngestReport> => {
  const { url, bytes, sha256, validators, modifiedAt } = arrived;
  const now = context.clock();
  const isDated = modifiedAt !== undefined && modifiedAt <= now;
  const asOf = (isDated ? modifiedAt : now).toISOString();
  return ingestFile(context, source, { path, sha256, bytes, origin: url, validators, asOf, isDated }, folder, taking);
};

/**
 * Fetches one list, keeps its file if it is good, and returns the outcome. After a failure the last good file stays.
 */
export const fetchOne = async (
  context: Context,
  configured: ConfiguredList,
  { dataDir, rules, signal }: FetchContext,
  taking: IngestOptions,
): Promise<FetchOutcome> => {
  const { name, headers, timeoutSeconds } = configured;
  const folder = await openListFolder(dataDir, name);
  const path = folder.incoming();
  try {
    const source = requireSource(name);
    const state = await findRegister(context.db, name);
    const fetch = requireFetch(source, configured);
    // another machine may have the file
    const current = state?.current && (await folder.has(state.current)) ? state.current : undefined;
    const validators = current && state ? state : NO_VALIDATORS;
    const timeoutMs = timeoutSeconds * 1000;
    const arrived = await fetchList({ fetch, rules, ownHeaders: headers, validators, path, signal, timeoutMs });
    if (current && (arrived === undefined || arrived.sha256 === current.sha256))
      return {
        name,
        status: 'unchanged',
        taken: await recheckFile(context, source, { current, folder }, taking),
        error: null,
      };
    if (arrived === undefined) throw new OutboundError('answers 304 to a request for the whole file');
    const taken = await ingestFetched(context, source, arrived, { path, folder, taking });
    return { name, status: 'kept', taken, error: null };
  } catch (error) {
    if (signal?.aborted) throw error;
    return await saveFailure(context, name, error, taking);
  } finally {
    await folder.remove(path);
  }
};

/** Returns whether a list is due now. */
const isDue = async (context: Context, configured: ConfiguredList): Promise<boolean> => {
  const state = await findRegister(context.db, configured.name);
  if (state === null) return true;
  const { everyHours } = requireFetch(requireSource(configured.name), configured);
  return computeDueAt(state, everyHours) <= context.clock();
};

/** Fetches the due lists, one after another. A failure does not stop the others. */
export const fetchDue = async (
  context: Context,
  lists: readonly ConfiguredList[],
  fetching: FetchContext,
): Promise<FetchOutcome[]> => {
  const outcomes: FetchOutcome[] = [];
  for (const configured of lists) {
    fetching.signal?.throwIfAborted();
    const due = await isDue(context, configured).catch((error: unknown) => {
      if (isExpected(error)) return true; // it is refused, and the refusal is stored
      throw error;
    });
    outcomes.push(
      due
        ? await fetchOne(context, configured, fetching, { apply: configured.apply })
        : { name: configured.name, status: 'not due', error: null },
    );
  }
  return outcomes;
};

/** Ingests the operator's file like a fetched one. @throws DomainError unreadable_file, invalid_input */
export const addFile = async (
  context: Context,
  source: SourceMapping,
  file: { readonly path: string; readonly name: string; readonly asOf: string },
  dataDir: string,
  taking: IngestOptions,
): Promise<IngestReport> => {
  const folder = await openListFolder(dataDir, source.name);
  const path = folder.incoming();
  try {
    const sha256 = await folder.copy(file.path, path);
    const { size: bytes } = await stat(path);
    const incoming = { path, sha256, bytes, origin: file.name, asOf: file.asOf, isDated: true };
    return await ingestFile(context, source, incoming, folder, { ...taking, isBrought: true });
  } finally {
    await folder.remove(path);
  }
};
