import { ROUTES, type SchemaFault, type SchemaResult } from '@broker-transparency/contract/routes';
import { InvalidResponseError, type SentRequest } from './errors.ts';
import {
  type Client,
  type ClientOptions,
  type ClientParts,
  type ClientWith,
  createClient as createLenient,
  type Family,
  type Hooks,
} from './index.ts';
import { watch } from './report.ts';

export * from './index.ts';
export { recomputeScore } from './score.ts';

/**
 * A place where an answer differs from the contract.
 * @example for (const { path, message } of error.issues) console.warn(path, message);
 */
export interface SchemaIssue {
  /** Place in the body, such as `data.0.color`; empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

/**
 * A successful answer differs from the contract. Either the API is newer than the contract, or something changed the
 * answer on its way.
 * @example if (error instanceof SchemaDriftError) console.warn(error.call, error.issues);
 */
export class SchemaDriftError extends InvalidResponseError {
  /** Name of the call, such as `brokers.get`. */
  readonly call: string;
  readonly issues: readonly SchemaIssue[];
  constructor(call: string, issues: readonly SchemaIssue[], request: SentRequest, response: Response) {
    const list = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    super(`a body that differs from the contract (${list})`, request, response);
    this.call = call;
    this.issues = issues;
  }
}
SchemaDriftError.prototype.name = 'SchemaDriftError';

/**
 * Options of a client that checks answers.
 * @example const options: StrictOptions = { baseUrl, onSchemaDrift: (drift) => console.warn(drift.call, drift.issues) };
 */
export interface StrictOptions extends ClientOptions {
  /**
   * Receives a report of each answer that differs, and the answer passes. The client does not await it. Without this
   * function, the call throws the {@link SchemaDriftError}.
   */
  readonly onSchemaDrift?: ((drift: SchemaDriftError) => void) | undefined;
}

/** The schemas of successful answers by the names of calls. */
const ANSWERS = new Map(ROUTES.map(({ name, responses }) => [name, responses[200] ?? responses[201]]));

/** Maximum number of reported issues. */
const MOST_ISSUES = 100;

const toIssue = ({ path = [], message }: SchemaFault): SchemaIssue => ({ path: path.join('.'), message });

const listIssues = (call: string, data: unknown): SchemaIssue[] => {
  const { issues = [] } = (ANSWERS.get(call)?.['~standard'].validate(data) ?? {}) as Partial<SchemaResult<unknown>>;
  return issues.slice(0, MOST_ISSUES).map(toIssue);
};

/** Adds the check of answers to a client's options. */
const addDriftCheck = <O extends StrictOptions>({ onSchemaDrift, hooks = [], ...options }: O) => {
  const check: Hooks = {
    response: ({ call, request, response, data }) => {
      const issues = data === undefined ? [] : listIssues(call, data);
      if (issues.length === 0) return;
      const drift = new SchemaDriftError(call, issues, request, response);
      if (onSchemaDrift === undefined) throw drift;
      watch('onSchemaDrift failed', onSchemaDrift(drift));
    },
  };
  return { ...options, hooks: [hooks, check].flat() };
};

/**
 * Creates a client that checks every successful answer against the contract. Fields that the contract does not know
 * pass.
 * @throws TypeError, RangeError as the main `createClient` does
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1', onSchemaDrift: console.warn });
 */
export const createClient = <F extends Family = never>(
  options: StrictOptions & ClientParts<F>,
): [F] extends [never] ? Client : ClientWith<F> => createLenient<F>(addDriftCheck(options));
