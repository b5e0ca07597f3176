import {
  COMPLAINT_CATEGORIES,
  COMPLAINT_STATUSES,
  type ComplaintStatus,
  type ComplaintSubmission,
} from '@broker-transparency/contract';
import mongoose, { Schema } from 'mongoose';
import type * as z from 'zod';
import type { Tx } from '../platform/mongo.ts';
import { STRICT } from '../platform/schema.ts';
import type { CountedComplaint } from './summary.ts';

type Submission = z.output<typeof ComplaintSubmission>;

export interface ComplaintDocument extends Omit<Submission, 'occurredAt'>, CountedComplaint {
  /** The reference. */
  readonly _id: string;
  readonly accountId: string;
  readonly occurredAt?: Date;
  readonly createdAt: Date;
}

const Complaints = mongoose.model(
  'Complaint',
  new Schema<ComplaintDocument>(
    {
      _id: String,
      broker: { type: String, required: true },
      accountId: { type: String, required: true },
      kycVerified: { type: Boolean, required: true },
      status: { type: String, enum: COMPLAINT_STATUSES, required: true },
      category: { type: String, enum: COMPLAINT_CATEGORIES, required: true },
      title: { type: String, required: true },
      content: { type: String, required: true },
      amountInDispute: { type: { amount: String, currency: String }, _id: false },
      occurredAt: Date,
      desiredResolution: String,
      consentToForward: { type: Boolean, required: true },
      createdAt: { type: Date, required: true },
      forwardedAt: Date,
      respondedAt: Date,
      closedAt: Date,
    },
    STRICT,
  )
    .index({ broker: 1 })
    .index({ status: 1, createdAt: 1 })
    .index({ accountId: 1 }),
  'complaints',
);

export const insertComplaints = async (complaints: readonly ComplaintDocument[], tx: Tx): Promise<void> => {
  await Complaints.insertMany(complaints, { session: tx });
};

/** The oldest first. */
export const listComplaints = (filter: { status?: ComplaintStatus; broker?: string }, limit: number) =>
  Complaints.find({
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.broker === undefined ? {} : { broker: filter.broker }),
  })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .lean<ComplaintDocument[]>()
    .exec();

/** What counting needs of all complaints about these brokers. */
export const findCounted = (brokers: readonly string[], tx: Tx) =>
  Complaints.find(
    { broker: { $in: brokers } },
    { _id: 0, broker: 1, status: 1, kycVerified: 1, forwardedAt: 1, respondedAt: 1, closedAt: 1 },
  )
    .session(tx)
    .lean<(CountedComplaint & { broker: string })[]>()
    .exec();

export const findComplainedOf = (brokers: readonly string[], tx: Tx): Promise<string[]> =>
  Complaints.distinct('broker', { broker: { $in: brokers } })
    .session(tx)
    .exec();
