import type { SentRequest } from './errors.ts';
import { watch } from './report.ts';

/**
 * One try of a call. `request` is the same object in all events of a call, so it can be the key of a WeakMap.
 * @example const started = new WeakMap<CallEvent['request'], number>();
 */
export interface CallEvent {
  /** Name of the call, such as `brokers.get`. */
  readonly call: string;
  readonly request: SentRequest;
  /** Number of the try; the first is 1. */
  readonly attempt: number;
}

/**
 * The client is about to send a request.
 * @example const sign = async ({ headers, body }: RequestEvent) => { headers['signature'] = await signText(body); };
 */
export interface RequestEvent extends CallEvent {
  /**
   * Additional headers to send, with names in lower case. The client's own headers, including the token, are not shown.
   */
  readonly headers: Record<string, string>;
  /** The body to send; null if there is none. */
  readonly body: string | null;
}

/**
 * The client has read an answer.
 * @example const log = ({ call, response }: ResponseEvent) => console.log(call, response.status);
 */
export interface ResponseEvent extends CallEvent {
  /** The answer. Its body has already been read; that of a file that comes in pieces has begun to be. */
  readonly response: Response;
  /**
   * The body of a successful answer, the same object that the caller gets. Undefined for an error answer and for a
   * file.
   */
  readonly data: unknown;
}

/**
 * A call has failed and is not retried any more.
 * @example const count = ({ call, error }: FailureEvent) => console.error(call, error);
 */
export interface FailureEvent extends CallEvent {
  readonly error: unknown;
}

/**
 * A try has failed and another one follows. This also happens when the client follows the redirect of a renamed broker
 * (`error.status` is 308), or replaces a refused token.
 * @example const log = ({ call, delayMs }: RetryEvent) => console.log(`${call} again in ${delayMs} ms`);
 */
export interface RetryEvent extends FailureEvent {
  /** Milliseconds until the next try. */
  readonly delayMs: number;
}

/**
 * Functions to call at the steps of a call. If one throws, the call throws the same error. The client awaits `request`,
 * within the time of the try. It does not await the others: if an asynchronous one rejects, the call continues and
 * `console.error` reports the error.
 * @example const hooks: Hooks = { error: ({ call, error }) => console.error(call, error) };
 */
export interface Hooks {
  /** Called before each try, which waits for a returned promise. It can sign the request, or fetch a proof. */
  readonly request?: ((event: RequestEvent) => unknown) | undefined;
  /** Called after each answer, successful or not. */
  readonly response?: ((event: ResponseEvent) => void) | undefined;
  /** Called before the wait for another try. */
  readonly retry?: ((event: RetryEvent) => void) | undefined;
  /** Called once, when a call has finally failed. */
  readonly error?: ((event: FailureEvent) => void) | undefined;
}

interface Events {
  response: ResponseEvent;
  retry: RetryEvent;
  error: FailureEvent;
}

/** Calls all hooks for an event. */
export const emit = <K extends keyof Events>(hooks: readonly Hooks[], name: K, event: Events[K]): void => {
  for (const hook of hooks)
    watch(`a hook failed: ${name}`, (hook[name] as ((event: Events[K]) => unknown) | undefined)?.(event));
};
