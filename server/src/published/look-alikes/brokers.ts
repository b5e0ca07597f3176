import { createTermIndex, type TermIndex } from '@broker-transparency/matching';
import type { ChangeListener } from '../../platform/changes.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { type IdentifyingDocument, walkIdentifying } from '../brokers/facts.ts';
import { type Fact, licenseFacts, profileFacts } from './facts.rule.ts';
import { inTime } from './in-time.ts';
import { listFactTerms } from './terms.rule.ts';

/** Returns everything that a broker is recognized by. */
export const listBrokerFacts = (broker: IdentifyingDocument): Fact[] => [
  ...profileFacts({ ...broker, slug: broker._id }).facts,
  ...broker.licenses.flatMap(({ regulatorCode: regulator, referenceNumber: number, entity, sourceUrl }) =>
    licenseFacts({
      regulator,
      number,
      holders: [{ ...(entity.lei === undefined ? {} : { lei: entity.lei }), sourceUrl }],
    }),
  ),
];

const listBrokerTerms = (broker: IdentifyingDocument): string[] => listBrokerFacts(broker).flatMap(listFactTerms);

/**
 * Index of brokers by all their identifying texts. State of this process, built on first use, and kept current by the
 * changes of brokers.
 */
export const createBrokerIndex = (db: Db) => {
  let made: Promise<TermIndex<string>> | undefined;

  const make = async (): Promise<TermIndex<string>> => {
    const index = createTermIndex<string>();
    const turns = createTurns();
    for await (const broker of walkIdentifying(db)) {
      index.put(broker._id, listBrokerTerms(broker));
      await turns();
    }
    return index;
  };
  const begin = (): Promise<TermIndex<string>> => {
    const begun = make();
    made = begun;
    begun.catch(() => {
      if (made === begun) made = undefined;
    });
    return begun;
  };
  const change: ChangeListener['changed'] = ({ collection, id, document }) => {
    if (collection !== 'brokers' || !made) return;
    const terms = document && listBrokerTerms(document as unknown as IdentifyingDocument);
    // what changes while the index is made counts after what was read
    made.then((index) => (terms ? index.put(id, terms) : index.remove(id))).catch(() => undefined);
  };
  const forget = (): void => {
    made = undefined;
  };
  return {
    feed: { reset: forget, changed: change } satisfies ChangeListener,
    /** @throws DomainError unavailable during the first build */
    current: () => inTime(made ?? begin()),
  };
};
export type BrokerIndex = ReturnType<typeof createBrokerIndex>;
