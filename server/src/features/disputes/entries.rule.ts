import type { Dispute } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import { computeDueAt, showText } from './status.rule.ts';
import type { DisputeDocument } from './store.ts';

const toPublicFields = ({ field, status, createdAt, decidedAt, change, statement }: DisputeDocument) => ({
  field,
  status,
  since: createdAt.toISOString(),
  dueAt: computeDueAt(createdAt).toISOString(),
  ...(decidedAt === undefined ? {} : { decidedAt: decidedAt.toISOString() }),
  ...(change === undefined ? {} : { change }),
  ...(statement === undefined ? {} : { statement }),
});

/** Returns the record's entry of a dispute. It never has a text. */
export const toDisputeEntry = (dispute: DisputeDocument): EntryDraft => ({
  kind: 'dispute',
  key: entryKey('dispute', dispute._id),
  subject: entryKey('broker', dispute.broker),
  value: { broker: dispute.broker, ...toPublicFields(dispute) },
});

/** Returns a dispute as everybody sees it. */
export const toDisputeView = (dispute: DisputeDocument): Dispute => {
  const text = showText(dispute);
  return { reference: dispute._id, ...toPublicFields(dispute), ...(text === undefined ? {} : { text }) };
};
