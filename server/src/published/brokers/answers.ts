import { batchLoader } from '../../platform/batch-loader.ts';
import { findAnswers } from './answers-store.ts';
import type { BrokerDocument } from './build.rule.ts';
import { findBroker } from './store.ts';
import { answersIfFit, answersOf, type BrokerAnswers } from './view.ts';

/** Of one that does not fit the contract: a refusal where it is asked for itself, and nothing in a list, which has others too. */
const MADE = {
  detail: (document: BrokerDocument) => answersOf(document).detail,
  summary: (document: BrokerDocument) => answersIfFit(document)?.summary,
} satisfies Record<keyof BrokerAnswers, unknown>;

/** Made now, where none is kept: of a broker that an earlier release wrote. */
const makeAnswer = async (slug: string, kind: keyof BrokerAnswers): Promise<Uint8Array | undefined> => {
  const document = await findBroker(slug);
  return document ? MADE[kind](document) : undefined;
};

/** One kind of answer of these brokers, by slug; undefined where there is none. */
const readAnswers = async (slugs: readonly string[], kind: keyof BrokerAnswers) => {
  const found = await findAnswers(slugs, kind);
  return async (slug: string): Promise<Uint8Array | undefined> => found.get(slug) ?? makeAnswer(slug, kind);
};

const details = batchLoader((slugs) => readAnswers(slugs, 'detail'));

/** What is answered of a broker; undefined where there is none. Many who ask at the same time are one read. */
export const detailOf = async (slug: string): Promise<Uint8Array | undefined> => details(slug);

/** Summaries of these brokers that are there, in the order of the slugs. */
export const summariesOf = async (slugs: readonly string[]): Promise<Uint8Array[]> => {
  const summaryOf = await readAnswers(slugs, 'summary');
  return (await Promise.all(slugs.map(summaryOf))).filter((answer) => answer !== undefined);
};
