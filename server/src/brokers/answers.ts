import { gathering } from '../platform/gather.ts';
import { findAnswers } from './answers-store.ts';
import { findBroker } from './store.ts';
import { answersOf, type BrokerAnswers } from './view.ts';

/** Made now, where none is kept: of a broker that an earlier release wrote. One that does not fit the contract is refused here. */
const makeAnswer = async (slug: string, kind: keyof BrokerAnswers): Promise<Uint8Array | undefined> => {
  const document = await findBroker(slug);
  return document ? answersOf(document)[kind] : undefined;
};

/** One kind of answer of these brokers, by slug; undefined where there is no such broker. */
const readAnswers = async (slugs: readonly string[], kind: keyof BrokerAnswers) => {
  const found = await findAnswers(slugs, kind);
  return async (slug: string): Promise<Uint8Array | undefined> => found.get(slug) ?? makeAnswer(slug, kind);
};

const details = gathering((slugs) => readAnswers(slugs, 'detail'));

/** What is answered of a broker; undefined where there is none. Many who ask at the same time are one read. */
export const detailOf = async (slug: string): Promise<Uint8Array | undefined> => details(slug);

/** Summaries of these brokers that are there, in the order of the slugs. */
export const summariesOf = async (slugs: readonly string[]): Promise<Uint8Array[]> => {
  const summaryOf = await readAnswers(slugs, 'summary');
  return (await Promise.all(slugs.map(summaryOf))).filter((answer) => answer !== undefined);
};
