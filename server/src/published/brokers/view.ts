import { BrokerDetail, BrokerSummary } from '@broker-transparency/contract';
import type { BrokerDocument } from './build.rule.ts';

/** The document without what only the database needs. */
export const detailView = ({ _id, regulatedBy, ...detail }: BrokerDocument): BrokerDetail => detail;

export const summaryView = ({ _id, ...summary }: BrokerDocument): BrokerSummary => summary;

/** What is answered of a broker: JSON in UTF-8. */
export interface BrokerAnswers {
  readonly detail: Uint8Array;
  readonly summary: Uint8Array;
}

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** The answers of a broker. @throws ZodError where they do not fit the contract */
export const answersOf = (document: BrokerDocument): BrokerAnswers => ({
  detail: bytesOf(BrokerDetail.parse(detailView(document))),
  summary: bytesOf(BrokerSummary.parse(summaryView(document))),
});

/** The same, or undefined: one broker that does not fit the contract must not keep others from being written, and fails when somebody asks for it. */
export const answersIfFit = (document: BrokerDocument): BrokerAnswers | undefined => {
  try {
    return answersOf(document);
  } catch {
    return undefined;
  }
};
