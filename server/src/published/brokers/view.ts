import { BrokerDetail, BrokerSummary } from '@broker-transparency/contract';
import type { BrokerDocument } from './build.rule.ts';

/** The prepared part of the detail of a broker. */
const PreparedDetail = BrokerDetail.omit({ registers: true });

/** Returns the document without the fields that only the database needs. */
export const detailView = ({
  _id,
  keys,
  regulatedBy,
  serves,
  ...detail
}: BrokerDocument): Omit<BrokerDetail, 'registers'> => detail;

export const summaryView = ({ _id, ...summary }: BrokerDocument): BrokerSummary => summary;

/** The answers about a broker, as JSON in UTF-8. */
export interface BrokerAnswers {
  readonly detail: Uint8Array;
  readonly summary: Uint8Array;
}

const toJsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Returns the answers about a broker. @throws ZodError if they do not fit the contract */
export const toBrokerAnswers = (document: BrokerDocument): BrokerAnswers => ({
  detail: toJsonBytes(PreparedDetail.parse(detailView(document))),
  summary: toJsonBytes(BrokerSummary.parse(summaryView(document))),
});

/**
 * Like `toBrokerAnswers`, but returns undefined if the document violates the contract. Other brokers must still be
 * written; this one fails when its detail is requested.
 */
export const tryBrokerAnswers = (document: BrokerDocument): BrokerAnswers | undefined => {
  try {
    return toBrokerAnswers(document);
  } catch {
    return undefined;
  }
};
