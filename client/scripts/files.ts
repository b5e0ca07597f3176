import { readFile } from 'node:fs/promises';
import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { buildQuerySchema, listCalls, toQueryType } from './calls.ts';
import { errorsSource, knownErrorsSource, listAnsweredCodes, problemsSource } from './problems.ts';
import { callNotes, commonCodesSource, findCommonCodes, operationsSource, routesSource } from './tree.ts';
import { typesSource } from './types.ts';

const HEAD = '// Made from the contract by `pnpm generate`. Do not edit.\n\n';

/** Documents by the name of their family in the client. The calls of the first are those that every client has. */
const DOCUMENTS = {
  '': openApiDocument,
  record: recordOpenApiDocument,
  account: accountOpenApiDocument,
  enterprise: enterpriseOpenApiDocument,
};

/** Schemas without a type: clients throw the first two as errors, and follow the third. */
const NO_TYPES = ['Problem', 'ProblemCode', 'Moved'];

/** Returns the source of the constant with the version of this package. */
const versionSource = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return `/** Version of this package. */\nexport const VERSION = '${version}';\n`;
};

const readFamilies = () =>
  Object.entries(DOCUMENTS).map(([name, build]) => {
    const document = build({ serverUrl: 'https://localhost', version: '0.0.0' });
    const calls = listCalls(document, name);
    const queries = calls.filter((call) => call.query.length > 0);
    const components = Object.entries(document.components.schemas).filter(([schema]) => !NO_TYPES.includes(schema));
    return {
      name,
      file: `${name || 'api'}.ts`,
      calls,
      schemas: Object.fromEntries([
        ...components,
        ...queries.map((call) => [toQueryType(call), buildQuerySchema(call)] as const),
      ]),
    };
  });

/** Returns the imports of the types that a source uses and other files declare. */
const importsSource = (source: string, file: string, owners: ReadonlyMap<string, string>): string => {
  const words = new Set(source.replace(/\/\*\*.*?\*\//gs, '').match(/\b[A-Z]\w*/g));
  const used = [...owners].filter(([name, owner]) => owner !== file && words.has(name));
  return [...new Set(used.map(([, owner]) => owner))]
    .map((owner) => {
      const names = used.filter(([, each]) => each === owner).map(([name]) => name);
      return `import type { ${names.sort().join(', ')} } from './${owner}';\n`;
    })
    .join('');
};

/** Returns the current sources of the generated files, by file name. */
export const generatedFiles = async (): Promise<Record<string, string>> => {
  const families = readFamilies();
  const all = families.flatMap(({ calls }) => calls);
  const common = findCommonCodes(all);
  const codes = listAnsweredCodes(all);
  const notes = callNotes(all);
  /** The file that declares each type: that of the first family that uses it. */
  const owners = new Map([['CommonCode', 'api.ts']]);
  for (const { file, schemas } of families)
    for (const name of Object.keys(schemas)) owners.set(name, owners.get(name) ?? file);
  const files: Record<string, string> = {
    'errors.ts': errorsSource(codes),
    'known-errors.ts': knownErrorsSource(codes),
    'problems.ts': problemsSource(codes),
    'version.ts': await versionSource(),
  };
  for (const { name, file, calls, schemas } of families) {
    const types = await typesSource(schemas, notes, (type) => owners.get(type) === file);
    const commonCodes = name === '' ? `${commonCodesSource(common)}\n` : '';
    const source = `${types}\n${commonCodes}${operationsSource(calls, name, common)}`;
    const imports = importsSource(source, file, owners);
    files[file] = imports === '' ? source : `${imports}\n${source}`;
    files[`${name === '' ? '' : `${name}-`}routes.ts`] = routesSource(calls, name);
  }
  return Object.fromEntries(Object.entries(files).map(([name, source]) => [name, HEAD + source]));
};
