import { ReviewSubmission, SCOPES } from '@broker-transparency/contract';
import { createToken, verifyToken } from '../../features/accounts/actions.ts';
import { importBrokers } from '../../features/brokers/actions.ts';
import { requireBroker } from '../../features/brokers/facts.ts';
import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import { submitComplaint } from '../../features/complaints/actions.ts';
import { decideReview } from '../../features/moderation/actions.ts';
import { submitReview } from '../../features/reviews/actions.ts';
import { decideMatch } from '../../features/warnings/actions.ts';
import type { About } from '../../features/warnings/decide.rule.ts';
import { toWarningId, WarningEntry, type WarningList } from '../../features/warnings/warning.rule.ts';
import type { Principal } from '../../http/auth/access.ts';
import { importList } from '../../intake/warnings/import.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { subtractDays } from './calendar.ts';

/* Events of the stories of a demo: people and authorities act by the actions of the service. */

/** The moment of an event, and its actors. */
export interface StoryMoment {
  /** The context of the actor at the time of the event. */
  readonly context: Context;
  /** The context of a second person at the same time, who checks the first one's action. */
  readonly second: Context;
  /** The last day of the demo. */
  readonly anchor: Date;
  /** Ids and references that later events of a story need, by name. */
  readonly known: Map<string, string>;
  /** The last statement about each firm of the stories, by its slug. */
  readonly firms: Map<string, BrokerRecord>;
}

/** An event of a story. */
export type StoryAction = (moment: StoryMoment) => Promise<unknown>;

/** Returns a record whose registers and other sources were checked on the day before. */
const withChecks = (record: BrokerRecord, at: Date): BrokerRecord => {
  const lookedAt = subtractDays(at, 1).toISOString();
  return {
    ...record,
    licensesCheckedAt: lookedAt,
    checklist: record.checklist.map((item) => (item.checkedAt === null ? item : { ...item, checkedAt: lookedAt })),
    provenance: record.provenance.map((one) => ({ ...one, lastVerifiedAt: lookedAt })),
    ...(record.licenses ? { licenses: record.licenses.map((one) => ({ ...one, lastVerifiedAt: lookedAt })) } : {}),
  };
};

/** Checks the sources of firms, and states their facts. */
export const lookAndState =
  (...records: readonly BrokerRecord[]): StoryAction =>
  async ({ context, firms }) => {
    const looked = records.map((record) => withChecks(record, context.clock()));
    await importBrokers(context, looked, 'demo');
    for (const record of looked) firms.set(record.slug, record);
  };

/** Changes facts of a firm that was stated earlier. */
export const restate =
  (slug: string, change: (record: BrokerRecord) => Partial<BrokerRecord>): StoryAction =>
  (moment) => {
    const record = moment.firms.get(slug) as BrokerRecord;
    return lookAndState({ ...record, ...change(record) })(moment);
  };

/** Changes the licence of a firm at one regulator, a number of days before the last day. */
export const changeLicense = (
  slug: string,
  regulatorCode: string,
  { status, days }: { readonly status: LicenseRecord['status']; readonly days: number },
): StoryAction => {
  const isMeant = (license: LicenseRecord): boolean => license.regulatorCode === regulatorCode;
  return (moment) => {
    const statusEffectiveAt = subtractDays(moment.anchor, days).toISOString();
    return restate(slug, ({ licenses = [] }) => ({
      licenses: licenses.map((one) => (isMeant(one) ? { ...one, status, statusEffectiveAt } : one)),
    }))(moment);
  };
};

/** Returns an author whose identity was verified in the first hours of the demo. */
const findAuthor = async ({ context, known, anchor }: StoryMoment, name: string): Promise<Principal> => {
  const token = known.get(`author ${name}`) as string;
  const author = await verifyToken(context.db, context.clock, () => {})(token);
  if (!author) throw new Error(`${name} is no author before ${anchor.toISOString()}`);
  return author;
};

/** Verifies the identity of people who write later. */
export const verifyAuthors =
  (...names: readonly string[]): StoryAction =>
  async ({ context, known, anchor }) => {
    for (const name of names) {
      const { token } = await createToken(context, {
        subject: `demo-${name}`,
        displayName: `demo author ${name}`,
        scopes: SCOPES,
        expiresAt: anchor,
        label: 'demo',
        kyc: { status: 'verified', person: `demo-${name}` },
        reason: 'demo',
      });
      known.set(`author ${name}`, token);
    }
  };

/** A review that one of the authors writes. */
interface Opinion {
  readonly by: string;
  readonly rating: number;
  readonly title: string;
  readonly content: string;
}

/** Writes a review. A moderator has to publish it. */
export const writeReview =
  (slug: string, { by, ...opinion }: Opinion): StoryAction =>
  async (moment) => {
    const author = await findAuthor(moment, by);
    const broker = await requireBroker(moment.context.db, slug);
    const submission = ReviewSubmission.parse({ broker: slug, language: 'en', ...opinion });
    const { _id } = await inTransaction(moment.context, (c) => submitReview(c, author, submission, broker));
    moment.known.set(`review ${slug} ${by}`, String(_id));
  };

/** Returns the id of the review of a broker by an author. */
export const findReviewId = ({ known }: StoryMoment, slug: string, by: string): string =>
  known.get(`review ${slug} ${by}`) as string;

/** Publishes the review of a broker by an author. */
export const publishReview =
  (slug: string, by: string): StoryAction =>
  (moment) =>
    decideReview(moment.context, findReviewId(moment, slug, by), { kind: 'publish' });

/** Sends a complaint about a withdrawal. */
export const sendComplaint =
  (slug: string, by: string, text: { readonly title: string; readonly content: string }): StoryAction =>
  async (moment) => {
    const author = await findAuthor(moment, by);
    const { key: broker } = await requireBroker(moment.context.db, slug);
    const submission = { broker, category: 'withdrawal', consentToForward: true, ...text } as const;
    const { _id } = await inTransaction(moment.context, (c) => submitComplaint(c, author, submission, 1));
    moment.known.set(`complaint ${slug}`, _id);
  };

/** Does something with the complaint about a broker. */
export const withComplaint =
  (slug: string, act: (context: Context, reference: string) => Promise<unknown>): StoryAction =>
  ({ context, known }) =>
    act(context, known.get(`complaint ${slug}`) as string);

const LIST = 'demo-warnings';
const AUTHORITY = { code: null, name: 'Demo Warning List' };

const createWarningEntry = (id: string, at: Date, given: Partial<WarningEntry>): WarningEntry =>
  WarningEntry.parse({
    authority: AUTHORITY,
    id,
    url: `https://warnings.example/${id}`,
    category: '[Demo] Firm without authorisation',
    publishedAt: subtractDays(at, 1).toISOString(),
    ...given,
  });

const findWarningId = (id: string): string => toWarningId(LIST, createWarningEntry(id, new Date(0), {}));

/** Reads an invented authority's list on the day after it published a warning. */
export const readWarning =
  (id: string, given: Partial<WarningEntry>): StoryAction =>
  ({ context }) => {
    const at = context.clock();
    const list: WarningList = {
      source: LIST,
      url: 'https://warnings.example',
      isFull: false,
      asOf: at.toISOString(),
      sha256: findWarningId(id)
        .padEnd(64, '0')
        .replaceAll(/[^0-9a-f]/g, '0')
        .slice(0, 64),
      credit: null,
      entries: [createWarningEntry(id, at, given)],
    };
    return importList(context, { list, fileName: `${id}.json`, license: null, attribution: null });
  };

/** Confirms that a warning is about a broker, or about a clone of it. */
export const confirmWarning =
  (id: string, slug: string, about: About): StoryAction =>
  ({ context }) =>
    decideMatch(context, findWarningId(id), slug, { kind: 'confirm', about });

/** Withdraws a warning that was published about a broker by mistake, as a second person. */
export const undoWarning =
  (id: string, slug: string): StoryAction =>
  ({ second }) =>
    decideMatch(second, findWarningId(id), slug, { kind: 'undo' });
