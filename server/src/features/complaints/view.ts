import type { ComplaintReceipt } from '@broker-transparency/contract';
import type { ComplaintDocument } from './store.ts';

/** Returns what the complainant receives. Nobody else receives anything. */
export const receiptView = (complaint: ComplaintDocument, brokerSlug: string): ComplaintReceipt => ({
  reference: complaint._id,
  brokerSlug,
  category: complaint.category,
  title: complaint.title,
  status: complaint.status,
  consentToForward: complaint.consentToForward,
  createdAt: complaint.createdAt.toISOString(),
});
