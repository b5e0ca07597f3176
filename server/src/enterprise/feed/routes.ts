import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { entryKey } from '@broker-transparency/contract/record';
import { brokerNotFound, findBrokerKey } from '../../features/brokers/facts.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { readyJson } from '../../http/response/ready-json.ts';
import { hasEntriesAbout } from '../../ledger/record/page.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireCustomer } from '../access/customer.ts';
import { listWatchedBrokers } from '../watchlists/actions.ts';
import type { LongPolls } from './long-polls.ts';
import { readPage } from './page.ts';
import { type Authenticate, createPollWait, hasAnswer } from './wait.ts';

interface BrokerSelection {
  readonly broker?: string | undefined;
  readonly watchlist?: string | undefined;
}

/** @throws DomainError broker_not_found if the record has nothing about the broker */
const requireBrokerSubject = async (db: Db, slug: string): Promise<string> => {
  const subject = entryKey('broker', await findBrokerKey(db, slug));
  if (await hasEntriesAbout(db, subject)) return subject;
  throw brokerNotFound(slug);
};

/** The feed of entries. */
export const feedRoutes = (db: Db, longPolls: LongPolls, authenticate: Authenticate) => {
  const waitFor = createPollWait(db, longPolls, authenticate);
  /** @throws ProblemError not_found if the organisation has no such watchlist */
  const findSubjects = async (
    organisation: string,
    { broker, watchlist }: BrokerSelection,
  ): Promise<readonly string[] | undefined> => {
    const own = broker === undefined ? undefined : await requireBrokerSubject(db, broker);
    if (watchlist === undefined) return own === undefined ? undefined : [own];
    const watched = (await listWatchedBrokers(db, organisation, watchlist)).map((key) => entryKey('broker', key));
    return own === undefined ? watched : watched.filter((subject) => subject === own);
  };
  return initServer().router(enterpriseContract.feed, {
    changes: async ({ req, res, query: { after, limit, wait, kind, ...brokers } }) => {
      const { organisation, scopes } = requireCustomer(req);
      const subjects = await findSubjects(organisation, brokers);
      const asked = { after, limit, kind, subjects, withTexts: scopes.includes('texts:read') };
      const first = await readPage(db, asked);
      const isAnswer = wait === 0 || req.method === 'HEAD' || hasAnswer(first);
      const page = isAnswer ? first : await waitFor({ req, res }, asked, first, wait);
      return { status: 200, body: readyJson(Buffer.from(page.text)) };
    },
  });
};
