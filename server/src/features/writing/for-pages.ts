import { setTimeout as sleep } from 'node:timers/promises';
import { contract } from '@broker-transparency/contract';
import type { Attempt, Outcome, Refusal } from '../../http/problem/outcome.ts';
import type { CommitHook, RunOnce } from '../../http/request/idempotency.ts';
import type { parseSubmission, requireAllowed, requirePast } from '../../http/request/submission.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { type BrokerReference, requireBroker, requireOpenBroker, resolveSlugs } from '../brokers/facts.ts';
import { submitComplaint } from '../complaints/actions.ts';
import { findAdvice } from '../moderation/advice.rule.ts';
import type { HintCode } from '../moderation/hints.rule.ts';
import { requireFirstReview, submitReview } from '../reviews/actions.ts';
import { type Draft, discardDraft, findDraft, listDrafts, saveDraft, takeDraft, type Writer } from './actions.ts';
import { findField, isTyped, pickFields, type TypedFields, toBody } from './form.rule.ts';
import { MOST_DRAFTS, type WrittenKind } from './policy.rule.ts';

/** The parts of writing that the composition brings along. */
export interface WritingParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Maximum number of complaints that one account may send in a day. */
  readonly complaintsPerDay: number;
  readonly runOnce: RunOnce;
  readonly attempt: Attempt;
  readonly parse: typeof parseSubmission;
  readonly requireAllowed: typeof requireAllowed;
  readonly requirePast: typeof requirePast;
  readonly committed: CommitHook;
}

/** A fault in a field of a form. */
interface FormFault {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** Returns the faults of a refusal by their fields. */
const toFormFaults = (kind: WrittenKind, { faults }: Refusal): FormFault[] =>
  faults.flatMap(({ path, code, detail }) => {
    const field = findField(kind, path);
    return field === undefined ? [] : [{ field, code, detail }];
  });

const toDraftView = ({ version, fields, savedAt, endsAt }: Draft) => ({
  version,
  fields,
  savedAt: savedAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

const ROUTES = { review: contract.reviews.create, complaint: contract.complaints.create } as const;

/** Problems of a text that another request is sending, or has just sent. */
const UNDER_WAY: ReadonlySet<string> = new Set(['idempotency_in_progress', 'unavailable']);

/** Time in milliseconds between looks at a sending that is under way, and their number. */
const LOOK_MS = 100;
const LOOKS = 30;

/** Creates the function that sends a draft once, however often its form is sent. */
const createSend = (parts: WritingParts, writer: Writer) => {
  const { db, complaintsPerDay, runOnce, attempt, parse, requireAllowed, requirePast } = parts;
  const sendOnce = async (kind: WrittenKind, slug: string, version: string) => {
    const { key, keys } = await requireBroker(db, slug);
    const request = { author: writer.principal, route: `/write/${kind}`, key: version, body: { version } };
    return runOnce(request, async (c, author) => {
      requireAllowed(ROUTES[kind], author);
      const { fields } = await takeDraft(c, writer, { kind, keys, version });
      const broker = await requireOpenBroker(c.db, key);
      const body = toBody(kind, broker.slug, fields);
      if (kind === 'review') {
        const review = await submitReview(c, author, parse(ROUTES.review, body), broker);
        return { reference: String(review._id) };
      }
      const complaint = { ...parse(ROUTES.complaint, body), broker: broker.key };
      requirePast('occurredAt', complaint.occurredAt, c.now);
      return { reference: (await submitComplaint(c, author, complaint, complaintsPerDay))._id };
    });
  };
  return async (kind: WrittenKind, slug: string, version: string): Promise<Outcome<{ reference: string }>> => {
    for (let look = 1; ; look++) {
      const outcome = await attempt(() => sendOnce(kind, slug, version));
      const isUnderWay = 'refused' in outcome && UNDER_WAY.has(outcome.refused.code);
      if (!isUnderWay || look === LOOKS) return outcome;
      await sleep(LOOK_MS);
    }
  };
};

/** Returns the actions by which a person writes. */
export const createWritingActions = (parts: WritingParts, writer: Writer) => {
  const { db, clock, attempt, parse, requireAllowed, requirePast, committed } = parts;
  const { accountId } = writer.principal;
  const context: Context = { actor: { type: 'account', accountId }, clock, db };

  const requireWritable = async (kind: WrittenKind, { slug, key }: BrokerReference): Promise<void> => {
    requireAllowed(ROUTES[kind], writer.principal);
    const broker = await requireOpenBroker(db, key === slug ? slug : key);
    if (kind === 'review') await requireFirstReview(db, writer.principal, broker);
  };

  const check = async (kind: WrittenKind, slug: string, fields: TypedFields) => {
    const body = toBody(kind, slug, fields);
    const checked = await attempt(async () => {
      if (kind === 'review') parse(ROUTES.review, body);
      else requirePast('occurredAt', parse(ROUTES.complaint, body).occurredAt, clock());
    });
    return 'refused' in checked ? toFormFaults(kind, checked.refused) : [];
  };

  /** Hints about the text of a review. A complaint is private: its reader needs contacts and links. */
  const advise = (kind: WrittenKind, { rating, title = '', content = '', language = '' }: TypedFields): HintCode[] =>
    kind === 'review' ? findAdvice({ rating: Number(rating), title, content, language }) : [];

  return {
    open: async (kind: WrittenKind, slug: string) => {
      const broker = await requireBroker(db, slug);
      const [draft, writable] = await Promise.all([
        findDraft(db, writer, kind, broker.keys),
        attempt(() => requireWritable(kind, broker)),
      ]);
      const isKept = draft !== undefined && draft.endsAt > clock();
      return {
        draft: isKept ? toDraftView(draft) : undefined,
        obstacle: 'refused' in writable ? writable.refused : undefined,
        faults: isKept ? await check(kind, broker.slug, draft.fields) : [],
        advice: isKept ? advise(kind, draft.fields) : [],
        publicName: writer.principal.displayName,
      };
    },
    save: async (kind: WrittenKind, slug: string, given: Readonly<Record<string, string | undefined>>) => {
      const broker = await requireBroker(db, slug);
      const fields = pickFields(kind, given);
      const isKept = isTyped(fields);
      const draft = isKept ? await saveDraft(context, writer, { kind, broker, fields }) : undefined;
      if (!isKept) await discardDraft(context, writer, kind, broker.keys);
      await committed(context, accountId);
      if (isKept && !draft) return { most: MOST_DRAFTS };
      return { faults: await check(kind, broker.slug, fields) };
    },
    discard: async (kind: WrittenKind, slug: string): Promise<void> => {
      const { keys } = await requireBroker(db, slug);
      await discardDraft(context, writer, kind, keys);
    },
    send: createSend(parts, writer),
    listDrafts: async () => {
      const drafts = await listDrafts(db, writer, clock());
      const find = await resolveSlugs(
        db,
        drafts.map(({ broker }) => broker),
      );
      return drafts.flatMap(({ kind, broker, endsAt }) => {
        const named = find(broker); // a broker can be gone, after a merger that was undone
        return named ? [{ kind, slug: named.slug, name: named.name, endsAt: endsAt.toISOString() }] : [];
      });
    },
  };
};
