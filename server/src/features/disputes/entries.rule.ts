import type { Dispute, DisputeChange, DisputeField, DisputeStatus } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import { computeDueAt, showText, type TextState } from './status.rule.ts';

/** The fields of a dispute that the public and the record need. */
interface PublishedDispute {
  readonly _id: string;
  readonly broker: string;
  readonly field: DisputeField;
  readonly status: DisputeStatus;
  readonly text?: string | undefined;
  readonly textState: TextState;
  readonly createdAt: Date;
  readonly decidedAt?: Date | undefined;
  readonly change?: DisputeChange | undefined;
  readonly statement?: number | undefined;
}

const toPublicFields = ({ field, status, createdAt, decidedAt, change, statement }: PublishedDispute) => ({
  field,
  status,
  since: createdAt.toISOString(),
  dueAt: computeDueAt(createdAt).toISOString(),
  ...(decidedAt === undefined ? {} : { decidedAt: decidedAt.toISOString() }),
  ...(change === undefined ? {} : { change }),
  ...(statement === undefined ? {} : { statement }),
});

/** Returns the record's entry of a dispute. It never has a text. */
export const toDisputeEntry = (dispute: PublishedDispute): EntryDraft => ({
  kind: 'dispute',
  key: entryKey('dispute', dispute._id),
  subject: entryKey('broker', dispute.broker),
  value: { broker: dispute.broker, ...toPublicFields(dispute) },
});

/** Returns a dispute as everybody sees it. */
export const toDisputeView = (dispute: PublishedDispute): Dispute => {
  const text = showText(dispute);
  return { reference: dispute._id, ...toPublicFields(dispute), ...(text === undefined ? {} : { text }) };
};
