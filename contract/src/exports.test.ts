import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as kernel from '@broker-transparency/kernel';
import * as log from '@broker-transparency/log';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import * as enterprise from './enterprise.ts';
import * as contract from './index.ts';
import { exampleBroker } from './openapi/example-broker.ts';
import * as openapi from './openapi.ts';
import * as record from './record.ts';
import * as score from './score.ts';

const ENTRIES = {
  'enterprise.ts': enterprise,
  'index.ts': contract,
  'openapi.ts': openapi,
  'record.ts': record,
  'score.ts': score,
};

/** The private packages that server and client import as they are. */
const BENEATH = {
  '../../packages/kernel/src/index.ts': kernel,
  '../../packages/log/src/index.ts': log,
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

const exportsOf = (entry: string): Export[] => {
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
  const exported = exportsOf(entry);
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

describe.each(Object.keys(ALL))('%s', (entry) => {
  const functions = exportsOf(entry).filter((each) => each.isFunction);

  test.each(functions)('the example of $name gives the stated result', async ({ examples }) => {
    for (const example of examples) {
      const [, code = '', expected = ''] = /^(.*) \/\/ (.*)$/s.exec(example) ?? [];
      const scope = { ...Object.assign({}, ...Object.values(ALL)), broker: exampleBroker() };
      expect(JSON.stringify(await runInNewContext(code, scope)), example).toBe(
        JSON.stringify(runInNewContext(`(${expected})`)),
      );
    }
  });
});
