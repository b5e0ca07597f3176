import type { Tx } from '../../platform/mongo.ts';
import { findPersonAccountIds } from '../accounts/actions.ts';
import { findSubject } from '../accounts/facts.ts';
import { hashPerson } from '../accounts/kyc.rule.ts';
import { type BrokerReference, resolveSlugs } from '../brokers/facts.ts';
import { type ReviewRecord, WRITTEN } from './imported.rule.ts';
import { isLive } from './status.rule.ts';
import * as store from './store.ts';

/** A row of an import, and its stored review. */
export interface ImportedRow {
  readonly line: number;
  readonly record: ReviewRecord;
  readonly known: store.ReviewDocument | undefined;
}

/** A fault of a row. */
export interface RowFault {
  readonly line: number;
  readonly column: string;
  readonly detail: string;
}

const findBrokerFaults = ({ line, record }: ImportedRow, broker: BrokerReference | undefined): RowFault[] =>
  broker?.isMerged
    ? [{ line, column: 'broker', detail: `"${record.broker}" was merged into "${broker.slug}": name that one.` }]
    : [];

/** Returns the differences between a row and the review imported under its reference. */
const findDifferences = ({ record, known }: ImportedRow, broker: BrokerReference | undefined): string[] => {
  if (!known) return [];
  const stored = { ...known, createdAt: known.createdAt.getTime() };
  const given = { ...record, broker: broker?.key, createdAt: Date.parse(record.createdAt) };
  return WRITTEN.filter((field) => stored[field] !== given[field]);
};

/** Keys by which an author is recognised in other rows. */
const listAuthorKeys = ({ author, verification }: ReviewRecord): string[] => [
  JSON.stringify(author.subject),
  ...(verification ? [hashPerson(verification.provider, verification.person)] : []),
];

/**
 * Returns a function that finds faults of rows beyond their form, batch by batch of one file: a merged broker, a
 * reference of another review, a second live review by one author.
 */
export const createReviewCheck = () => {
  const seen = new Map<string, number>();

  /** Returns the line of the author's other live review of this broker in the file. */
  const findEarlierLine = (keys: readonly string[], line: number): number | undefined => {
    const earlier = keys.map((key) => seen.get(key)).find((at) => at !== undefined);
    for (const key of keys) seen.set(key, line);
    return earlier;
  };

  const findSecondFaults = async (row: ImportedRow, broker: BrokerReference, tx: Tx): Promise<RowFault[]> => {
    const { line, record, known } = row;
    const authors = listAuthorKeys(record);
    const earlier = findEarlierLine(
      authors.map((author) => `${broker.key} ${author}`),
      line,
    );
    const toFaults = (detail: string): RowFault[] => [{ line, column: 'author.subject', detail }];
    if (earlier !== undefined)
      return toFaults(`The author's review on line ${earlier} is of the same broker: one of them must be withdrawn.`);
    const account = await findSubject(tx.db, record.author.subject, tx);
    const personHash = authors[1] ?? account?.kyc.personHash;
    const others = personHash === undefined ? [] : await findPersonAccountIds(personHash, tx);
    const person = { personKey: `person:${personHash}`, accountIds: [...(account ? [account._id] : []), ...others] };
    return !known && (await store.hasLiveReview(broker.keys, person, tx))
      ? toFaults('The author has a review of this broker here, which is pending or published.')
      : [];
  };

  return async (rows: readonly ImportedRow[], tx: Tx): Promise<RowFault[]> => {
    const find = await resolveSlugs(tx.db, [...new Set(rows.map(({ record }) => record.broker))], { session: tx });
    const faults: RowFault[] = [];
    for (const row of rows) {
      const { line, record, known } = row;
      const broker = find(record.broker);
      faults.push(...findBrokerFaults(row, broker));
      const [other] = findDifferences(row, broker);
      if (other !== undefined) {
        const detail = `"${other}" differs from what was imported under this reference: undo that run first.`;
        faults.push({ line, column: other, detail });
      } else if (broker && !broker.isMerged && isLive(record.status) && (!known || isLive(known.status)))
        faults.push(...(await findSecondFaults(row, broker, tx)));
    }
    return faults;
  };
};
