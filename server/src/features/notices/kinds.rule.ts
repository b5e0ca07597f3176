/** The field of every notice about a case: its reference, without its content. */
interface NoticeReference {
  readonly reference: string;
}

/** A notice about something that concerns a broker, by the key of the broker. */
interface BrokerNotice extends NoticeReference {
  readonly broker: string;
}

/** A decision that its author can appeal against. */
interface RestrictionNotice extends BrokerNotice {
  readonly reasonCode: string;
  /** The statement of reasons, for its author. */
  readonly facts: string;
  /** The last moment for an appeal. */
  readonly appealUntil: string;
}

/** How an appeal or a complaint ended, by its code. */
interface EndingNotice extends BrokerNotice {
  readonly ending?: string | undefined;
}

/** Kinds of entries of the record that a broker has in a week. */
export interface BrokerChanges {
  /** Its key. */
  readonly broker: string;
  readonly kinds: readonly string[];
}

/** The fields of each kind of notice. Texts that people sent are never among them. */
export interface NoticeData {
  'review.received': BrokerNotice;
  'review.published': BrokerNotice;
  'review.rejected': RestrictionNotice;
  'review.removed': RestrictionNotice;
  'review.withheld': RestrictionNotice;
  'appeal.received': BrokerNotice;
  'appeal.decided': BrokerNotice & { readonly outcome: string };
  'report.received': BrokerNotice;
  'report.decided': BrokerNotice & { readonly outcome: string; readonly appealUntil?: string | undefined };
  'complaint.received': BrokerNotice;
  'complaint.screening': BrokerNotice;
  'complaint.forwarded': BrokerNotice & { readonly dueAt: string; readonly finalAt: string };
  'complaint.responded': BrokerNotice;
  'complaint.resolved': EndingNotice;
  'complaint.unresolved': EndingNotice;
  'complaint.rejected': EndingNotice;
  'complaint.withdrawn': EndingNotice;
  'dispute.decided': BrokerNotice & { readonly outcome: string; readonly facts?: string | undefined };
  'reply.decided': BrokerNotice & { readonly outcome: string };
  'address.code': { readonly code: string; readonly endsAt: string };
  'broker.code': { readonly broker: string; readonly code: string; readonly endsAt: string };
  'broker.invitation': { readonly broker: string; readonly code: string; readonly endsAt: string };
  'broker.complaint': BrokerNotice & { readonly dueAt: string; readonly finalAt: string };
  'broker.reminder': BrokerNotice & { readonly dueAt: string; readonly finalAt: string };
  'broker.complaint_closed': BrokerNotice & { readonly status: string; readonly ending?: string | undefined };
  'broker.warning': BrokerNotice & { readonly authority: string; readonly url?: string | undefined };
  'broker.correction': BrokerNotice & { readonly authority?: string | undefined; readonly url?: string | undefined };
  'follow.confirm': { readonly broker: string; readonly code: string; readonly endsAt: string };
  'follow.warning': { readonly broker: string; readonly authority: string; readonly url: string };
  'follow.correction': { readonly broker: string; readonly authority: string; readonly url: string };
  'follow.weekly': { readonly changes: readonly BrokerChanges[] };
  'sign-in.link': { readonly code: string; readonly endsAt: string };
  'operator.summary': { readonly title: string; readonly text: string };
  'operator.alarm': { readonly title: string; readonly text: string };
}
export type NoticeKind = keyof NoticeData;

/** The receivers of a notice. */
type Audience = 'person' | 'broker' | 'follower' | 'visitor' | 'operator';

interface NoticeSpec {
  readonly to: Audience;
  /** The page that it links to; null if there is none. */
  readonly about: 'review' | 'report' | 'complaint' | 'broker' | null;
  /** The topic for which the contact of a broker gets it. */
  readonly topic?: Topic;
  /** True if it goes to addresses that are not confirmed yet, since it confirms them. */
  readonly confirms?: true;
}

/** The topics of a contact of a broker. */
export const TOPICS = ['complaints', 'warnings'] as const;
export type Topic = (typeof TOPICS)[number];

const review: NoticeSpec = { to: 'person', about: 'review' };
const report: NoticeSpec = { to: 'person', about: 'report' };
const complaint: NoticeSpec = { to: 'person', about: 'complaint' };
const ofComplaints: NoticeSpec = { to: 'broker', about: 'complaint', topic: 'complaints' };
const ofWarnings: NoticeSpec = { to: 'broker', about: 'broker', topic: 'warnings' };

/** Every kind of notice. Each has a template in every language. */
export const NOTICES: Readonly<Record<NoticeKind, NoticeSpec>> = {
  'review.received': review,
  'review.published': review,
  'review.rejected': review,
  'review.removed': review,
  'review.withheld': review,
  'appeal.received': review,
  'appeal.decided': review,
  'report.received': report,
  'report.decided': report,
  'complaint.received': complaint,
  'complaint.screening': complaint,
  'complaint.forwarded': complaint,
  'complaint.responded': complaint,
  'complaint.resolved': complaint,
  'complaint.unresolved': complaint,
  'complaint.rejected': complaint,
  'complaint.withdrawn': complaint,
  'dispute.decided': { to: 'person', about: 'broker' },
  'reply.decided': { to: 'person', about: 'broker' },
  'address.code': { to: 'person', about: null, confirms: true },
  'broker.code': { to: 'broker', about: null, confirms: true },
  'broker.invitation': { to: 'broker', about: null, confirms: true },
  'broker.complaint': ofComplaints,
  'broker.reminder': ofComplaints,
  'broker.complaint_closed': ofComplaints,
  'broker.warning': ofWarnings,
  'broker.correction': ofWarnings,
  'follow.confirm': { to: 'follower', about: null, confirms: true },
  'follow.warning': { to: 'follower', about: 'broker' },
  'follow.correction': { to: 'follower', about: 'broker' },
  'follow.weekly': { to: 'follower', about: null },
  'sign-in.link': { to: 'visitor', about: null, confirms: true },
  'operator.summary': { to: 'operator', about: null },
  'operator.alarm': { to: 'operator', about: null },
};
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];

type KindsFor<A extends string> = Extract<NoticeKind, `${A}.${string}`>;
/** Kinds about a case of moderation, which its person reads and appeals by a link. */
export type CaseKind = KindsFor<'appeal' | 'report'> | 'review.rejected' | 'review.removed' | 'review.withheld';
/** Kinds that are told to the person who wrote something. */
export type PersonKind = KindsFor<'review' | 'appeal' | 'report' | 'complaint' | 'dispute' | 'reply'>;
/** Kinds that are told to the contacts of a broker. */
export type BrokerKind = Exclude<KindsFor<'broker'>, 'broker.code' | 'broker.invitation'>;
/** Kinds that are told to those who follow brokers. */
export type FollowKind = KindsFor<'follow'>;
/** Kinds that are told to the operator. */
export type OperatorKind = KindsFor<'operator'>;
