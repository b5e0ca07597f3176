import type { OpenApiDocument, Operation } from '@broker-transparency/contract/openapi';

const queryOf = ({ parameters }: Operation): string =>
  parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required }) => (required ? name : `${name}?`))
    .join(', ');

const lineOf = (path: string, method: string, operation: Operation): string => {
  const query = queryOf(operation);
  const needs = operation.security.length > 0 ? ' Needs a bearer token.' : '';
  return `- \`${method.toUpperCase()} ${path}\`: ${operation.summary}.${query && ` Query: ${query}.`}${needs}`;
};

/** A page about the API for language models, made from its OpenAPI document in the form of llmstxt.org. */
export const llmsText = ({ info, servers, paths }: OpenApiDocument, origin: string): string => {
  const [summary = '', ...details] = info.description.replace(/(\S)\n(?=\S)/g, '$1 ').split('\n\n');
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => lineOf(path, method, operation)),
  );
  return `# ${info.title}

> ${summary}

${details.join('\n\n')}

Paths below \`${servers[0]?.url}\`:

${lines.join('\n')}

The npm package \`@broker-transparency/client\` is a typed client for all of them; its \`llms-full.txt\` is the whole documentation in one file.

## Documents

- [OpenAPI 3.1](${origin}/openapi.json): every parameter, field, header and error, exactly
- [Problems](${origin}/problems): what each error code means, and what to do
- [Reference](${origin}/docs): the OpenAPI document for people, to try
`;
};
