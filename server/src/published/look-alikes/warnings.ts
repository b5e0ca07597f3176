import { createTermIndex, type TermIndex } from '@broker-transparency/matching';
import { iterateStanding, type ListReading, listReadings, type NamedWarning } from '../../features/warnings/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { type Fact, licenseFacts, profileFacts } from './facts.rule.ts';
import { inTime } from './in-time.ts';
import { listFactTerms } from './terms.rule.ts';

/** Separators of several numbers in one field. */
const SEVERAL = /[,;|&\n]/u;

/** Returns everything that a warning names. */
export const listWarningFacts = ({
  names,
  victims,
  domains,
  licenseNumbers,
  leis,
  authority,
}: NamedWarning): Fact[] => [
  ...profileFacts({
    slug: '',
    name: '',
    legalName: '',
    status: '',
    tradingNames: [...names, ...victims],
    domains,
  }).facts.filter((fact) => fact.field !== 'name' || fact.name.whole !== ''),
  ...licenseNumbers
    .flatMap((text) => text.split(SEVERAL))
    .flatMap((number) => licenseFacts({ regulator: authority.code ?? '', number, holders: [{}] })),
  ...leis.map((lei): Fact => ({ field: 'lei', fact: 'leis', value: lei, source: null, normal: lei })),
];

interface WarningIndexState {
  readonly lists: readonly ListReading[];
  readonly version: string;
  readonly index: TermIndex<string>;
}

const computeVersion = (lists: readonly ListReading[]): string =>
  JSON.stringify(lists.map(({ _id, sha256, readAt, warnings }) => [_id, sha256, readAt, warnings]));

/**
 * Index of warnings in force by everything that they name. State of this process, built on first use. It is rebuilt
 * after a list was read, while the former one answers.
 */
export const createWarningIndex = (db: Db) => {
  let made: WarningIndexState | undefined;
  let making: Promise<WarningIndexState> | undefined;

  const make = async (lists: readonly ListReading[]): Promise<WarningIndexState> => {
    const index = createTermIndex<string>();
    const turns = createTurns();
    for await (const warning of iterateStanding(db)) {
      index.put(warning._id, listWarningFacts(warning).flatMap(listFactTerms));
      await turns();
    }
    made = { lists, version: computeVersion(lists), index };
    return made;
  };
  const current = async (): Promise<WarningIndexState> => {
    const lists = await listReadings(db);
    if (made?.version === computeVersion(lists)) return made;
    making ??= make(lists).finally(() => {
      making = undefined;
    });
    if (!made) return making;
    making.catch(() => undefined); // the current index stays in use
    return made;
  };
  return {
    /** @throws DomainError unavailable during the first build */
    current: () => inTime(current()),
  };
};
export type WarningIndex = ReturnType<typeof createWarningIndex>;
