import type { Client } from '../client.ts';
import { AnswerError } from '../errors.ts';
import type { BrokerSummary } from '../generated/api.ts';
import type { LiveAnswers } from './live.ts';

/** Brokers on one page of the list, and how many pages, spread over the whole list, are enough to choose from. */
const [PAGE, PAGES] = [100, 5];

/** Returns some of a list, spread over the whole of it. */
const spread = <T>(list: readonly T[], count: number): T[] => {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, at) => at % step === 0).slice(0, count);
};

/** Returns brokers spread over the whole list, best score first, and how many it has. */
const sampleBrokers = async (client: Client, sample: number) => {
  const { total } = (await client.brokers.list({ limit: 1 })).pagination;
  const pages = Math.min(Math.max(PAGES, Math.ceil(sample / PAGE)), Math.ceil(total / PAGE));
  const found = new Map<string, BrokerSummary>();
  for (let page = 0; page < pages; page++) {
    const { data } = await client.brokers.list({ limit: PAGE, offset: Math.floor((page * total) / pages) });
    for (const broker of data) found.set(broker.slug, broker);
  }
  return { total, summaries: spread([...found.values()], sample) };
};

/**
 * Requests each item, one after the other. Leaves out items that the API does not have, since a list shows their
 * places.
 */
const askEach = async <T, R>(list: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> => {
  const answers: R[] = [];
  for (const one of list) {
    const answer = await ask(one).catch((error: unknown) => {
      if (error instanceof AnswerError && error.status === 404) return undefined;
      throw error;
    });
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
};

/**
 * Reads a sample of answers: `sample` brokers with the first page of their reviews, as many regulators, and the newest
 * news.
 * @throws as calls of the client do
 * @example await audit({ url, policy, live: () => readSample(createClient({ baseUrl }), 20) });
 */
export const readSample = async (client: Client, sample: number): Promise<LiveAnswers> => {
  const { total, summaries } = await sampleBrokers(client, sample);
  const regulators = (await client.regulators.list()).data;
  const slugs = summaries.map(({ slug }) => slug);
  return {
    total,
    summaries,
    brokers: await askEach(slugs, (slug) => client.brokers.get(slug)),
    regulators,
    regulatorDetails: await askEach(spread(regulators, sample), ({ code }) => client.regulators.get(code)),
    reviews: await askEach(slugs, async (broker) => {
      const { data, pagination } = await client.reviews.list({ broker, limit: PAGE });
      return { broker, reviews: data, hasMore: pagination.nextCursor !== null };
    }),
    news: (await client.news.list({ limit: PAGE })).data,
  };
};
