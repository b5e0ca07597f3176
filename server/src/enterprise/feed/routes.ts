import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { entryKey } from '@broker-transparency/contract/record';
import { initServer } from '@ts-rest/express';
import { brokerNotFound, keyOfBroker } from '../../features/brokers/facts.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { readyJson } from '../../http/response/ready-json.ts';
import { hasEntriesAbout } from '../../platform/record/page.ts';
import { requireCustomer } from '../access/customer.ts';
import type { LongPolls } from './long-polls.ts';
import { readPage } from './page.ts';
import { createWait, isWorthAnswer } from './wait.ts';

/** Returns the brokers of a watchlist of an organisation, by key; undefined if it has no such list. */
export type BrokersOf = (organisation: string, watchlist: string) => Promise<readonly string[] | undefined>;

interface AskedBrokers {
  readonly broker?: string | undefined;
  readonly watchlist?: string | undefined;
}

/** @throws DomainError broker_not_found if the record has nothing about it */
const subjectOfBroker = async (slug: string): Promise<string> => {
  const subject = entryKey('broker', await keyOfBroker(slug));
  if (await hasEntriesAbout(subject)) return subject;
  throw brokerNotFound(slug);
};

/** The feed of entries. */
export const feedRoutes = (brokersOf: BrokersOf, longPolls: LongPolls) => {
  const waitFor = createWait(longPolls);
  /** @throws ProblemError not_found if the organisation has no such watchlist */
  const subjectsOf = async (
    organisation: string,
    { broker, watchlist }: AskedBrokers,
  ): Promise<readonly string[] | undefined> => {
    const own = broker === undefined ? undefined : await subjectOfBroker(broker);
    if (watchlist === undefined) return own === undefined ? undefined : [own];
    const brokers = await brokersOf(organisation, watchlist);
    if (!brokers) throw new ProblemError('not_found', `There is no watchlist "${watchlist}".`);
    const watched = brokers.map((key) => entryKey('broker', key));
    return own === undefined ? watched : watched.filter((subject) => subject === own);
  };
  return initServer().router(enterpriseContract.feed, {
    changes: async ({ req, res, query: { after = -1, limit, wait, kind, ...brokers } }) => {
      const { organisation, scopes } = requireCustomer(req);
      const subjects = await subjectsOf(organisation, brokers);
      const asked = { after, limit, kind, subjects, withTexts: scopes.includes('texts:read') };
      const first = await readPage(asked);
      const isAnswer = wait === 0 || req.method === 'HEAD' || isWorthAnswer(first);
      const page = isAnswer ? first : await waitFor({ req, res }, asked, first, wait);
      return { status: 200, body: readyJson(Buffer.from(page.text)) };
    },
  });
};
