/** A request as the server saw it. */
export interface SeenRequest {
  /** `api`: the server that the client was given. `other`: a server that the client has no business with. */
  readonly host: 'api' | 'other';
  /** Milliseconds since the client was started. */
  readonly atMs: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Values by the name of their header in lower case. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  /** Number of the connection that it came by; the first is 1. */
  readonly connection: number;
}

/** Kinds of errors that a client tells apart. */
export const ERROR_KINDS = ['api', 'network', 'timeout', 'unexpected'] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** An error as the client reports it. */
export interface ReportedError {
  readonly kind: ErrorKind;
  /** Status of the answer, if one came. */
  readonly status?: number;
  /** Code of the API's problem. */
  readonly code?: string;
}

/** The end of a client: its value, its error, or the reason why it reported neither. */
export type ScenarioOutcome =
  | { readonly value: unknown }
  | { readonly error: ReportedError }
  | { readonly nothing: 'late' | 'silent'; readonly detail: string };

/** Everything that is known of a client in one scenario. */
export interface ClientRun {
  readonly requests: readonly SeenRequest[];
  readonly outcome: ScenarioOutcome;
  /** Milliseconds from its start until it ended or was ended. */
  readonly endedMs: number;
  /** Bytes that the server sent. */
  readonly sentBytes: number;
  /** True if its output or errors contain its token. */
  readonly printedToken: boolean;
}

/** The call that the client has to make. */
export type Task = (
  | { readonly call: 'brokers.get'; readonly slug: string }
  | { readonly call: 'brokers.list' }
  | { readonly call: 'reviews.list'; readonly broker: string }
  | { readonly call: 'reviews.create'; readonly review: Readonly<Record<string, string | number>> }
) & {
  /** How often the same client object makes the call, one after the other. The value is that of the last one. */
  readonly times: number;
  /** The time limit of each call in milliseconds. */
  readonly timeoutMs: number;
};
