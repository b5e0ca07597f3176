import { type BrokerValue, entryKey } from '@broker-transparency/contract/record';
import { canonicalJson, parseEntryExtra, parseProof } from '@broker-transparency/log';
import type { AnswerVerifier } from '../answer-verifier.ts';
import type { AnswerCheck, ApiResponse } from '../api-response.ts';
import type { Difference } from '../audit/compare.ts';
import { reviewKey } from '../audit/expected.ts';
import { checkedTimeout, pause, within } from '../deadline.ts';
import { AnswerError, RequestError } from '../errors.ts';
import type { BrokerDetail, Review } from '../generated/api.ts';
import type { BrokerAt } from '../generated/record.ts';
import { type RecordCalls, record as recordFamily } from '../record.ts';
import type { Settings } from '../settings.ts';
import type { VerifiedCheckpoint } from '../verify/checkpoint.ts';
import { parsing, VerifyError } from '../verify/error.ts';
import { readPolicy } from '../verify/policy.ts';
import { type AnswerLevel, decideLevel } from './answer-level.ts';
import {
  type ComparedAnswer,
  canScore,
  compareBrokerAnswer,
  compareReviewAnswer,
  type DayScore,
  describeMalformed,
  findProfile,
  listBrokerAnswerKeys,
  listBrokerTexts,
  listReviewTexts,
  type NamedBroker,
  nameBroker,
} from './broker-answer.ts';
import { ContradictionError } from './contradiction.ts';
import { brokerKey, type Evidence, type EvidenceQuery, readEvidence } from './evidence.ts';
import { type CheckpointStore, createGrowthCheck } from './growth.ts';

/**
 * The worth of an answer, or of an item of a list.
 * @example const isKnown = ({ level }: AnswerProof) => level === 'logged' || level === 'witnessed';
 */
export interface AnswerProof {
  readonly level: AnswerLevel;
  /** Why the level is not a higher one; undefined for `witnessed`. */
  readonly why: string | undefined;
  /** The entries of the record that it rests on. */
  readonly entries: readonly { readonly number: number; readonly key: string }[];
  /**
   * Paths of fields that these entries do not determine, such as `licenses[].lastVerifiedAt`. All other fields follow
   * from them. `recentReviews.length` says that each review is in the log, but not that they are all.
   */
  readonly unproven: readonly string[];
  /** The checkpoint that covers these entries; undefined without a signed log. */
  readonly checkpoint: VerifiedCheckpoint | undefined;
  /**
   * Since when the log is known to have only grown: a checkpoint in the `store`, or the first one of this `process`.
   */
  readonly growth: 'store' | 'process';
}

/**
 * Options of {@link verifier}.
 * @example const options: VerifierOptions = { store: { load: () => readKept(), save: (text) => writeKept(text) } };
 */
export interface VerifierOptions {
  /** Keeps the newest checkpoint. Without it, growth is checked in this process only. */
  readonly store?: CheckpointStore | undefined;
  /** Waits for milliseconds, and rejects once the signal is aborted; a test need not wait. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Options of `settle` of a {@link Verifier}. */
interface SettleOptions {
  /** Milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Verifies the answers of a client, which gets it as `verify`.
 * @example const show = (verify: Verifier, answer: object) => console.log(verify.readProof(answer)?.level);
 */
export interface Verifier extends AnswerVerifier {
  /** Returns what an answer of the client is worth, or an item of its list; undefined for any other object. */
  readonly readProof: (answer: object) => AnswerProof | undefined;
  /**
   * Waits until a checkpoint covers a `pending` answer, and checks it. Returns what it is worth then, or after
   * `timeoutMs` (60 000 by default).
   * @throws VerifyError if the log has something else
   * @throws the reason of an aborted `signal`, or as calls of the client do
   * @throws RangeError if `timeoutMs` is not above 0
   * @throws TypeError if the answer is not one of a client with this verifier
   */
  readonly settle: (answer: object, options?: SettleOptions) => Promise<AnswerProof>;
}

/** Milliseconds between tries. An answer can be newer than the record, which has a change within a second or so. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
const COVERED_PAUSE_MS = 2_000;
const SETTLE_MS = 60_000;
/** Milliseconds for which the record is asked about an answer, besides `maxWaitMs` for its budget. */
const VERIFY_MS = 60_000;
/** Milliseconds for which caches keep an answer, and more. */
const STALE_MS = 120_000;
/** Earlier states of a broker that an answer is compared with. */
const EARLIER_STATES = 10;
/** Above every number of an entry. */
const NO_NUMBER = 999_999_999;

interface KnownProof {
  readonly proof: AnswerProof;
  /** Reads the same entries again. */
  readonly again: (signal: AbortSignal) => Promise<AnswerProof>;
}

/** The parts of a verification that its steps need. */
interface Verification {
  readonly answer: ApiResponse;
  readonly record: RecordCalls;
  readonly signal: AbortSignal;
  readonly read: (query: Omit<EvidenceQuery, 'signal'>) => Promise<Evidence>;
  readonly keep: (about: object, found: MatchedAnswer) => void;
  /** Leaves the answer unsigned. */
  readonly giveUp: (why: string) => void;
  readonly wait: (ms: number) => Promise<void>;
  /** Entries after this time may be missing in the answer. */
  readonly freshSince: number;
}

/** An answer, or an item, that the record does not contradict. */
interface MatchedAnswer {
  readonly compared: Pick<ComparedAnswer, 'unproven' | 'score'>;
  readonly evidence: Evidence;
  readonly keys: readonly string[];
  readonly knownAt: number | undefined;
}

const isMissing = (error: unknown): boolean => error instanceof AnswerError && error.status === 404;

/** Resolves with undefined if there is no such thing. */
const unlessMissing = <T>(call: PromiseLike<T>): Promise<T | undefined> =>
  Promise.resolve(call).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Returns the score of the newest day of the log; undefined if it has none. */
const readDay = async ({ record, signal }: Verification, slug: string): Promise<DayScore | undefined> => {
  const found = await unlessMissing(record.brokers.proof(slug, {}, { signal }));
  if (!found) return undefined;
  const { day } = parsing('malformed', 'the proof of the day', () =>
    parseEntryExtra(parseProof(found.proof).extra ?? new Uint8Array()),
  );
  return day && found.date !== undefined ? { key: entryKey('day', found.date), part: day } : undefined;
};

const OTHER_FORM = /* @__PURE__ */ new Error("the record's answer has another form");

/** @throws OTHER_FORM, which leaves the answer unsigned */
const requireForm = (isRight: boolean): void => {
  if (!isRight) throw OTHER_FORM;
};

/** Returns the newest changes of a broker. */
const readHistory = async ({ record, signal }: Verification, slug: string, limit: number) => {
  const { data } = await record.brokers.history(slug, { before: NO_NUMBER, limit }, { signal });
  requireForm(Array.isArray(data));
  return data;
};

/** Returns what the record says of a broker; undefined if it has none. */
const readAt = async ({ record, signal }: Verification, slug: string, query: { readonly knownAt?: number } = {}) => {
  const at = await unlessMissing(record.brokers.at(slug, query, { signal }));
  if (at)
    requireForm(
      [at.facts, at.ratingsByMonth].every(Array.isArray) &&
        at.facts.every((fact) => typeof fact?.key === 'string' && fact.value instanceof Object) &&
        typeof at.score?.methodologyVersion === 'string',
    );
  return at;
};

/** Yields what the record says of a broker now, and what it said while the answer may have been kept by a cache. */
async function* readStates(steps: Verification, slug: string): AsyncGenerator<BrokerAt, void, undefined> {
  const { freshSince } = steps;
  const now = await readAt(steps, slug);
  if (!now) return;
  yield now;
  const data = await readHistory(steps, slug, EARLIER_STATES);
  for (const [step, { time }] of [...data.entries()].reverse()) {
    const before = data[step - 1];
    if (!before || Date.parse(time) < freshSince) return;
    const at = await readAt(steps, slug, { knownAt: before.number });
    if (at) yield at;
  }
}

/** Returns the difference of an answer about another broker than was asked for. */
const compareAddress = ({ answer: { request } }: Verification, slug: string): Difference[] => {
  const asked = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.split('/').at(-1) as string);
  return asked === slug ? [] : [{ path: 'slug', answer: slug, log: asked }];
};

/** @throws ContradictionError if nothing changed since the newest day, and its score is another one */
const requireChange = async (steps: Verification, slug: string, day: DayScore): Promise<void> => {
  const [last] = await readHistory(steps, slug, 1);
  const date = day.key.split('/')[1] as string;
  if (!last || Date.parse(last.time) >= Date.parse(date)) return;
  const log = `another score at the beginning of ${date}`;
  throw new ContradictionError(slug, [{ path: 'ratingsByMonth', answer: 'what gives one score', log }], steps.answer);
};

/**
 * Creates a function for errors of a comparison. Any other than a {@link VerifyError} is the answer's fault: a field of
 * another form than the contract's breaks the comparison.
 */
const createRefusal =
  ({ answer }: Verification, about: string, describe: (error: Error) => readonly Difference[]) =>
  (error: unknown): never => {
    throw error instanceof VerifyError ? error : new ContradictionError(about, describe(error as Error), answer);
  };

/** A state of the record to compare an answer with. */
interface StateToCompare {
  readonly at: BrokerAt;
  /** For an earlier state: the entries of the newest one. */
  readonly newest: Evidence['entries'] | undefined;
  readonly day: DayScore | undefined;
}

/** Compares an answer with one state of the record. */
const compareState = async (
  steps: Verification,
  { at, newest, day }: StateToCompare,
): Promise<MatchedAnswer & { readonly compared: ComparedAnswer }> => {
  const broker = steps.answer.data as BrokerDetail;
  const refuse = createRefusal(steps, broker.slug, (error) => describeMalformed(broker, error));
  const list = async () => [listBrokerAnswerKeys(broker, at, day), listBrokerTexts(broker, at)] as const;
  const [keys, texts] = await list().catch(refuse);
  const evidence = await steps.read({ keys, knownAt: at.knownAt, texts, newest });
  const old = newest !== undefined;
  const compared = await compareBrokerAnswer(broker, at, { day, evidence, isOld: old }).catch(refuse);
  return { compared, evidence, keys, knownAt: at.knownAt };
};

/** Compares an answer with one state after the other, and the newest again after a while. */
const verifyBroker = async (steps: Verification): Promise<void> => {
  const broker = steps.answer.data as BrokerDetail;
  const { slug } = broker;
  const other = compareAddress(steps, slug);
  if (other.length > 0) throw new ContradictionError(slug, other, steps.answer);
  let day: DayScore | undefined;
  for (let tries = 0; ; tries++) {
    let first: (MatchedAnswer & { readonly compared: ComparedAnswer }) | undefined;
    for await (const at of readStates(steps, slug)) {
      if (!canScore(at))
        return steps.giveUp(`this package does not know the methodology ${at.score.methodologyVersion}`);
      day ??= await readDay(steps, slug);
      const found = await compareState(steps, { at, newest: first?.evidence.entries, day });
      const { differences, score } = found.compared;
      if (differences.length === 0) {
        if (day && score === 'unconfirmed' && !first) await requireChange(steps, slug, day);
        return steps.keep(broker, found);
      }
      first ??= found;
    }
    const pause = PAUSES_MS[tries];
    const differences = first?.compared.differences ?? [{ path: 'slug', answer: slug, log: undefined }];
    if (pause === undefined) throw new ContradictionError(slug, differences, steps.answer);
    await steps.wait(pause);
  }
};

/** Returns a broker as entries have it. It may be mute if its entry is newer than the answer. */
const readBroker = async (steps: Verification, slug: string): Promise<NamedBroker> => {
  const key = brokerKey(slug);
  const { entries } = await steps.read({ keys: [key], texts: new Map() });
  const entry = entries.get(key);
  const value = entry?.value as BrokerValue | null | undefined;
  if (entry && value?.slug === slug) {
    const named = nameBroker(slug, key, value);
    return { ...named, isMute: named.isMute || Date.parse(entry.time) >= steps.freshSince };
  }
  const at = await readAt(steps, slug); // it was renamed
  const profile = at && findProfile(at);
  return profile
    ? nameBroker(slug, profile.key, profile.value as unknown as BrokerValue)
    : { slug, names: [], isMute: false };
};

/** Compares each review of a list with its entry. */
const verifyReviews = async (steps: Verification): Promise<void> => {
  const { answer, read, keep, wait, freshSince } = steps;
  const slug = new URL(answer.request.url, 'http://localhost').searchParams.get('broker') ?? '';
  const { data } = answer.data as { readonly data: readonly Review[] };
  const refuse = createRefusal(steps, 'reviews', ({ message }) => [{ path: 'data', answer: message, log: undefined }]);
  try {
    if (!data.every(({ id }) => typeof id === 'string' && reviewKey(id))) throw new TypeError('no list of reviews');
  } catch (error) {
    refuse(error);
  }
  let open = [...data.entries()];
  for (let tries = 0; open.length > 0; tries++) {
    const broker = await readBroker(steps, slug);
    let left = open;
    let knownAt: number | undefined;
    let differences: Difference[] | undefined;
    let newest: Evidence['entries'] | undefined;
    for (let state = 0; left.length > 0 && state < EARLIER_STATES; state++) {
      const keys = left.map(([, { id }]) => reviewKey(id));
      const texts = new Map(left.map(([, review]) => listReviewTexts(review)));
      const evidence = await read({ keys, knownAt, texts, newest });
      newest ??= evidence.entries;
      const found: Difference[] = [];
      const fresh: number[] = [];
      try {
        left = left.filter(([at, review]) => {
          const key = reviewKey(review.id);
          const compared = compareReviewAnswer(review, broker, evidence, knownAt !== undefined);
          if (compared.differences.length === 0) {
            keep(review, { compared, evidence, keys: [key], knownAt });
            return false;
          }
          const entry = evidence.entries.get(key);
          if (entry && Date.parse(entry.time) >= freshSince) fresh.push(entry.number);
          found.push(...compared.differences.map((each) => ({ ...each, path: `data[${at}].${each.path}` })));
          return true;
        });
      } catch (error) {
        refuse(error);
      }
      differences ??= found;
      if (fresh.length === 0) break;
      knownAt = Math.min(...fresh) - 1;
      if (knownAt < 0) break;
    }
    open = left;
    const pause = PAUSES_MS[tries];
    if (open.length === 0) return;
    if (pause === undefined) throw new ContradictionError('reviews', differences ?? [], answer);
    await wait(pause);
  }
};

/** The calls whose answers the record proves. */
const VERIFICATIONS: Readonly<Record<string, (steps: Verification) => Promise<void>>> = {
  'brokers.get': verifyBroker,
  'reviews.list': verifyReviews,
};

/** Returns the time of an answer: that of its server, since the clock here may be fast. */
const readTime = ({ response }: ApiResponse): number =>
  Math.min(Date.now(), Date.parse(response.headers.get('date') ?? '') || Infinity);

/** Faults of the policy or the platform, which say nothing of the answer. */
const NOT_THE_ANSWER = ['unsupported', 'invalid_policy', 'unknown_log', 'not_signed'];

/**
 * Returns why the record could not be read, if that says nothing of the answer.
 * @throws the error itself, or as a contradiction, if the answer is at fault
 */
const explainFault = (error: unknown, toContradiction: (cause: VerifyError) => Error): string => {
  if (error instanceof VerifyError && !NOT_THE_ANSWER.includes(error.code)) throw toContradiction(error);
  if (error === OTHER_FORM) return OTHER_FORM.message;
  if (error instanceof ContradictionError || !(error instanceof RequestError)) throw error;
  return `the record could not be asked: ${error.message}`;
};

/**
 * Verifies each answer of a client by the record and its signed log. An answer that the record contradicts is a
 * {@link ContradictionError}.
 * @param policy a policy file (c2sp.org/tlog-policy): which logs and witnesses you trust
 * @example
 * const verify = verifier(`log ${key}\nquorum none\n`);
 * const client = createClient({ baseUrl: 'https://brokers.example', verify });
 * const broker = await client.brokers.get('alpha-markets');
 * console.log(verify.readProof(broker)?.level);
 */
export const verifier = (policy: string, options: VerifierOptions = {}): Verifier => {
  const { store, wait = pause } = options;
  const proofs = new WeakMap<object, KnownProof>();
  let trusted: ReturnType<typeof readPolicy> | undefined;
  const growth = store ? 'store' : 'process';
  const check = createGrowthCheck(() => {
    trusted ??= readPolicy(policy);
    return trusted;
  }, store);

  const toProof = ({ compared, evidence }: Pick<MatchedAnswer, 'compared' | 'evidence'>): AnswerProof => {
    const { entries, uncovered, checkpoint } = evidence;
    const found = { entries: entries.size, uncovered: uncovered.size, signed: checkpoint?.level };
    return {
      ...decideLevel({ ...found, score: compared.score }),
      entries: [...entries.values()].map(({ number, key }) => ({ number, key })),
      unproven: compared.unproven,
      checkpoint,
      growth,
    };
  };
  const keepUnsigned = (about: object, why: string): void => {
    const nothing = { entries: [], unproven: ['*'], checkpoint: undefined };
    const proof: AnswerProof = { level: 'unsigned', why, growth, ...nothing };
    proofs.set(about, { proof, again: async () => proof });
  };

  const connect = (settings: Settings): AnswerCheck => {
    const calls = { ...settings, pace: settings.pace ?? true, store: undefined, verify: undefined };
    const record = recordFamily().connect(calls, { safe: {} }).throwing;
    return async ({ call, signal }, coming) => {
      const answer = await coming;
      const verify = VERIFICATIONS[call];
      const { data, request } = answer;
      const items = (data as { readonly data?: unknown }).data;
      const all = [data, ...(Array.isArray(items) ? items : [])].filter((one): one is object => one instanceof Object);
      const isElsewhere = !request.url.startsWith(`${settings.base}/`);
      const giveUp = (why: string): void => {
        for (const one of all) keepUnsigned(one, why);
      };
      giveUp(isElsewhere ? 'another service answered' : 'the record does not prove answers of this call');
      if (!verify || isElsewhere) return answer;
      const keep: Verification['keep'] = (about, found) => {
        const { keys, compared, evidence } = selectOwn(found);
        const numbers = [...evidence.entries.values()].map(({ number }) => number);
        const knownAt = found.knownAt ?? Math.max(...numbers);
        const query = { keys, knownAt, texts: new Map() };
        const again: KnownProof['again'] = async (stop) => {
          const later = await readEvidence(record, check, { ...query, signal: stop });
          requireSame(evidence, later);
          return toProof({ compared, evidence: later });
        };
        proofs.set(about, { proof: toProof({ compared, evidence }), again });
      };
      const run = (stop: AbortSignal): Promise<void> =>
        verify({
          answer,
          record,
          signal: stop,
          read: (query) => readEvidence(record, check, { ...query, signal: stop }),
          keep: (about, found) => {
            if (!stop.aborted) keep(about, found);
          },
          giveUp,
          wait: (ms) => wait(ms, stop),
          freshSince: readTime(answer) - STALE_MS,
        }).catch((error: unknown) => {
          giveUp(explainFault(error, (cause) => new ContradictionError(call, [], answer, cause)));
        });
      const late = () => giveUp('the record took too long');
      await within(VERIFY_MS + settings.limits.maxWaitMs, signal, late, run);
      return answer;
    };
  };
  return {
    connect,
    readProof: (answer) => proofs.get(answer)?.proof,
    settle: async (answer, { timeoutMs = SETTLE_MS, signal } = {}) => {
      const known = proofs.get(answer);
      if (!known) throw new TypeError('settle needs an answer of a client with this verifier');
      const { again } = known;
      let { proof } = known;
      return within(
        checkedTimeout('timeoutMs', timeoutMs),
        signal,
        () => proof,
        async (stop) => {
          while (proof.level === 'pending') {
            proof = await again(stop);
            proofs.set(answer, { proof, again });
            if (proof.level === 'pending') await wait(COVERED_PAUSE_MS, stop);
          }
          return proof;
        },
      );
    },
  };
};

/** Returns what was found with the entries of its own keys alone. */
const selectOwn = ({ evidence, ...found }: MatchedAnswer): MatchedAnswer => {
  const entries = new Map([...evidence.entries].filter(([key]) => found.keys.includes(key)));
  const uncovered = new Set([...evidence.uncovered].filter((key) => found.keys.includes(key)));
  return { ...found, evidence: { ...evidence, entries, uncovered } };
};

/** @throws VerifyError if entries that no checkpoint covered are other ones now */
const requireSame = ({ entries }: Evidence, later: Evidence): void => {
  for (const [key, entry] of entries)
    if (canonicalJson(later.entries.get(key) ?? null) !== canonicalJson(entry))
      throw new VerifyError('not_in_log', `the entry ${entry.number} of ${key} is not the one that was shown before`);
};
