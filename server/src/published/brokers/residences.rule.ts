import { decideVerdict, type JudgedBroker } from '@broker-transparency/contract';

/** A country for whose clients the verdict about a broker is `permitted`. */
export interface ServedResidence {
  /** ISO 3166-1 alpha-2 code. */
  readonly residence: string;
  /** RFC 3339: the last day of the licence that permits it; null: as long as the facts about the broker stay. */
  readonly until: string | null;
}

/**
 * Returns the countries for whose clients the verdict is `permitted` at a time, and until when it stays so without
 * another fact. Later the verdict can only get worse: licences have a last day, and nothing else of it follows the
 * clock. Only a country that an entity states can be one of them.
 * @example listServedResidences(broker, new Date()) // [{ residence: 'DE', until: null }]
 */
export const listServedResidences = (broker: JudgedBroker, from: Date): ServedResidence[] => {
  const stated = new Set(broker.entities.flatMap(({ serves }) => serves?.countries ?? []));
  const ends = broker.licenses
    .flatMap(({ expiresAt }) => expiresAt ?? [])
    .filter((end) => Date.parse(end) > from.getTime())
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  const isPermitted = (residence: string, at: Date): boolean =>
    decideVerdict(broker, residence, at).permission?.state === 'permitted';
  return [...stated]
    .filter((residence) => isPermitted(residence, from))
    .sort()
    .map((residence) => ({ residence, until: ends.find((end) => !isPermitted(residence, new Date(end))) ?? null }));
};
