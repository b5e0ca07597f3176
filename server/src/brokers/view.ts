import type { BrokerDetail, BrokerSummary } from '@broker-transparency/contract';
import type { BrokerDocument } from './fold.ts';

/** The document without what only the database needs. */
export const detailView = ({ _id, regulatedBy, ...detail }: BrokerDocument): BrokerDetail => detail;

export const summaryView = ({ _id, ...summary }: BrokerDocument): BrokerSummary => summary;
