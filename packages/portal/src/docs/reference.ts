import type { Answer, JsonSchema, OpenApiDocument, Operation, Reference } from '@broker-transparency/contract/openapi';
import type { ApiPart } from './library.ts';

/** A method of a path, with the data for its description. */
export interface ApiCall {
  readonly api: ApiPart;
  readonly method: string;
  /** Path below the API's base path: `/brokers/{slug}`. */
  readonly path: string;
  readonly operation: Operation;
  /** Its name in addresses. */
  readonly slug: string;
}

/** Returns the name of an operation in addresses: `service-level-day` for `serviceLevel.day`. */
const toCallSlug = (operationId: string): string =>
  operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('.', '-');

/** Returns every call of a part of the API, in the order of its document. */
export const listCalls = (api: ApiPart): ApiCall[] =>
  Object.entries(api.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      api,
      method: method.toUpperCase(),
      path,
      operation,
      slug: toCallSlug(operation.operationId),
    })),
  );

/** Returns the address of the page about a part of the API, or about one of its calls. */
export const referencePath = (api: Pick<ApiPart, 'name'>, call?: Pick<ApiCall, 'slug'>): string =>
  `/docs/reference/${api.name}${call ? `/${call.slug}` : ''}`;

const getRefName = ({ $ref }: Reference): string => $ref.split('/').at(-1) as string;

/** Returns the name of the schema that another one refers to. */
export const findSchemaName = ({ $ref }: JsonSchema): string | undefined =>
  $ref === undefined ? undefined : getRefName({ $ref });

/** Resolves the reference of a schema: the schema's own fields take precedence. */
export const resolveSchema = ({ components }: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  const name = findSchemaName(schema);
  if (name === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...components.schemas[name], ...beside };
};

/** An answer of an operation by its status. */
export interface StatusResponse extends Answer {
  readonly status: string;
}

/** Returns every answer of an operation, with references resolved. */
export const listResponses = ({ api, operation }: ApiCall): StatusResponse[] =>
  Object.entries(operation.responses).map(([status, answer]) => {
    const found = '$ref' in answer ? api.document.components.responses[getRefName(answer)] : answer;
    return { ...(found as Answer), status };
  });

/** Returns the schema of a body and its example. */
export const findBody = (
  { components }: OpenApiDocument,
  content: Answer['content'],
): { readonly schema: JsonSchema; readonly example: unknown } | undefined => {
  const media = content?.['application/json'];
  if (!media) return undefined;
  const [example] = Object.values(media.examples ?? {});
  return { schema: media.schema, example: example && components.examples[getRefName(example)]?.value };
};

/** Contract rules of a route: its callers, its budget, and the caching of its answer. */
export interface CallPolicy {
  readonly access: 'public' | 'token' | { readonly scope: string; readonly kyc: boolean };
  readonly limit: string;
  readonly cache: string;
  readonly idempotency?: 'key' | 'key-or-body';
}

export const readPolicy = ({ operation }: ApiCall): CallPolicy => operation['x-policy'] as CallPolicy;
