import { randomInt } from 'node:crypto';
import type { ComplaintSubmission } from '@broker-transparency/contract';
import type * as z from 'zod';
import { authorOf } from '../accounts/actions.ts';
import { record } from '../audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { requireBroker } from '../brokers/facts.ts';
import type { Context } from '../context.ts';
import { type Tx, transaction } from '../platform/mongo.ts';
import * as store from './store.ts';

export type { ComplaintDocument } from './store.ts';

/** Letters and digits that are not mistaken for each other on the telephone. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';

const newReference = (): string =>
  `C-${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;

/** Stores a new complaint, in the caller's transaction. @throws ProblemError broker_not_found */
export const submitComplaint = async (
  { actor, clock }: Context,
  accountId: string,
  { occurredAt, ...submission }: z.output<typeof ComplaintSubmission>,
  tx: Tx,
): Promise<store.ComplaintDocument> => {
  const now = clock();
  await requireBroker(submission.broker, tx);
  const { kycVerified } = await authorOf(accountId, now, tx);
  const complaint: store.ComplaintDocument = {
    _id: newReference(),
    ...submission,
    ...(occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt) }),
    accountId,
    kycVerified,
    status: 'received',
    createdAt: now,
  };
  await store.insertComplaints([complaint], tx);
  await brokersChanged([submission.broker], tx);
  const after = { status: complaint.status, category: complaint.category };
  await record(
    actor,
    now,
    { action: 'complaint.submitted', subject: { kind: 'complaint', id: complaint._id }, after },
    tx,
  );
  return complaint;
};

export const listComplaints = store.listComplaints;

/** Loads many complaints, such as a demo set, in one transaction. */
export const loadComplaints = (
  { actor, clock }: Context,
  complaints: readonly store.ComplaintDocument[],
): Promise<void> =>
  transaction(async (tx) => {
    await store.insertComplaints(complaints, tx);
    await brokersChanged([...new Set(complaints.map((complaint) => complaint.broker))], tx);
    await record(
      actor,
      clock(),
      { action: 'complaint.loaded', subject: { kind: 'complaints', id: 'load' }, after: { count: complaints.length } },
      tx,
    );
  });
