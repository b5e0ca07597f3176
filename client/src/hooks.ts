import type { SentRequest } from './errors.ts';
import { watch } from './report.ts';

/**
 * One try of a call. `request` is the same object in all events of a call, so it can be the key of a Map.
 * @example const started = new WeakMap<CallEvent['request'], number>();
 */
export interface CallEvent {
  /** Which call, such as `brokers.get`. */
  readonly call: string;
  readonly request: SentRequest;
  /** 1 for the first try. */
  readonly attempt: number;
}

/**
 * A request is about to be sent.
 * @example const trace = ({ headers }: RequestEvent) => { headers['traceparent'] = current(); };
 */
export interface RequestEvent extends CallEvent {
  /** Headers to send besides, lower case. The client's own, among them the token, are not shown. */
  readonly headers: Record<string, string>;
}

/**
 * An answer was read.
 * @example const log = ({ call, response }: ResponseEvent) => console.log(call, response.status);
 */
export interface ResponseEvent extends CallEvent {
  /** Its body has been read. */
  readonly response: Response;
  /** The body of a good answer, the same object that the caller gets; undefined for others. */
  readonly data: unknown;
}

/**
 * A call failed for good.
 * @example const count = ({ call, error }: FailureEvent) => console.error(call, error);
 */
export interface FailureEvent extends CallEvent {
  readonly error: unknown;
}

/**
 * A try failed, and the next one follows.
 * @example const log = ({ call, delayMs }: RetryEvent) => console.log(`${call} again in ${delayMs} ms`);
 */
export interface RetryEvent extends FailureEvent {
  /** Milliseconds until then. */
  readonly delayMs: number;
}

/**
 * What to do at the steps of a call. What one throws, the call throws. They are not awaited: where an asynchronous one
 * rejects, the call goes on and `console.error` says so.
 * @example const hooks: Hooks = { error: ({ call, error }) => console.error(call, error) };
 */
export interface Hooks {
  /** Before each try. */
  readonly request?: ((event: RequestEvent) => void) | undefined;
  /** After each answer, good or not. */
  readonly response?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait for another try. */
  readonly retry?: ((event: RetryEvent) => void) | undefined;
  /** Once, when a call has failed for good. */
  readonly error?: ((event: FailureEvent) => void) | undefined;
}

interface Events {
  request: RequestEvent;
  response: ResponseEvent;
  retry: RetryEvent;
  error: FailureEvent;
}

/** Tells all hooks of an event. */
export const emit = <K extends keyof Events>(hooks: readonly Hooks[], name: K, event: Events[K]): void => {
  for (const hook of hooks)
    watch(`a hook failed: ${name}`, (hook[name] as ((event: Events[K]) => unknown) | undefined)?.(event));
};
