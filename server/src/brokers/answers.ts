import DataLoader from 'dataloader';
import { findAnswers, findBroker } from './store.ts';
import { answersOf, type BrokerAnswers } from './view.ts';

/** Made now: an earlier release kept no answers, and one that does not fit the contract is refused here. */
const makeAnswer = async (slug: string, kind: keyof BrokerAnswers): Promise<Uint8Array | undefined> => {
  const document = await findBroker(slug);
  return document ? answersOf(document)[kind] : undefined;
};

/** One kind of answer of these brokers, in the order of the slugs; undefined where there is no such broker. */
const readAnswers = async (
  slugs: readonly string[],
  kind: keyof BrokerAnswers,
): Promise<(Uint8Array | undefined | Promise<Uint8Array | undefined>)[]> => {
  const found = await findAnswers(slugs, kind);
  return slugs.map((slug) => found.get(slug) ?? (found.has(slug) ? makeAnswer(slug, kind) : undefined));
};

/** Brokers that are asked for in one turn of the event loop are read by one command: most of its cost does not grow with them. */
const details = new DataLoader<string, Uint8Array | undefined>(
  async (slugs) => {
    const settled = await Promise.allSettled(await readAnswers(slugs, 'detail'));
    return settled.map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as Error)));
  },
  { cache: false, maxBatchSize: 100, batchScheduleFn: (read) => setImmediate(read) },
);

/** What is answered of a broker; undefined where there is none. */
export const detailOf = (slug: string): Promise<Uint8Array | undefined> => details.load(slug);

/** Summaries of these brokers that are there, in the order of the slugs. */
export const summariesOf = async (slugs: readonly string[]): Promise<Uint8Array[]> =>
  (await Promise.all(await readAnswers(slugs, 'summary'))).filter((answer) => answer !== undefined);
