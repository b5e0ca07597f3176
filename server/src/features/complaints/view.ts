import type { ComplaintReceipt } from '@broker-transparency/contract';
import type { ComplaintDocument } from './store.ts';

/** What the complainant gets back. Nobody else gets anything. */
export const receiptView = (complaint: ComplaintDocument): ComplaintReceipt => ({
  reference: complaint._id,
  brokerSlug: complaint.broker,
  category: complaint.category,
  title: complaint.title,
  status: complaint.status,
  consentToForward: complaint.consentToForward,
  createdAt: complaint.createdAt.toISOString(),
});
