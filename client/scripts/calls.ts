import type { JsonSchema, OpenApiDocument, Operation, Parameter } from '@broker-transparency/contract/openapi';
import { pascal } from './names.ts';

/** An operation as the client offers it. */
export interface Call {
  /** Its dotted path in the client, such as `brokers.list` or `enterprise.webhooks.create`. */
  readonly id: string;
  /** Its dotted path in its family, such as `webhooks.create`. */
  readonly place: string;
  /** How a program names it, such as `client.brokers.list`. */
  readonly expression: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Name of the body's type. */
  readonly body: string | undefined;
  /** Name of the answer's type. */
  readonly answer: string;
  /** The kind of list and the name of the items' type, if the answer is a list. */
  readonly list: ListPaging | undefined;
  /** Every problem code that the operation can answer. */
  readonly codes: readonly string[];
  /** True if the service recognises a repeated request by its `Idempotency-Key`. */
  readonly hasKey: boolean;
  /** True if a repeated request can have a second effect. */
  readonly isOnce: boolean;
  /** True for a call of a family that counts against the budget of the calls that every client has. */
  readonly isPublic: boolean;
}

/** How the client gets the pages of a list, or `whole` if there is only one. */
interface ListPaging {
  readonly kind: 'whole' | 'offset' | 'cursor' | 'from';
  readonly item: string;
}

type BodyContent = NonNullable<Operation['requestBody']>['content'] | undefined;

const toSchemaName = (reference: string | undefined): string | undefined => reference?.split('/').at(-1);

const findBodyType = (content: BodyContent): string | undefined =>
  toSchemaName(content?.['application/json']?.schema.$ref);

const requireAnswerType = ({ operationId, responses }: Operation): string => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const name = success !== undefined && 'content' in success ? findBodyType(success.content) : undefined;
  if (name === undefined) throw new TypeError(`the answer of ${operationId} has no named schema`);
  return name;
};

const detectListKind = (operation: Operation): ListPaging['kind'] =>
  (['offset', 'cursor', 'from'] as const).find((way) => operation.parameters.some(({ name }) => name === way)) ??
  'whole';

/** Fields that the client needs to turn pages and to recognise items that it has already given. */
const NEEDED = { whole: [], offset: ['pagination', 'id'], cursor: ['pagination'], from: ['next'] } as const;

const describeList = (document: OpenApiDocument, operation: Operation): ListPaging | undefined => {
  const { schemas } = document.components;
  const { properties = {} } = schemas[requireAnswerType(operation)] as JsonSchema;
  const item = toSchemaName(properties['data']?.items?.$ref);
  if (item === undefined) return undefined;
  const kind = detectListKind(operation);
  for (const field of NEEDED[kind])
    if (!(field in { ...properties, ...schemas[item]?.properties }))
      throw new TypeError(`${operation.operationId} is a list by ${kind} without ${field}`);
  return { kind, item };
};

const listProblemCodes = (document: OpenApiDocument, { responses }: Operation): string[] =>
  Object.values(responses).flatMap((response) => {
    const answer = '$ref' in response ? document.components.responses[toSchemaName(response.$ref) ?? ''] : response;
    return answer?.['x-problem-codes'] ?? [];
  });

/** Tells whether a POST changes nothing: it needs a scope that only reads. */
const isReading = ({ 'x-policy': { access } }: Operation): boolean =>
  typeof access === 'object' && access.scope.endsWith(':read');

/** Query parameters that ask for another form than JSON, which the client does not read. */
const OTHER_FORMS: readonly string[] = ['format'];

/**
 * Returns the operations of a document, in the document's order.
 * @param family name of the document's family in the client; empty for the calls that every client has
 */
export const listCalls = (document: OpenApiDocument, family = ''): Call[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const place = operation.operationId;
      const id = family === '' ? place : `${family}.${place}`;
      const hasKey = operation['x-policy'].idempotency !== undefined;
      return {
        id,
        place,
        expression: `client.${id}`,
        method: method.toUpperCase(),
        path,
        summary: operation.summary,
        description: operation.description,
        pathParameters: operation.parameters.filter((parameter) => parameter.in === 'path'),
        query: operation.parameters.filter(
          (parameter) => parameter.in === 'query' && !OTHER_FORMS.includes(parameter.name),
        ),
        body: findBodyType(operation.requestBody?.content),
        answer: requireAnswerType(operation),
        list: describeList(document, operation),
        codes: listProblemCodes(document, operation),
        hasKey,
        isOnce: method === 'post' && !hasKey && !isReading(operation),
        isPublic: family !== '' && operation['x-policy'].limit === 'public',
      };
    }),
  );

/** Returns the name of the type of a call's query. */
export const toQueryType = (call: Call): string => `${pascal(call.id)}Query`;

/** Tells whether a caller may leave out the query. */
export const isQueryOptional = (call: Call): boolean => call.query.every((parameter) => !parameter.required);

/** Returns the schema of a call's query as one object. */
export const buildQuerySchema = (call: Call): JsonSchema => ({
  type: 'object',
  description: `Query of \`${call.expression}\`.`,
  properties: Object.fromEntries(
    call.query.map(({ name, schema, description }) => [name, { ...schema, ...(description ? { description } : {}) }]),
  ),
  required: call.query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
});

const quote = (value: unknown): string => (typeof value === 'number' ? String(value) : `'${String(value)}'`);

/** Returns a line of TypeScript that makes the call. */
export const formatCallExample = (call: Call): string => {
  const required = call.query.filter((parameter) => parameter.required);
  const query = required.map(({ name, example }) => `${name}: ${quote(example)}`).join(', ');
  const args = [
    ...call.pathParameters.map((parameter) => quote(parameter.example)),
    ...(call.body === undefined ? [] : ['body']),
    ...(query === '' ? [] : [`{ ${query} }`]),
  ];
  return `await ${call.expression}(${args.join(', ')})`;
};
