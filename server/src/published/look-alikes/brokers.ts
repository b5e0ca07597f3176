import type { ChangeListener } from '../../platform/changes.ts';
import { eachIdentifying, type IdentifyingDocument } from '../brokers/facts.ts';
import { type Fact, licenseFacts, profileFacts } from './facts.rule.ts';
import { createTurns, inTime } from './in-time.ts';
import { createTermIndex, type TermIndex } from './term-index.ts';
import { termsOf } from './terms.rule.ts';

/** More parts than this come of many changes: the index is made anew when somebody asks. */
const MOST_PARTS = 80;

/** Returns everything that a broker is recognized by. */
export const factsOf = (broker: IdentifyingDocument): Fact[] => [
  ...profileFacts({ ...broker, slug: broker._id }).facts,
  ...broker.licenses.flatMap(({ regulatorCode: regulator, referenceNumber: number, entity, sourceUrl }) =>
    licenseFacts({
      regulator,
      number,
      holders: [{ ...(entity.lei === undefined ? {} : { lei: entity.lei }), sourceUrl }],
    }),
  ),
];

const termsOfBroker = (broker: IdentifyingDocument): string[] => factsOf(broker).flatMap(termsOf);

/**
 * Brokers by everything that somebody can type of them. State of this process, made when somebody first asks, and kept
 * current by the changes of brokers from then on.
 */
export const createBrokerIndex = () => {
  let index: TermIndex | undefined;
  let making: Promise<TermIndex> | undefined;
  /** Those that changed while the index was being made. */
  let meanwhile: (() => void)[] = [];

  const make = async (): Promise<TermIndex> => {
    meanwhile = [];
    const next = createTermIndex();
    const turns = createTurns();
    for await (const broker of eachIdentifying()) {
      next.put(broker._id, termsOfBroker(broker));
      await turns();
    }
    index = next;
    for (const again of meanwhile) again();
    meanwhile = [];
    return next;
  };
  const forget = (): void => {
    index = undefined;
    making = undefined;
  };
  const current = (): Promise<TermIndex> => {
    if (index && index.parts() <= MOST_PARTS) return Promise.resolve(index);
    if (!making) {
      const mine = make().finally(() => {
        if (making === mine) making = undefined;
      });
      making = mine;
    }
    return making;
  };

  const change: ChangeListener['changed'] = ({ collection, id, document }) => {
    if (collection !== 'brokers') return;
    const apply = (): void => {
      if (document) index?.put(id, termsOfBroker(document as unknown as IdentifyingDocument));
      else index?.remove(id);
    };
    if (making) meanwhile.push(apply);
    else apply();
  };
  return {
    feed: { reset: forget, changed: change } satisfies ChangeListener,
    /** @throws DomainError unavailable while it is made */
    current: () => inTime(current()),
  };
};
export type BrokerIndex = ReturnType<typeof createBrokerIndex>;
