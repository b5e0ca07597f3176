import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as kernel from '@broker-transparency/kernel';
import * as log from '@broker-transparency/log';
import * as serviceLevel from '@broker-transparency/service-level';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as enterprise from './enterprise.ts';
import * as contract from './index.ts';
import { exampleBroker } from './openapi/example-broker.ts';
import * as openapi from './openapi.ts';
import * as record from './record.ts';
import * as routes from './routes.ts';
import * as score from './score.ts';

const ENTRIES = {
  'enterprise.ts': enterprise,
  'index.ts': contract,
  'openapi.ts': openapi,
  'record.ts': record,
  'routes.ts': routes,
  'score.ts': score,
};

/** The private packages that server and client import as they are. */
const BENEATH = {
  '../../packages/kernel/src/index.ts': kernel,
  '../../packages/log/src/index.ts': log,
  '../../packages/service-level/src/index.ts': serviceLevel,
};

const ALL: Readonly<Record<string, object>> = { ...ENTRIES, ...BENEATH };

interface Export {
  readonly name: string;
  readonly text: string;
  readonly isFunction: boolean;
  readonly examples: readonly string[];
}

const isFunction = (node: ts.Declaration): boolean =>
  ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer);

/** The sources of the contract, and of the packages that it brings along. */
const program = ts.createProgram(
  ts.sys.readDirectory(import.meta.dirname, ['.ts']).filter((file) => !file.endsWith('.test.ts')),
  { noLib: true, module: ts.ModuleKind.NodeNext, allowImportingTsExtensions: true },
);
const checker = program.getTypeChecker();

const listExports = (entry: string): Export[] => {
  const source = program.getSourceFile(join(import.meta.dirname, entry));
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} exports nothing`);
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    return {
      name: exported.name,
      text: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      isFunction: symbol.declarations?.some(isFunction) ?? false,
      examples: symbol
        .getJsDocTags(checker)
        .flatMap(({ name, text }) => (name === 'example' ? [ts.displayPartsToString(text)] : [])),
    };
  });
};

describe.each(Object.entries(ENTRIES))('%s', (entry, values) => {
  const exported = listExports(entry);
  const functions = exported.filter((each) => each.isFunction);

  test('documents each export', () => {
    const names = exported.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(values)));
    expect(exported.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([]);
  });

  test('an entry point has an example for each function', () => {
    expect(functions.map(({ name }) => name).sort()).toEqual(
      Object.entries(values)
        .flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
        .sort(),
    );
    expect(functions.filter(({ examples }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  });
});

const functions = Object.keys(ALL).flatMap((entry) => listExports(entry).filter((each) => each.isFunction));

test.each(functions)('the example of $name gives the stated result', async ({ examples }) => {
  for (const example of examples) {
    const [, code = '', expected = ''] = /^(.*) \/\/ (.*)$/s.exec(example) ?? [];
    const scope = { ...Object.assign({}, ...Object.values(ALL)), broker: exampleBroker() };
    expect(JSON.stringify(await runInNewContext(code, scope)), example).toBe(
      JSON.stringify(runInNewContext(`(${expected})`)),
    );
  }
});

/** Names that a source imports from an entry of the contract. */
const listImported = (file: string): string[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const names = statement.importClause?.namedBindings;
    if (!/^@broker-transparency\/contract(\/|$)/.test(statement.moduleSpecifier.text)) return [];
    return names && ts.isNamedImports(names) ? names.elements.map((each) => (each.propertyName ?? each.name).text) : [];
  });
};

/** Returns the closed and open lists of values in a part of an OpenAPI document, as JSON. */
const listEnums = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === 'enum' || key === 'x-extensible-enum' ? [JSON.stringify(value)] : listEnums(value),
  );
};

test('every value that an entry exports is a schema, a list in the API, or used beside the server', () => {
  const root = join(import.meta.dirname, '../..');
  const used = new Set(
    ['client/src', 'client/scripts', 'packages/portal', 'docs/recipes'].flatMap((folder) =>
      ts.sys.readDirectory(join(root, folder), ['.ts'], ['**/node_modules']).flatMap(listImported),
    ),
  );
  const given = { serverUrl: 'https://brokers.example', version: '1.0.0' };
  const documents = [
    openapi.openApiDocument(given),
    openapi.recordOpenApiDocument(given),
    openapi.accountOpenApiDocument(given),
    enterprise.enterpriseOpenApiDocument(given),
  ];
  const lists = new Set(documents.flatMap(listEnums));
  const readme = readFileSync(join(root, 'contract/README.md'), 'utf8');
  const values = Object.values(ENTRIES).flatMap((entry) => Object.entries<unknown>(entry));
  expect(
    values.flatMap(([name, value]) => {
      const isPublic = value instanceof z.ZodType || lists.has(JSON.stringify(value));
      return isPublic || used.has(name) || readme.includes(`\`${name}`) ? [] : [name];
    }),
    'Move these to where the server needs them, or say in contract/README.md what a reader does with them.',
  ).toEqual([]);
});
