import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Idempotency, RouteMeta } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { isDuplicateKey, isWriteConflict } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';
import { type Principal, requirePrincipal } from '../auth/access.ts';
import { unavailable } from '../problem/error-handler.ts';
import { ProblemError } from '../problem/problem.ts';

const KEPT_MS = 24 * 3_600_000;

interface StoredAnswer {
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  readonly body: unknown;
  readonly createdAt: Date;
}

/** Answers of POSTs by account, route and key; the database deletes them after a day. */
const Answers = defineModel(
  'IdempotentAnswer',
  new Schema<StoredAnswer>(
    { _id: String, accountId: String, fingerprint: String, body: Schema.Types.Mixed, createdAt: Date },
    STRICT,
  )
    .index({ createdAt: 1 }, { expireAfterSeconds: KEPT_MS / 1000 })
    .index({ accountId: 1 }),
  'idempotentAnswers',
);

/** Identity of a POST, to recognise its repetition. */
interface IdempotentRequest {
  readonly accountId: string;
  readonly route: string;
  readonly key: string | undefined;
  readonly policy: Idempotency;
  readonly body: unknown;
}

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

const toAnswerId = ({ accountId, route, key, policy, body }: IdempotentRequest): string | undefined => {
  const name = key === undefined ? (policy === 'key-or-body' ? `body:${hash(body)}` : undefined) : `key:${key}`;
  return name && `${accountId} ${route} ${name}`;
};

/**
 * Returns an earlier answer to the same request; undefined if there is none.
 * @throws ProblemError if the key had another body, or a majority does not have the answer yet
 */
const findAnswer = async (db: Db, id: string, fingerprint: string, now: Date): Promise<unknown> => {
  const isTaken = await Answers(db).exists({ _id: id }).readConcern('local').maxTimeMS(500).exec();
  if (!isTaken) return undefined;
  const stored = await Answers(db).findById(id).maxTimeMS(500).lean<StoredAnswer>().exec();
  if (!stored) throw unavailable(new Error('the key is taken, but a majority does not have the answer yet'));
  if (stored.createdAt.getTime() <= now.getTime() - KEPT_MS) {
    await Answers(db).deleteOne({ _id: id, createdAt: stored.createdAt }); // the database has not deleted it yet
    return undefined;
  }
  if (stored.fingerprint === fingerprint) return stored.body;
  throw new ProblemError('idempotency_key_reused', 'This Idempotency-Key was sent with another body before.');
};

/**
 * Runs `work` in a transaction, at most once per key: a repetition gets the stored answer. The key is written first, so
 * that a simultaneous second request fails there instead of waiting.
 */
const runIdempotent = async <T>(
  context: Context,
  request: IdempotentRequest,
  work: (c: TxContext) => Promise<T>,
): Promise<{ body: T; replayed: boolean }> => {
  const id = toAnswerId(request);
  if (id === undefined) return { body: await inTransaction(context, work), replayed: false };
  const fingerprint = hash(request.body);
  const earlier = await findAnswer(context.db, id, fingerprint, context.clock());
  if (earlier !== undefined) return { body: earlier as T, replayed: true };
  try {
    const body = await inTransaction(context, async (c) => {
      const answer = { _id: id, accountId: request.accountId, fingerprint, body: null, createdAt: c.now };
      await Answers(c.db)
        .collection.insertOne(answer as never, { session: c.tx })
        .catch((error: unknown) => {
          throw isWriteConflict(error) ? createInProgressProblem() : error;
        });
      const result = await work(c);
      await Answers(c.db).collection.updateOne({ _id: id as never }, { $set: { body: result } }, { session: c.tx });
      return result;
    });
    return { body, replayed: false };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const stored = await findAnswer(context.db, id, fingerprint, context.clock());
    if (stored === undefined) throw unavailable(error); // it is too old, or was undone
    return { body: stored as T, replayed: true };
  }
};

const createInProgressProblem = (): ProblemError =>
  new ProblemError('idempotency_in_progress', 'The first request with this key has not finished.', {
    headers: { 'Retry-After': '1' },
  });

/** The part of a request that an answer needs. */
interface PostRequest extends Pick<IncomingMessage, 'context'> {
  readonly tsRestRoute: { readonly metadata: unknown };
  readonly baseUrl: string;
  readonly path: string;
  get(header: string): string | undefined;
}

/** Reads the key, bare or quoted (the header is a structured string in the IETF draft). */
const parseIdempotencyKey = (header: string | undefined): string | undefined =>
  /^"(.*)"$/.exec(header ?? '')?.[1] ?? header;

/** A POST with its account and its contents. */
interface Submission {
  readonly req: PostRequest;
  readonly body: unknown;
}

/** Answers a POST once per idempotency key: 201 with the result of `work`, new or stored. */
export type IdempotentRunner = <T>(
  submission: Submission,
  work: (c: TxContext, principal: Principal) => Promise<T>,
) => Promise<{ status: 201; body: T }>;

/** A request of a person, made by a page. */
interface PageSubmission {
  readonly author: Principal;
  /** Path that names the action. */
  readonly route: string;
  readonly key: string;
  readonly body: unknown;
}

/** Runs `work` once per account, route and key. A repetition gets the stored result. */
export type RunOnce = <T>(
  submission: PageSubmission,
  work: (c: TxContext, author: Principal) => Promise<T>,
) => Promise<T>;

/** Runs after a commit for an account: it takes back what was written for one that was erased meanwhile. */
export type CommitHook = (context: Context, accountId: string) => Promise<void>;

/** Creates the function that runs what pages do for people. */
export const createRunOnce =
  (db: Db, clock: Clock, committed: CommitHook): RunOnce =>
  async ({ author, route, key, body }, work) => {
    const { accountId } = author;
    const context: Context = { actor: { type: 'account', accountId }, clock, db };
    const request = { accountId, route, key, policy: 'key', body } as const;
    const result = await runIdempotent(context, request, (c) => work(c, author));
    await committed(context, accountId);
    return result.body;
  };

/** Creates the function that answers POSTs of the APIs. */
export const createIdempotentRunner =
  (db: Db, clock: Clock, committed: CommitHook): IdempotentRunner =>
  async ({ req, body }, work) => {
    const acceptLanguage = req.get('Accept-Language');
    const principal = { ...requirePrincipal(req), ...(acceptLanguage === undefined ? {} : { acceptLanguage }) };
    const { accountId } = principal;
    const context: Context = { actor: { type: 'account', accountId }, clock, db };
    const request = {
      accountId,
      route: `${req.baseUrl}${req.path}`,
      key: parseIdempotencyKey(req.get('Idempotency-Key')),
      policy: (req.tsRestRoute.metadata as RouteMeta).idempotency ?? 'key',
      body,
    };
    const result = await runIdempotent(context, request, (c) => work(c, principal));
    await committed(context, accountId);
    if (result.replayed) req.context.headers['Idempotent-Replayed'] = 'true';
    return { status: 201, body: result.body };
  };

/** Returns the stored answers of these accounts. */
export const findStoredAnswers = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Answers(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<StoredAnswer[]>()
    .exec();

/** Deletes up to `limit` stored answers. Returns their number. */
export const deleteStoredAnswers = async (accountIds: readonly string[], limit: number, tx: Tx): Promise<number> => {
  const answers = await findStoredAnswers(accountIds, tx, limit);
  await Answers(tx.db)
    .deleteMany({ _id: { $in: answers.map(({ _id }) => _id) } })
    .session(tx);
  return answers.length;
};
