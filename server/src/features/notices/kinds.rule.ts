/** What every notice about something names: its reference, and nothing of what it says. */
interface Reference {
  readonly reference: string;
}

/** A notice about something that concerns a broker, by the key of the broker. */
interface OfBroker extends Reference {
  readonly broker: string;
}

/** A decision that its author can appeal against. */
interface Restriction extends OfBroker {
  readonly reasonCode: string;
  /** The statement of reasons, for its author. */
  readonly facts: string;
  /** The last moment for an appeal. */
  readonly appealUntil: string;
}

/** How an appeal or a complaint ended, by its code. */
interface Ended extends OfBroker {
  readonly ending?: string | undefined;
}

/** What each kind of notice says. Texts that people sent are never part of it. */
export interface NoticeData {
  'review.received': OfBroker;
  'review.published': OfBroker;
  'review.rejected': Restriction;
  'review.removed': Restriction;
  'review.withheld': Restriction;
  'appeal.received': OfBroker;
  'appeal.decided': OfBroker & { readonly outcome: string };
  'report.received': OfBroker;
  'report.decided': OfBroker & { readonly outcome: string; readonly appealUntil?: string | undefined };
  'complaint.received': OfBroker;
  'complaint.screening': OfBroker;
  'complaint.forwarded': OfBroker & { readonly dueAt: string; readonly finalAt: string };
  'complaint.responded': OfBroker;
  'complaint.resolved': Ended;
  'complaint.unresolved': Ended;
  'complaint.rejected': Ended;
  'complaint.withdrawn': Ended;
  'address.code': { readonly code: string; readonly endsAt: string };
  'broker.code': { readonly broker: string; readonly code: string; readonly endsAt: string };
  'broker.complaint': OfBroker & { readonly dueAt: string; readonly finalAt: string };
  'broker.reminder': OfBroker & { readonly dueAt: string; readonly finalAt: string };
  'broker.complaint_closed': OfBroker & { readonly status: string; readonly ending?: string | undefined };
  'broker.warning': OfBroker & { readonly authority: string; readonly url?: string | undefined };
  'broker.correction': OfBroker & { readonly authority?: string | undefined; readonly url?: string | undefined };
  'operator.summary': { readonly title: string; readonly text: string };
  'operator.alarm': { readonly title: string; readonly text: string };
}
export type NoticeKind = keyof NoticeData;

/** Who is told. */
type Audience = 'person' | 'broker' | 'operator';

interface Kind {
  readonly to: Audience;
  /** What it links to; null: nothing. */
  readonly about: 'review' | 'report' | 'complaint' | 'broker' | null;
  /** What the contact of a broker is told it for. */
  readonly topic?: Topic;
  /** Whether it goes to addresses that are not confirmed yet: it is what confirms them. */
  readonly confirms?: true;
}

/** What a contact of a broker can be told of. */
export const TOPICS = ['complaints', 'warnings'] as const;
export type Topic = (typeof TOPICS)[number];

const review: Kind = { to: 'person', about: 'review' };
const report: Kind = { to: 'person', about: 'report' };
const complaint: Kind = { to: 'person', about: 'complaint' };
const ofComplaints: Kind = { to: 'broker', about: 'complaint', topic: 'complaints' };
const ofWarnings: Kind = { to: 'broker', about: 'broker', topic: 'warnings' };

/** Every kind of notice. Each has a template in every language. */
export const NOTICES: Readonly<Record<NoticeKind, Kind>> = {
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
  'address.code': { to: 'person', about: null, confirms: true },
  'broker.code': { to: 'broker', about: null, confirms: true },
  'broker.complaint': ofComplaints,
  'broker.reminder': ofComplaints,
  'broker.complaint_closed': ofComplaints,
  'broker.warning': ofWarnings,
  'broker.correction': ofWarnings,
  'operator.summary': { to: 'operator', about: null },
  'operator.alarm': { to: 'operator', about: null },
};
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];

type KindsFor<A extends string> = Extract<NoticeKind, `${A}.${string}`>;
/** Kinds that are told to the person who wrote something. */
export type PersonKind = KindsFor<'review' | 'appeal' | 'report' | 'complaint'>;
/** Kinds that are told to the contacts of a broker. */
export type BrokerKind = Exclude<KindsFor<'broker'>, 'broker.code'>;
/** Kinds that are told to the operator. */
export type OperatorKind = KindsFor<'operator'>;
