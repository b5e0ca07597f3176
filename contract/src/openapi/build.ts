import { Moved } from '../brokers.ts';
import { BASE_PATH } from '../contract.ts';
import { Problem } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import type { OpenApiDocument } from './document.ts';
import { exampleComponents } from './examples.ts';
import { FailureCollection } from './failures.ts';
import { buildHeaders, type DocumentedBudget, movedHeaders, notModifiedHeaders } from './headers.ts';
import { buildMedia, buildOperation } from './operations.ts';
import { nameRoutes } from './routes.ts';
import { SchemaCollection } from './schemas.ts';

const MOVED =
  'The broker was renamed or merged: it is published under another slug now. Send the same request to `Location`, ' +
  'which keeps the query. A former slug is never given to another broker.';

const toServerUrl = (serverUrl: string, basePath: string): string => {
  const address = serverUrl.replace(/\/+$/, '');
  const root = address.endsWith(BASE_PATH) ? address.slice(0, -BASE_PATH.length) : address;
  return root + basePath;
};

/** The server that a document describes. */
export interface DocumentServer {
  readonly serverUrl: string;
  readonly version: string;
  /** Whom callers ask: an address of mail or of a page. */
  readonly contact?: string | undefined;
}

/** The parts in which documents differ. */
export interface DocumentPart extends Pick<OpenApiDocument['info'], 'title' | 'description'> {
  readonly basePath: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly routes: RouteGroup;
  /** Name and size of the budget that its headers show. */
  readonly budget: DocumentedBudget;
  /** Description of a bearer token. */
  readonly bearer: string;
}

/** Leaves out the components that nothing in the document refers to. */
const keepReferred = <T>(kind: string, components: Record<string, T>, rest: unknown): Record<string, T> => {
  const text = JSON.stringify(rest);
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );
};

/** Builds the OpenAPI document of some routes. The same routes always give the same bytes. */
export const buildDocument = (part: DocumentPart, { serverUrl, version, contact }: DocumentServer): OpenApiDocument => {
  const schemas = new SchemaCollection();
  const failures = new FailureCollection();
  schemas.add(Problem);
  const { title, description } = part;
  const routes = nameRoutes(part.routes);
  const hasMoved = routes.some(({ policy }) => policy.moved !== undefined);
  const moved = hasMoved && { description: MOVED, headers: movedHeaders(), content: buildMedia(Moved, schemas) };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: buildOperation(route, schemas, failures) };
  const responses = {
    NotModified: { description: 'The answer you have is the current one', headers: notModifiedHeaders() },
    ...(moved ? { Moved: moved } : {}),
    ...failures.components(),
  };
  const referred = keepReferred('responses', responses, paths);
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      ...(contact === undefined ? {} : { contact: contact.includes('://') ? { url: contact } : { email: contact } }),
    },
    servers: [{ url: toServerUrl(serverUrl, part.basePath) }],
    tags: Object.entries(part.tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: schemas.components(),
      responses: referred,
      headers: keepReferred('headers', buildHeaders(part.budget), [paths, referred]),
      examples: exampleComponents(routes),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: part.bearer } },
    },
  };
};
