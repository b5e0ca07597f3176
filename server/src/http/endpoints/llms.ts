import type { OpenApiDocument, Operation } from '@broker-transparency/contract/openapi';

const formatQuery = ({ parameters }: Operation): string =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required }) => (required ? name : `${name}?`))
    .join(', ');

const formatOperation = (path: string, method: string, operation: Operation): string => {
  const query = formatQuery(operation);
  const needs = operation.security.every((one) => 'bearer' in one) ? ' Needs a bearer token.' : '';
  return `- \`${method.toUpperCase()} ${path}\`: ${operation.summary}.${query && ` Query: ${query}.`}${needs}`;
};

/** Formats the operations of a document, below its address. */
const formatOperations = ({ servers, paths }: OpenApiDocument): string => {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => formatOperation(path, method, operation)),
  );
  return `Paths below \`${servers[0]?.url}\`:\n\n${lines.join('\n')}`;
};

/** The OpenAPI documents of the service. */
export interface Documents {
  readonly api: OpenApiDocument;
  /** Document of the record: the published values at any time. */
  readonly record: OpenApiDocument;
  /** Documents of optional parts. */
  readonly others?: readonly OtherDocument[];
}

/** The OpenAPI document of an optional part, at `/openapi-NAME.json`. */
export interface OtherDocument {
  readonly name: string;
  /** Description of the part: a sentence. */
  readonly what: string;
  readonly document: OpenApiDocument;
}

/** Splits the description of a document into its first paragraph and the others, without line breaks within them. */
export const splitDescription = (
  description: string,
): { readonly summary: string; readonly details: readonly string[] } => {
  const [summary = '', ...details] = description.replace(/(\S)\n(?=\S)/g, '$1 ').split('\n\n');
  return { summary, details };
};

/** Returns a page about the API for language models, made from its OpenAPI documents in the form of llmstxt.org. */
export const llmsText = ({ api, record, others = [] }: Documents, serverUrl: string): string => {
  const { info } = api;
  const { summary, details } = splitDescription(info.description);
  return `# ${info.title}

> ${summary}

${details.join('\n\n')}

${formatOperations(api)}

What was published of a broker at any time, with a rate limit of its own. ${formatOperations(record)}
${others.map(({ what, document }) => `\n${what} ${formatOperations(document)}\n`).join('')}
The npm package \`@broker-transparency/client\` is a typed client for all of them.

## Documents

- [OpenAPI 3.1](${serverUrl}/openapi.json): every parameter, field, header and error, exactly
- [OpenAPI 3.1 of the record](${serverUrl}/openapi-record.json): the same for what was published at any time
${others.map(({ name, what }) => `- [OpenAPI 3.1: ${name}](${serverUrl}/openapi-${name}.json): ${what}\n`).join('')}- [Everything in one file](${serverUrl}/llms-full.txt): the client, recipes, the API and the arithmetic of scores
- [All APIs](${serverUrl}/.well-known/api-catalog): where each is, and its documents (RFC 9727)
- [Problems](${serverUrl}/problems): what each error code means, and what to do
- [Documentation](${serverUrl}/docs): guides for people, and search
- [Reference](${serverUrl}/docs/reference/api): each call with its fields, errors and samples
- [Reference of the record](${serverUrl}/docs/reference/record): the same for what was published at any time
`;
};
