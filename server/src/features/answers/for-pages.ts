import { mayReply } from '@broker-transparency/contract/record';
import type { Principal } from '../../http/auth/access.ts';
import type { CommitHook } from '../../http/request/idempotency.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { findAccount } from '../accounts/facts.ts';
import { requireBroker, resolveCurrentSlug } from '../brokers/facts.ts';
import { answerComplaint } from '../complaints/actions.ts';
import {
  computeDueAt,
  computeFinalAt,
  findForwarded,
  listForwarded,
  type StoredComplaint,
} from '../complaints/facts.ts';
import { type NewDispute, openDispute, withdrawDispute } from '../disputes/actions.ts';
import { type ListedDispute, listDisputesOfBroker } from '../disputes/facts.ts';
import { submitReply, withdrawReply } from '../replies/actions.ts';
import { listRepliesOfBroker, type ReplyDocument } from '../replies/facts.ts';
import { claimRepresentative, resignRepresentative } from '../representatives/actions.ts';
import { listRepresentedBrokers, requireRepresentation } from '../representatives/facts.ts';
import { mayAnswerComplaints } from '../representatives/rights.rule.ts';
import { findReview, toReviewView } from '../reviews/facts.ts';

/** Most rows of a list. */
const MOST = 200;

type Result = 'done' | 'missing' | 'conflict' | 'invalid';

const RESULTS: Readonly<Partial<Record<DomainError['code'], Result>>> = {
  not_found: 'missing',
  broker_not_found: 'missing',
  review_not_found: 'missing',
  state_conflict: 'conflict',
  invalid_input: 'invalid',
};

/** Runs an action, and returns how it ended. Other errors are thrown. */
const settle = async (action: Promise<unknown>): Promise<Result> => {
  try {
    await action;
    return 'done';
  } catch (error) {
    const result = error instanceof DomainError ? RESULTS[error.code] : undefined;
    if (result === undefined) throw error;
    return result;
  }
};

const toFirmComplaint = async (db: Db, complaint: StoredComplaint) => {
  const { _id: reference, title, content, accountId, occurredAt, forwardedAt, respondedAt } = complaint;
  const { consentToForward, amountInDispute: amount, desiredResolution, answer, status } = complaint;
  if (title === undefined || content === undefined || !forwardedAt || !consentToForward) return [];
  const author = accountId === undefined ? undefined : (await findAccount(db, accountId))?.displayName;
  return [
    {
      reference,
      title,
      content,
      author,
      occurredAt: occurredAt?.toISOString(),
      amount,
      desiredResolution,
      forwardedAt: forwardedAt.toISOString(),
      dueAt: computeDueAt(complaint)?.toISOString() ?? '',
      finalAt: computeFinalAt(complaint)?.toISOString() ?? '',
      respondedAt: respondedAt?.toISOString(),
      answer,
      isOpen: status === 'forwarded',
    },
  ];
};

const toFirmReply = ({ _id: id, reviewId, status, reason, content, createdAt }: ReplyDocument) => ({
  id,
  reviewId,
  status,
  reason,
  content,
  createdAt: createdAt.toISOString(),
});

const toFirmDispute = (dispute: ListedDispute) => {
  const {
    _id: reference,
    field,
    status,
    createdAt,
    dueAt,
    decidedAt,
    change,
    statement,
    text,
    evidence = [],
    note,
  } = dispute;
  const times = { since: createdAt.toISOString(), dueAt: dueAt.toISOString(), decidedAt: decidedAt?.toISOString() };
  return { reference, field, status, ...times, change, statement, text, evidence, note };
};

/** Returns the actions of a person who answers for brokers. Without an account there is no broker to answer for. */
export const createAnswerActions = (db: Db, clock: Clock, person: Principal | undefined, committed: CommitHook) => {
  const accountId = person?.accountId;
  const account = accountId ?? '';
  const context: Context = { actor: { type: 'account', accountId: account }, clock, db };
  /** Runs an action that keeps what the person gives, and returns how it ended. */
  const keep = (action: Promise<unknown>): Promise<Result> => settle(action.then(() => committed(context, account)));
  /** Returns the broker of a slug if the person answers for it. */
  const findOwn = async (slug: string) => {
    if (accountId === undefined) return undefined;
    const broker = await requireBroker(db, slug);
    const isOwn = (await listRepresentedBrokers(db, accountId)).some((one) => one.slug === broker.slug);
    return isOwn ? broker : undefined;
  };
  return {
    claim: async (code: string): Promise<string | undefined> => {
      let key = '';
      const result = await keep(
        claimRepresentative(context, account, code).then((claimed) => {
          key = claimed;
        }),
      );
      return result === 'done' ? resolveCurrentSlug(db, key) : undefined;
    },
    readFirm: async (slug: string) => {
      const broker = await findOwn(slug);
      if (!broker) return undefined;
      const [complaints, replies, disputes] = await Promise.all([
        mayAnswerComplaints(broker) ? listForwarded(db, broker.keys, MOST) : [],
        listRepliesOfBroker(db, broker.keys, MOST),
        listDisputesOfBroker(db, broker.slug, MOST),
      ]);
      return {
        slug: broker.slug,
        name: broker.name,
        mayReply: mayReply(broker),
        complaints: (await Promise.all(complaints.map((one) => toFirmComplaint(db, one)))).flat(),
        replies: replies.map(toFirmReply),
        disputes: disputes.map(toFirmDispute),
      };
    },
    readComplaint: async (slug: string, reference: string) => {
      const broker = await findOwn(slug);
      if (!broker || !mayAnswerComplaints(broker)) return undefined;
      const complaint = await findForwarded(db, broker.keys, reference);
      return complaint ? (await toFirmComplaint(db, complaint))[0] : undefined;
    },
    readReview: async (slug: string, id: string) => {
      const [broker, review] = [await findOwn(slug), await findReview(db, id, null)];
      if (!broker || review?.status !== 'published' || review.reply || !broker.keys.includes(review.broker))
        return undefined;
      return toReviewView(review, broker);
    },
    resign: (slug: string): Promise<Result> => settle(resignRepresentative(context, account, slug)),
    answerComplaint: (slug: string, reference: string, text: string): Promise<Result> =>
      keep(
        answerComplaint(context, reference, { text }, async (c, { broker }) => {
          const own = await requireRepresentation(c, account, slug);
          if (!own.broker.keys.includes(broker) || !mayAnswerComplaints(own.broker))
            throw new DomainError('not_found', `The firm "${slug}" has no complaint "${reference}".`);
        }),
      ),
    reply: (slug: string, reviewId: string, content: string): Promise<Result> =>
      keep(submitReply(context, account, slug, { reviewId, content })),
    withdrawReply: (slug: string, id: string): Promise<Result> => settle(withdrawReply(context, account, slug, id)),
    dispute: async (slug: string, given: NewDispute): Promise<Result> =>
      person ? keep(openDispute(context, person, slug, given)) : 'missing',
    withdrawDispute: (slug: string, reference: string): Promise<Result> =>
      settle(withdrawDispute(context, account, slug, reference)),
  };
};
