import type * as z from 'zod';
import type { RoutePolicy } from '../route.ts';
import type { MediaType, Operation } from './document.ts';
import type { FailureCollection } from './failures.ts';
import { successHeaders } from './headers.ts';
import { buildParameters } from './parameters.ts';
import type { NamedRoute } from './routes.ts';
import { findComponentName, type SchemaCollection } from './schemas.ts';

const describeAccess = ({ access }: RoutePolicy): string | undefined => {
  if (access === 'public') return undefined;
  if (access === 'token') return 'Needs any valid token.';
  const token = `Needs a token with the scope \`${access.scope}\``;
  return access.kyc ? `${token}, of a person whose identity is verified (KYC).` : `${token}.`;
};

/** Returns a body with its schema and example. */
export const buildMedia = (schema: z.ZodType, schemas: SchemaCollection): Record<string, MediaType> => {
  const json = schemas.add(schema);
  const name = findComponentName(json);
  const examples = name === undefined ? {} : { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
  return { 'application/json': { schema: json, ...examples } };
};

const notModified = { $ref: '#/components/responses/NotModified' };
const moved = { $ref: '#/components/responses/Moved' };

/** Returns the OpenAPI operation of a route. Adds its schemas and error answers to the collections. */
export const buildOperation = (
  route: NamedRoute,
  schemas: SchemaCollection,
  failures: FailureCollection,
): Operation => {
  const description = [route.description, describeAccess(route.policy)].filter(Boolean).join('\n\n');
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    // on a public route a token is optional: it moves the request to the budget of its account
    security: [...(route.policy.access === 'public' ? [{}] : []), { bearer: [] }],
    parameters: buildParameters(route, schemas),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true as const, content: buildMedia(route.body, schemas) } }),
    responses: {
      [route.success.status]: {
        description: route.success.status === '201' ? 'Created' : 'OK',
        headers: successHeaders(route),
        content: buildMedia(route.success.schema, schemas),
      },
      ...(route.policy.cache === 'none' ? {} : { 304: notModified }),
      ...(route.policy.moved === undefined ? {} : { 308: moved }),
      ...failures.add(route),
    },
    'x-policy': route.policy,
  };
};
