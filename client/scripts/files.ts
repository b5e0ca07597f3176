import { readFile } from 'node:fs/promises';
import { openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { buildQuerySchema, listCalls, RECORD, toQueryType } from './calls.ts';
import { errorsSource, knownErrorsSource, problemsSource } from './problems.ts';
import { callNotes, operationsSource, routesSource } from './tree.ts';
import { typesSource } from './types.ts';

const HEAD = '// Made from the contract by `pnpm generate`. Do not edit.\n\n';

/** Returns the source of the constant with the version of this package. */
const versionSource = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return `/** Version of this package. */\nexport const VERSION = '${version}';\n`;
};

/** Returns the current sources of the generated files, by file name. */
export const generatedFiles = async (): Promise<Record<string, string>> => {
  const server = { serverUrl: 'https://localhost', version: '0.0.0' };
  const document = openApiDocument(server);
  const record = recordOpenApiDocument(server);
  const calls = listCalls(document);
  const recordCalls = listCalls(record, RECORD);
  const all = [...calls, ...recordCalls];
  const queries = all.filter((call) => call.query.length > 0);
  const {
    Problem: _thrownAsErrors,
    ProblemCode: _fromProblems,
    Moved: _followed,
    ...named
  } = { ...document.components.schemas, ...record.components.schemas };
  const schemas = {
    ...named,
    ...Object.fromEntries(queries.map((call) => [toQueryType(call), buildQuerySchema(call)])),
  };
  const files = {
    'api.ts': `${await typesSource(schemas, callNotes(all))}\n${operationsSource(calls, recordCalls)}`,
    'errors.ts': errorsSource(),
    'known-errors.ts': knownErrorsSource(),
    'problems.ts': problemsSource(),
    'record-routes.ts': routesSource(recordCalls, 'recordRoutes'),
    'routes.ts': routesSource(calls),
    'version.ts': await versionSource(),
  };
  return Object.fromEntries(Object.entries(files).map(([name, source]) => [name, HEAD + source]));
};
