import type { Customer, StoredEndpoint } from './customers.ts';
import type { NumberedEntry } from './record.ts';
import type { State } from './state.ts';
import { requireWatchlist } from './watchlists.ts';
import { signWebhook, type WebhookDraft } from './webhook.ts';

/**
 * Sends a signed request to the receiver of an endpoint.
 * @example const send: SendWebhook = (request) => webhookHandler({ secrets, onEvent }).web(request);
 */
export type SendWebhook = (request: Request) => Promise<Response>;

/**
 * A webhook that a test server has sent.
 * @example const sent: SentWebhook[] = await server.deliverWebhooks();
 */
export interface SentWebhook {
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Number of the entry that it is about. */
  readonly number: number;
  /** Status of the answer; null: none came. */
  readonly status: number | null;
}

/** Time for an answer, in milliseconds. */
const ANSWER_MS = 15_000;
/** Time after which a failing endpoint is paused, in milliseconds. */
const PAUSE_MS = 5 * 86_400_000;
const RETRY_MS = 5_000;

/** The answer of a receiver. */
export interface ReceiverAnswer {
  readonly status: number | null;
  /** Null: the receiver has accepted the event. */
  readonly problem: string | null;
}

/** Returns the secrets of an endpoint that have not ended. */
export const findSecrets = ({ secrets }: StoredEndpoint, at: Date): StoredEndpoint['secrets'] =>
  secrets.filter(({ endsAt }) => endsAt === null || endsAt > at.toISOString());

/** Sends a message to an endpoint. */
export const sendMessage = async (
  endpoint: StoredEndpoint,
  message: Pick<WebhookDraft, 'id' | 'event'>,
  send: SendWebhook,
  at: Date,
): Promise<ReceiverAnswer> => {
  const secret = findSecrets(endpoint, at).map((one) => one.secret);
  const request = await signWebhook({ ...message, url: endpoint.url, secret });
  try {
    const { status } = await send(new Request(request, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }));
    return { status, problem: status >= 200 && status < 300 ? null : `answers ${status}` };
  } catch (error) {
    return { status: null, problem: `does not answer: ${error instanceof Error ? error.message : error}` };
  }
};

/** Returns the current slugs of the brokers on a watchlist; undefined if the endpoint follows none. */
const findWatched = (customer: Customer, { watchlist }: StoredEndpoint, state: State): readonly string[] | undefined =>
  watchlist === null ? undefined : requireWatchlist(customer, watchlist, state).brokers;

const isWanted = ({ kind, subject }: NumberedEntry, endpoint: StoredEndpoint, watched?: readonly string[]): boolean =>
  (endpoint.kinds === null || endpoint.kinds.includes(kind)) &&
  (watched === undefined || watched.some((slug) => subject === `broker/${slug}`));

/**
 * Returns an endpoint after an event was sent to it. Its owner may have paused it meanwhile, or sent it back to another
 * number: it stays so.
 */
const applyAnswer = (
  endpoint: StoredEndpoint,
  number: number,
  { status, problem }: ReceiverAnswer,
  now: Date,
): StoredEndpoint => {
  const at = now.toISOString();
  const addTime = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  const next = endpoint.next === number ? number + 1 : endpoint.next;
  const isPaused = endpoint.state === 'paused';
  if (problem === null) {
    const state = isPaused ? 'paused' : 'active';
    return { ...endpoint, next, lastDeliveredAt: at, failing: null, state };
  }
  const failures = [{ at, number, problem }, ...endpoint.failures].slice(0, 10);
  if (isPaused) return { ...endpoint, failures };
  if (status === 410) return { ...endpoint, failures, state: 'paused', paused: { at, why: 'gone' } };
  const { since, attempts, pausesAt } = endpoint.failing ?? { since: at, attempts: 0, pausesAt: addTime(PAUSE_MS) };
  const failing = { since, attempts: attempts + 1, nextTryAt: addTime(RETRY_MS), pausesAt, problem };
  if (at >= pausesAt) return { ...endpoint, failures, failing, state: 'paused', paused: { at, why: 'failing' } };
  return { ...endpoint, failures, failing, state: 'failing' };
};

/** Sends an endpoint what is due, in the order of the entries, until one is not accepted. */
const deliverTo = async (
  customer: Customer,
  { id }: StoredEndpoint,
  state: State,
  send: SendWebhook,
  getTime: () => Date,
): Promise<SentWebhook[]> => {
  const sent: SentWebhook[] = [];
  for (const entry of state.record.entries) {
    const endpoint = customer.endpoints.get(id);
    if (endpoint === undefined || endpoint.state === 'paused') break;
    const { number, kind, key, time } = entry;
    if (number !== endpoint.next) continue;
    if (!isWanted(entry, endpoint, findWatched(customer, endpoint, state))) {
      customer.endpoints.set(id, { ...endpoint, next: number + 1 });
      continue;
    }
    const event = { type: 'entry.published', timestamp: time, data: { number, kind, key } };
    const answer = await sendMessage(endpoint, { id: `${id}_${number}`, event }, send, getTime());
    sent.push({ endpoint: id, number, status: answer.status });
    const known = customer.endpoints.get(id);
    if (known === undefined) break; // its owner has removed it meanwhile
    customer.endpoints.set(id, applyAnswer(known, number, answer, getTime()));
    if (answer.problem !== null) break;
  }
  return sent;
};

/** Sends every endpoint what is due. */
export const deliverWebhooks = async (
  customers: readonly Customer[],
  state: State,
  send: SendWebhook,
  getTime: () => Date,
): Promise<SentWebhook[]> => {
  const sent: SentWebhook[] = [];
  for (const customer of customers)
    for (const endpoint of customer.endpoints.values())
      sent.push(...(await deliverTo(customer, endpoint, state, send, getTime)));
  return sent;
};
