import { Moved } from './brokers.ts';
import { BASE_PATH, RESOURCES } from './contract.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { exampleComponents } from './openapi/examples.ts';
import { FailureCollection } from './openapi/failures.ts';
import { HEADERS, movedHeaders, notModifiedHeaders } from './openapi/headers.ts';
import { media, operationOf } from './openapi/operations.ts';
import { namedRoutes } from './openapi/routes.ts';
import { SchemaCollection } from './openapi/schemas.ts';
import { Problem } from './problem.ts';

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

const serverAddress = (serverUrl: string): string => {
  const address = serverUrl.replace(/\/+$/, '');
  return address.endsWith(BASE_PATH) ? address : address + BASE_PATH;
};

/**
 * Builds the OpenAPI 3.1 document of the API from the contract. The same contract always gives the same bytes.
 * @param given `serverUrl`: public address of the server, with or without `/api/v1`; `version`: a semantic version
 * @example openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).openapi // '3.1.1'
 */
export const openApiDocument = ({ serverUrl, version }: { serverUrl: string; version: string }): OpenApiDocument => {
  const schemas = new SchemaCollection();
  const failures = new FailureCollection();
  schemas.add(Problem);
  const movedBody = media(Moved, schemas);
  const paths: OpenApiDocument['paths'] = {};
  const routes = namedRoutes();
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas, failures) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Broker transparency and rating',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverAddress(serverUrl) }],
    tags: Object.entries(RESOURCES).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components(),
      responses: {
        NotModified: { description: 'The answer you have is the current one', headers: notModifiedHeaders() },
        Moved: { description: MOVED, headers: movedHeaders(), content: movedBody },
        ...failures.components(),
      },
      headers: HEADERS,
      examples: exampleComponents(routes),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: BEARER } },
    },
  };
};
