import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import ts from 'typescript';
import { compile, type Project, writeProject } from './consumer/project.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

/** The declarations of a package. */
export interface Declarations {
  /** Texts by file name, such as `index.d.ts`. */
  readonly files: Readonly<Record<string, string>>;
  /** File names by entry, such as `.` or `./openapi`. */
  readonly entries: Readonly<Record<string, string>>;
}

interface Break {
  readonly name: string;
  readonly reason: string;
}

/** Removes private members: they make a class incompatible with its own copy, and users cannot see them. */
const comparable = (declarations: string): string => declarations.replace(/^ +(#private|private .*);$/gm, '');

const writeDeclarations = async (folder: string, { files }: Declarations): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), comparable(text));
  }
};

/** Links the packages that the declarations import. */
const linkDependencies = async (folder: string): Promise<void> => {
  const modules = join(folder, 'node_modules');
  for (const scope of ['@ts-rest', '@broker-transparency']) await mkdir(join(modules, scope), { recursive: true });
  for (const name of ['zod', '@ts-rest/core'])
    await symlink(join(ROOT, 'contract/node_modules', name), join(modules, name));
  await symlink(join(ROOT, 'contract'), join(modules, '@broker-transparency/contract'));
};

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The exports of declaration files by name. One program reads all files, since each reads the libraries anew. */
const exportsOf = (files: readonly string[]): ((file: string) => ReadonlyMap<string, ts.Symbol>) => {
  const program = ts.createProgram(files, OPTIONS);
  const checker = program.getTypeChecker();
  return (file) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    return new Map(
      checker
        .getExportsOfModule(module)
        .map((symbol) => [
          symbol.name,
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        ]),
    );
  };
};

const textOf = (symbol: ts.Symbol | undefined): string | undefined =>
  symbol?.declarations?.map((declaration) => declaration.getText()).join('\n');

const isGeneric = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some(
    (node) => (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.typeParameters !== undefined,
  ) ?? false;

/** Whether callers create values of this type. Values that were valid before must stay valid. */
const isRequest = (name: string): boolean => /(Options|Query|Submission|Fixtures?)$/.test(name);

/** Assignments that must compile for a name, one per line. `now` is the module of the new declarations. */
const checksOf = (name: string, symbol: ts.Symbol, now: string): string[] => {
  if ((symbol.flags & ts.SymbolFlags.Value) !== 0) {
    const value = `export const value_${name}: Seen<typeof Before.${name}> = some as Seen<typeof Now.${name}>;`;
    return [value, ...typeChecksOf(name, symbol, now)];
  }
  return typeChecksOf(name, symbol, now);
};

const typeChecksOf = (name: string, symbol: ts.Symbol, now: string): string[] => {
  if ((symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) === 0) return [];
  // Generic types are compared where other types use them. Here they only have to exist.
  if (isGeneric(symbol)) return [`import type { ${name} as generic_${name} } from '${now}';`];
  const [to, from] = isRequest(name) ? ['Now', 'Before'] : ['Before', 'Now'];
  return [
    `export const type_${name}: ${to}.${name} = some as ${from}.${name};`,
    // an assignment does not notice a removed optional field
    `export const keys_${name}: keyof Now.${name} = some as keyof Before.${name};`,
  ];
};

/**
 * `Seen` maps values to what users depend on: a schema to its output, or to its input in a request. It omits texts for
 * people.
 */
const PREAMBLE = `
type Takes = 'body' | 'query' | 'pathParams' | 'headers';
type Words = 'title' | 'cure' | 'summary' | 'description' | 'metadata';
type Seen<T> = T extends { _zod: { output: infer O } } ? O
  : T extends (...args: never) => unknown ? T
  : T extends abstract new (...args: never) => unknown ? T
  : { [K in keyof T as K extends Words ? never : K]:
      K extends Takes ? (T[K] extends { _zod: { input: infer I } } ? (value: I) => void : T[K]) : Seen<T[K]> };
declare const some: never;
`.split('\n');

interface Line {
  readonly name: string;
  readonly code: string;
}

/** The module with the checks of one entry. */
const checkModule = (exported: ReadonlyMap<string, ts.Symbol>, entry: string, file: string): Line[] => {
  const module = (folder: string) => `./${folder}/${file.replace(/\.d\.ts$/, '.js')}`;
  const imports = [
    `import type * as Before from '${module('before')}';`,
    `import type * as Now from '${module('now')}';`,
  ];
  const label = (name: string) => (entry === '.' ? name : `${entry} ${name}`);
  return [
    ...[...imports, ...PREAMBLE].map((code) => ({ name: label('as a whole'), code })),
    ...[...exported].flatMap(([name, symbol]) =>
      checksOf(name, symbol, module('now')).map((code) => ({ name: label(name), code })),
    ),
  ];
};

/** Errors of the compiler, each with the name it is about. */
const breaksIn = (report: string, modules: ReadonlyMap<string, readonly Line[]>): Break[] =>
  report.split(/^(?=\S)/m).flatMap((entry) => {
    const [, file = '', line, message] = /([\w-]+)\.ts\((\d+),\d+\): error TS\d+: ([\s\S]*)/.exec(entry) ?? [];
    const reason = (message ?? entry).trim().replace(/\s*\n\s*/g, ' ');
    const name = modules.get(file)?.[Number(line) - 1]?.name ?? 'the declarations';
    return reason === '' ? [] : [{ name, reason }];
  });

interface Comparison {
  readonly breaks: readonly Break[];
  /** Declarations by name, before and now. */
  readonly texts: ReadonlyMap<string, readonly [before: string | undefined, now: string | undefined]>;
}

/** Copies of entries that moved to another file, under their old file names. */
const movedFiles = (before: Declarations, now: Declarations): Record<string, string> => {
  const files: Record<string, string> = {};
  for (const [entry, file] of Object.entries(before.entries)) {
    const text = now.files[now.entries[entry] ?? ''];
    if (text !== undefined) files[file] = text;
  }
  return files;
};

const compare = async (before: Declarations, now: Declarations, folder: string): Promise<Comparison> => {
  const project: Project = { folder, source: 'export {};', kind: 'module', module: 'nodenext', skipLibCheck: true };
  await writeProject(project);
  await linkDependencies(folder);
  await writeDeclarations(join(folder, 'src/before'), before);
  await writeDeclarations(join(folder, 'src/now'), { ...now, files: { ...now.files, ...movedFiles(before, now) } });
  const modules = new Map<string, Line[]>();
  const texts = new Map<string, readonly [string | undefined, string | undefined]>();
  const shared = Object.entries(before.entries).filter(([entry]) => now.entries[entry] !== undefined);
  const paths = shared.flatMap(([, file]) => ['before', 'now'].map((side) => join(folder, 'src', side, file)));
  const exportsIn = exportsOf(paths);
  for (const [entry, file] of shared) {
    const exported = exportsIn(join(folder, 'src/before', file));
    const others = exportsIn(join(folder, 'src/now', file));
    const lines = checkModule(exported, entry, file);
    for (const [name, symbol] of exported)
      texts.set(entry === '.' ? name : `${entry} ${name}`, [textOf(symbol), textOf(others.get(name))]);
    const module = `check-${modules.size}`;
    modules.set(module, lines);
    await writeFile(join(folder, 'src', `${module}.ts`), lines.map(({ code }) => code).join('\n'));
  }
  const report = (await compile(TSC, project)).replaceAll(join(folder, 'src/'), '');
  return { breaks: breaksIn(report, modules), texts };
};

/** The hash that a bundler adds to a file name. It changes with every comment. */
const HASH = /-[\w-]{8}(?=\.(d\.ts|js))/g;

/** The declarations without comments, which the compiler ignores. */
const uncommented = ({ files, entries }: Declarations) => ({
  files: Object.entries(files).map(([name, text]) =>
    [name, text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, '')].map((part) => part.replace(HASH, '')),
  ),
  entries,
});

/**
 * Breaking changes for users of `before`, found by TypeScript: every new value and type must be usable in place of the
 * old one.
 * @param folder an empty folder to work in
 */
export const typeBreaks = async (before: Declarations, now: Declarations, folder: string): Promise<string[]> => {
  if (isDeepStrictEqual(uncommented(before), uncommented(now))) return [];
  const gone = Object.keys(before.entries).filter((entry) => now.entries[entry] === undefined);
  const { breaks, texts } = await compare(before, now, join(folder, 'now'));
  // Some types do not even fit their own copy, such as functions generic over mapped types. Those are compared as text.
  const itself = breaks.length === 0 ? [] : (await compare(before, before, join(folder, 'itself'))).breaks;
  const unclear = new Set(itself.map(({ name }) => name));
  const differs = (name: string): boolean => {
    const [old, other] = texts.get(name) ?? [];
    return old !== other;
  };
  return [
    ...gone.map((entry) => `the entry ${entry} is gone`),
    ...breaks.filter(({ name }) => !unclear.has(name)).map(({ name, reason }) => `${name}: ${reason}`),
    ...[...unclear].filter(differs).map((name) => `${name}: its declaration changed`),
  ];
};
