import type { ComplaintSubmission, ReviewSubmission } from '@broker-transparency/client';

/** A valid review, in the types of the client. */
export const buildReview = (broker: string, over: Partial<ReviewSubmission> = {}): ReviewSubmission => ({
  broker,
  rating: 4.25,
  title: 'Quick to pay out',
  content: 'I withdrew twice this year and both times the money came within two days.',
  language: 'en',
  ...over,
});

/** A valid complaint, in the types of the client. */
export const buildComplaint = (broker: string, over: Partial<ComplaintSubmission> = {}): ComplaintSubmission => ({
  broker,
  category: 'withdrawal',
  title: 'No answer for weeks',
  content: 'I asked for my balance four weeks ago and nobody has answered me since then.',
  consentToForward: true,
  ...over,
});

/** The optional fields of a complaint. */
export const complaintDetails = {
  amountInDispute: { amount: '1250.50', currency: 'USD' },
  occurredAt: '2026-01-02T03:04:05Z',
  desiredResolution: 'My balance',
} as const;
