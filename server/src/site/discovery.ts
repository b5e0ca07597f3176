import type { ApiPart } from '@broker-transparency/portal';
import { documentFile, type ServedFile } from '../http/endpoints/files.ts';
import { splitDescription } from '../http/endpoints/llms.ts';

/** A part of the API, with the path below which it is served. */
export interface ServedApi extends ApiPart {
  readonly basePath: string;
}

/** Path of the list of all APIs (RFC 9727). */
const CATALOG_PATH = '/.well-known/api-catalog';

const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

interface Target {
  readonly href: string;
  readonly type: string;
}

/** Returns where a part of the API is described, by relation (RFC 8631). */
const listDescriptions = (publicUrl: string, { name, path }: ServedApi) =>
  ({
    'service-desc': [{ href: publicUrl + path, type: 'application/json' }],
    'service-doc': [{ href: `${publicUrl}/docs/reference/${name}`, type: 'text/html' }],
    status: [
      { href: `${publicUrl}/status`, type: 'text/html' },
      { href: `${publicUrl}/status.json`, type: 'application/json' },
    ],
  }) satisfies Record<string, readonly Target[]>;

/** Formats links as a `Link` header (RFC 8288). */
const formatLinks = (links: Readonly<Record<string, readonly Target[]>>): string =>
  Object.entries(links)
    .flatMap(([relation, targets]) => targets.map(({ href, type }) => `<${href}>; rel="${relation}"; type="${type}"`))
    .join(', ');

/** Returns every call of a part of the API, with its address as a template (RFC 6570). */
const listCalls = ({ servers, paths }: ApiPart['document']) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, parameters }]) => {
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const template = `${servers[0]?.url}${path}${query.length > 0 ? `{?${query.join(',')}}` : ''}`;
      return { method: method.toUpperCase(), url: template, summary };
    }),
  );

/** Returns what the base address of a part of the API answers: its name, where it is described, and its calls. */
const buildEntryPoint = (publicUrl: string, api: ServedApi): object => {
  const { info } = api.document;
  const { 'service-desc': openapi, 'service-doc': reference, status } = listDescriptions(publicUrl, api);
  return {
    name: info.title,
    description: splitDescription(info.description).summary,
    version: info.version,
    url: publicUrl + api.basePath,
    documents: {
      openapi: openapi[0]?.href,
      reference: reference[0]?.href,
      problems: `${publicUrl}/problems`,
      status: status[0]?.href,
      catalog: publicUrl + CATALOG_PATH,
    },
    calls: listCalls(api.document),
  };
};

/** Returns the list of the APIs that are served, as a linkset (RFC 9264). */
const buildCatalog = (publicUrl: string, apis: readonly ServedApi[]): object => ({
  linkset: [
    { anchor: publicUrl + CATALOG_PATH, item: apis.map(({ basePath }) => ({ href: publicUrl + basePath })) },
    ...apis.map((api) => ({ anchor: publicUrl + api.basePath, ...listDescriptions(publicUrl, api) })),
  ],
});

/**
 * Returns the files by which programs find the APIs and their documents: one at the base address of each, with and
 * without a slash at its end, one at `/api` for the first part, and the list of all.
 */
export const discoveryFiles = (publicUrl: string, apis: readonly ServedApi[]): ServedFile[] => {
  const catalogLink = { 'api-catalog': [{ href: publicUrl + CATALOG_PATH, type: 'application/linkset+json' }] };
  const entryPoints = apis.flatMap((api) => {
    const links = formatLinks({ ...listDescriptions(publicUrl, api), ...catalogLink });
    const paths = [api.basePath, `${api.basePath}/`, ...(api.name === 'api' ? ['/api', '/api/'] : [])];
    return paths.map((path) => ({ ...documentFile(path, () => buildEntryPoint(publicUrl, api)), links }));
  });
  const catalog = documentFile(CATALOG_PATH, () => buildCatalog(publicUrl, apis));
  return [...entryPoints, { ...catalog, type: CATALOG_TYPE, links: formatLinks(catalogLink) }];
};
