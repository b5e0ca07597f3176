import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listEntries, type PackedPackage, pack } from '../pack.ts';
import { compile, type Project, writeProject } from './project.ts';

/* The declarations of the client in a project that has no other package. */

/** As in `consumer.test.ts`. */
const TSC = join(import.meta.dirname, '../../../node_modules/typescript-7/bin/tsc');

let folder: string;
let client: PackedPackage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entry-types-'));
  client = await pack('client', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const importAll = (): string =>
  listEntries(client)
    .map((entry, at) => `import * as entry${at} from '${entry}';\nexport type Entry${at} = typeof entry${at};\n`)
    .join('');

test.each(['nodenext', 'bundler'] as const)(
  'every entry of the client compiles alone under %s, with every declaration checked',
  async (module) => {
    const project: Project = {
      folder: join(folder, module),
      source: importAll(),
      kind: 'module',
      module,
      skipLibCheck: false,
    };
    await writeProject(project);
    expect(await compile(TSC, project)).toBe('');
  },
);

/** Returns the names of the exports that are `any`, or whose members, parameters or results are. */
const findAny = (checker: ts.TypeChecker, symbol: ts.Symbol, entry: string): string[] => {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const name = `${entry} ${symbol.name}`;
  const isAny = (type: ts.Type) => (type.flags & ts.TypeFlags.Any) !== 0;
  const types = [
    ...(target.flags & ts.SymbolFlags.Value ? [checker.getTypeOfSymbol(target)] : []),
    ...(target.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(target)] : []),
  ];
  if (types.length === 0) return [`${name} is nothing`];
  return types.flatMap((type) => {
    if (isAny(type)) return [name];
    const signatures = [...type.getCallSignatures(), ...type.getConstructSignatures()];
    return [
      ...type
        .getProperties()
        .filter((property) => property.name !== '#private')
        .map((property) => [property.name, checker.getTypeOfSymbol(property)] as const),
      ...signatures.flatMap((signature) => [
        ['()', signature.getReturnType()] as const,
        ...signature.parameters.map((each) => [each.name, checker.getTypeOfSymbol(each)] as const),
      ]),
    ].flatMap(([member, type]) => (isAny(type) ? [`${name} ${member}`] : []));
  });
};

test('no export of any entry is any, and none has a member, parameter or result that is', async () => {
  const project: Project = {
    folder: join(folder, 'types'),
    source: importAll(),
    kind: 'module',
    module: 'nodenext',
    skipLibCheck: false,
  };
  await writeProject(project);
  const file = join(project.folder, 'tsconfig.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    project.folder,
  );
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(fileNames[0] ?? '');
  const found = [...(source?.statements ?? [])].filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier }) => {
    const module = checker.getSymbolAtLocation(moduleSpecifier);
    const exports = module ? checker.getExportsOfModule(module) : [];
    expect(exports.length, moduleSpecifier.getText()).toBeGreaterThan(0);
    const [, , entry = '.'] = moduleSpecifier.getText().replaceAll("'", '').split('/');
    return exports.flatMap((symbol) => findAny(checker, symbol, entry));
  });
  expect(found).toEqual([]);
});
