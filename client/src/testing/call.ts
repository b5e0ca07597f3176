import type { Account } from './accounts.ts';
import type { Customer } from './customers.ts';
import type { SendWebhook } from './deliver.ts';
import type { State } from './state.ts';
import type { ValidRequest } from './validation.ts';

/** The answer to a call, if it is no error. */
export interface CallResult {
  readonly body: unknown;
  /** Media type of an answer that is a file. Its body is text or bytes. */
  readonly type?: string;
  /** True for a 308, which says where the broker is now. */
  readonly moved?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The world in which a call is answered. */
export interface CallContext {
  readonly state: State;
  /** The caller, if the request has a valid token. */
  readonly account: Account | undefined;
  /** The caller, if the request has a valid key. */
  readonly customer: Customer | undefined;
  readonly at: Date;
  readonly send: SendWebhook;
  /** Resolves after some milliseconds, or as soon as `early` does. Rejects if the server closes first. */
  readonly wait: (ms: number, early: Promise<void>) => Promise<void>;
}

/** The implementation of a call. It throws a CallRefusal if the call answers an error. */
export type CallHandler = (asked: ValidRequest, context: CallContext) => CallResult | Promise<CallResult>;

/** The implementations of calls by name. */
export type CallHandlers<Name extends string> = Readonly<Record<Name, CallHandler>>;
