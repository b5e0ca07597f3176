import type { ChangeListener } from '../../platform/changes.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { type IdentifyingDocument, walkIdentifying } from '../brokers/facts.ts';
import { type Fact, licenseFacts, profileFacts } from './facts.rule.ts';
import { inTime } from './in-time.ts';
import { createTermIndex, type TermIndex } from './term-index.ts';
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
  let index: TermIndex | undefined;
  /** The index that is being built, and the changes since the build began. */
  let making: { readonly made: Promise<TermIndex>; readonly meanwhile: ((index: TermIndex) => void)[] } | undefined;

  const make = async (isWanted: () => boolean, meanwhile: readonly ((index: TermIndex) => void)[]) => {
    const next = createTermIndex();
    const turns = createTurns();
    for await (const broker of walkIdentifying(db)) {
      next.put(broker._id, listBrokerTerms(broker));
      await turns();
    }
    for (const change of meanwhile) change(next);
    if (isWanted()) index = next;
    return next;
  };
  const begin = (): Promise<TermIndex> => {
    const meanwhile: ((index: TermIndex) => void)[] = [];
    const isWanted = (): boolean => making?.meanwhile === meanwhile;
    const made = make(isWanted, meanwhile).finally(() => {
      if (isWanted()) making = undefined;
    });
    making = { made, meanwhile };
    return made;
  };
  const current = (): Promise<TermIndex> => {
    if (!index) return making?.made ?? begin();
    if (index.isWorn() && !making) begin().catch(() => undefined); // the current index stays in use
    return Promise.resolve(index);
  };
  const change: ChangeListener['changed'] = ({ collection, id, document }) => {
    if (collection !== 'brokers' || !(index || making)) return;
    const terms = document && listBrokerTerms(document as unknown as IdentifyingDocument);
    const apply = (to: TermIndex): void => (terms ? to.put(id, terms) : to.remove(id));
    making?.meanwhile.push(apply);
    if (index) apply(index);
  };
  const forget = (): void => {
    index = undefined;
    making = undefined;
  };
  return {
    feed: { reset: forget, changed: change } satisfies ChangeListener,
    /** @throws DomainError unavailable during the first build */
    current: () => inTime(current()),
  };
};
export type BrokerIndex = ReturnType<typeof createBrokerIndex>;
