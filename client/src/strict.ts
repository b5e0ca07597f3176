import { contract } from '@broker-transparency/contract';
import { InvalidResponseError, type SentRequest } from './errors.ts';
import { type Client, type ClientOptions, createClient as createLenient, type Hooks } from './index.ts';
import { watch } from './report.ts';

export * from './index.ts';
export { recomputeScore } from './score.ts';

/**
 * A place where an answer differs from the contract.
 * @example for (const { path, message } of error.issues) console.warn(path, message);
 */
export interface SchemaIssue {
  /** Such as `data.0.color`; empty: the whole body. */
  readonly path: string;
  readonly message: string;
}

/**
 * A good answer that differs from the contract: the API is newer than the contract, or something changed the answer.
 * @example if (error instanceof SchemaDriftError) console.warn(error.call, error.issues);
 */
export class SchemaDriftError extends InvalidResponseError {
  /** Which call, such as `brokers.get`. */
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
 * Settings of a client that checks answers.
 * @example const options: StrictOptions = { baseUrl, onSchemaDrift: (drift) => console.warn(drift.call, drift.issues) };
 */
export interface StrictOptions extends ClientOptions {
  /**
   * Is told of answers that differ, and they pass; it is not awaited. Without it the call throws the
   * {@link SchemaDriftError}.
   */
  readonly onSchemaDrift?: ((drift: SchemaDriftError) => void) | undefined;
}

interface Route {
  readonly responses: Readonly<Record<number, Schema>>;
}
interface Schema {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** Schema of a call's good answer. */
const schemaOf = (call: string): Schema | undefined => {
  const route = call
    .split('.')
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], contract) as Route;
  return route.responses[200] ?? route.responses[201];
};

/** More of them say nothing more. */
const MOST_ISSUES = 100;

const issuesIn = (call: string, data: unknown): SchemaIssue[] =>
  (schemaOf(call)?.safeParse(data).error?.issues ?? [])
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => ({ path: path.join('.'), message }));

/**
 * Makes a client that checks every good answer against the contract. Fields the contract does not know pass.
 * @throws TypeError, RangeError as the other `createClient` does
 * @example
 * const client = createClient({ baseUrl: 'https://brokers.example/api/v1', onSchemaDrift: console.warn });
 */
export const createClient = ({ onSchemaDrift, hooks = [], ...options }: StrictOptions): Client => {
  const check: Hooks = {
    response: ({ call, request, response, data }) => {
      const issues = data === undefined ? [] : issuesIn(call, data);
      if (issues.length === 0) return;
      const drift = new SchemaDriftError(call, issues, request, response);
      if (onSchemaDrift === undefined) throw drift;
      watch('onSchemaDrift failed', onSchemaDrift(drift));
    },
  };
  return createLenient({ ...options, hooks: [hooks, check].flat() });
};
