import type { BrokerDetail } from '@broker-transparency/contract';
import { deriveFromRegulators } from '../../features/regulators/facts.ts';
import { BATCHED_READ, batchLoader } from '../../platform/batch-loader.ts';
import { type Db, perDb, type Tx } from '../../platform/mongo.ts';
import { findAnswers } from './answers-store.ts';
import type { BrokerDocument } from './build.rule.ts';
import { prepareRegisters } from './registers.rule.ts';
import { findBroker } from './store.ts';
import { type BrokerAnswers, toBrokerAnswers, tryBrokerAnswers } from './view.ts';

/**
 * Rules for building an answer from a document. A document that violates the contract is an error if its detail is
 * requested, and is left out of lists.
 */
const MADE = {
  detail: (document: BrokerDocument) => toBrokerAnswers(document).detail,
  summary: (document: BrokerDocument) => tryBrokerAnswers(document)?.summary,
} satisfies Record<keyof BrokerAnswers, unknown>;

/** Builds a missing answer, for example of a document that another release wrote. */
const makeAnswer = async (db: Db, slug: string, kind: keyof BrokerAnswers): Promise<Uint8Array | undefined> => {
  const document = await findBroker(db, slug);
  return document ? MADE[kind](document) : undefined;
};

/** Returns a lookup of one kind of answer by slug. It resolves to undefined if there is no such broker. */
const readAnswers = async (
  db: Db,
  slugs: readonly string[],
  kind: keyof BrokerAnswers,
  options: { readonly session: Tx } | typeof BATCHED_READ = BATCHED_READ,
) => {
  const found = await findAnswers(db, slugs, kind, options);
  return async (slug: string): Promise<Uint8Array | undefined> => found.get(slug) ?? makeAnswer(db, slug, kind);
};

const details = perDb((db) => batchLoader((slugs) => readAnswers(db, slugs, 'detail')));

const registers = perDb((db) => {
  const prepare = deriveFromRegulators(db, prepareRegisters);
  return batchLoader(async () => {
    const toRegisters = await prepare();
    return () => toRegisters;
  });
});

/** Returns a JSON object with one more field at its end, whose value is JSON. */
const addField = (json: Uint8Array, name: string, value: string): Uint8Array =>
  Buffer.concat([json.subarray(0, -1), Buffer.from(`,${JSON.stringify(name)}:${value}}`)]);

/**
 * Returns the detail of a broker as JSON in UTF-8, or undefined if there is no such broker. Concurrent callers share
 * one read.
 */
export const readDetail = async (db: Db, slug: string): Promise<Uint8Array | undefined> => {
  const [prepared, toRegisters] = await Promise.all([details(db)(slug), registers(db)('')]);
  if (!prepared) return undefined;
  const detail = JSON.parse(Buffer.from(prepared).toString()) as Pick<BrokerDetail, 'licenses'>;
  return addField(prepared, 'registers', toRegisters(detail));
};

/** Returns the summaries of these brokers by slug, in the order of the slugs, without brokers that have none. */
export const findSummaries = async (
  db: Db,
  slugs: readonly string[],
  options?: { readonly session: Tx },
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const findSummary = await readAnswers(db, slugs, 'summary', options);
  const found = await Promise.all(slugs.map(async (slug) => ({ slug, summary: await findSummary(slug) })));
  return new Map(found.flatMap(({ slug, summary }) => (summary ? [[slug, summary] as const] : [])));
};

/** Returns the summaries of these brokers in the order of the slugs, without brokers that have none. */
export const readSummaries = async (db: Db, slugs: readonly string[]): Promise<Uint8Array[]> => [
  ...(await findSummaries(db, slugs)).values(),
];
