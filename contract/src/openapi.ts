import { Moved } from './brokers.ts';
import { BASE_PATH, RESOURCES } from './contract.ts';
import type { LIMITS } from './metadata.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { exampleComponents } from './openapi/examples.ts';
import { FailureCollection } from './openapi/failures.ts';
import { headersOf, movedHeaders, notModifiedHeaders } from './openapi/headers.ts';
import { media, operationOf } from './openapi/operations.ts';
import { type NamedRoute, namedRoutes, recordRoutes } from './openapi/routes.ts';
import { SchemaCollection } from './openapi/schemas.ts';
import { Problem } from './problem.ts';
import { TRANSPARENCY_BASE_PATH } from './transparency.ts';

export type * from './openapi/document.ts';

const DESCRIPTION = `Transparency data about foreign-exchange brokers: a score anyone can recompute, licences, reviews and complaints,
the regulators, and industry news.

Every GET is public. Texts are cut of surrounding blanks, then counted in Unicode code points; NUL, lone surrogates and
texts in which nothing can be seen are refused. Unknown parameters and fields are refused, never ignored. Enumerations of answers may grow within
v1, those of requests are closed. Brokers can be renamed and merged: a GET that names a former slug is answered 308.
Errors are RFC 9457 problem details with a stable \`code\`. Every answer of this interface counts against its rate limit
and says in \`RateLimit\` what is left.`;

const BEARER =
  'A token issued by the operator, in the Authorization header only. On public routes it is optional: with ' +
  'it, requests are counted per account instead of per address.';

const MOVED =
  'The broker was renamed or merged: it is published under another slug now. Send the same request to `Location`, ' +
  'which keeps the query. A former slug is never given to another broker.';

const RECORD_DESCRIPTION = `What was published of a broker at any time: what changed and when, what was known at one time about another, and proofs
of that from the public log.

Every GET is public, and brokers are found by former slugs too. The conventions are those of the API: unknown parameters
are refused, enumerations of answers may grow within v1, and errors are RFC 9457 problem details with a stable \`code\`.
Answers are computed for each request, so they count against a rate limit of their own, \`history\`.`;

const addressBelow = (serverUrl: string, basePath: string): string => {
  const address = serverUrl.replace(/\/+$/, '');
  const root = address.endsWith(BASE_PATH) ? address.slice(0, -BASE_PATH.length) : address;
  return root + basePath;
};

/** Which server a document describes. */
interface Server {
  readonly serverUrl: string;
  readonly version: string;
}

/** What tells one document from another. */
interface Part extends Pick<OpenApiDocument['info'], 'title' | 'description'> {
  readonly basePath: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly routes: readonly NamedRoute[];
  readonly limit: keyof typeof LIMITS;
}

/** Leaves out the components that nothing in the document refers to. */
const onlyReferred = <T>(kind: string, components: Record<string, T>, rest: unknown): Record<string, T> => {
  const text = JSON.stringify(rest);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
};

const documentOf = (part: Part, { serverUrl, version }: Server): OpenApiDocument => {
  const schemas = new SchemaCollection();
  const failures = new FailureCollection();
  schemas.add(Problem);
  const { title, description, routes } = part;
  const isPublic = routes.every(({ policy }) => policy.access === 'public');
  const hasMoved = routes.some(({ policy }) => policy.moved !== undefined);
  const moved = hasMoved && { description: MOVED, headers: movedHeaders(), content: media(Moved, schemas) };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas, failures) };
  const responses = {
    NotModified: { description: 'The answer you have is the current one', headers: notModifiedHeaders() },
    ...(moved ? { Moved: moved } : {}),
    ...failures.components(),
  };
  const referred = onlyReferred('responses', responses, paths);
  return {
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: addressBelow(serverUrl, part.basePath) }],
    tags: Object.entries(part.tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: schemas.components(),
      responses: referred,
      headers: onlyReferred('headers', headersOf(part.limit), [paths, referred]),
      examples: exampleComponents(routes),
      securitySchemes: isPublic ? {} : { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
    },
  };
};

/**
 * Builds the OpenAPI 3.1 document of the API from the contract. The same contract always gives the same bytes.
 * @param given `serverUrl`: public address of the server, with or without `/api/v1`; `version`: a semantic version
 * @example openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).openapi // '3.1.1'
 */
export const openApiDocument = (given: { serverUrl: string; version: string }): OpenApiDocument =>
  documentOf(
    {
      title: 'Broker transparency and rating',
      description: DESCRIPTION,
      basePath: BASE_PATH,
      tags: RESOURCES,
      routes: namedRoutes(),
      limit: 'public',
    },
    given,
  );

/**
 * Builds the OpenAPI 3.1 document of the routes that say what was published of a broker at any time.
 * @param given as for `openApiDocument`
 * @example recordOpenApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).servers[0].url // 'https://brokers.example/transparency/v1'
 */
export const recordOpenApiDocument = (given: { serverUrl: string; version: string }): OpenApiDocument =>
  documentOf(
    {
      title: 'Broker transparency and rating: the record',
      description: RECORD_DESCRIPTION,
      basePath: TRANSPARENCY_BASE_PATH,
      tags: { brokers: 'What was published of a broker at any time.' },
      routes: recordRoutes(),
      limit: 'history',
    },
    given,
  );
