import { relative } from 'node:path';
import ts from 'typescript';
import { layOut } from './report-text.ts';

/** Files by entry, such as `./log`. */
export type Entries = Readonly<Record<string, string>>;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  customConditions: ['@broker-transparency/source'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

const FORMAT =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;

const HIDDEN = ts.ModifierFlags.Private;
const printer = ts.createPrinter({ removeComments: true });

const compact = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[;,]? \}/g, ' }')
    .replace(/ ?\{ \}/g, '{}')
    .trim();

/** Writes the declarations of a package that its users see, one report per entry. */
class TypeReporter {
  readonly #folder: string;
  readonly #checker: ts.TypeChecker;
  readonly #entries: readonly (readonly [entry: string, exported: readonly ts.Symbol[]])[];
  /** The entry that declares a symbol: the first one that exports or needs it. */
  readonly #home = new Map<ts.Symbol, string>();
  /** Names of exported schemas by their type and by the type of their output. */
  readonly #schemas = new Map<ts.Type, string>();
  /** Exported routers by their text: routers that contain them name them. */
  readonly #routers = new Map<string, string>();
  readonly #needed = new Set<ts.Symbol>();
  readonly #declared = new Set<ts.Symbol>();

  constructor(folder: string, entries: Entries) {
    this.#folder = folder;
    const program = ts.createProgram(Object.values(entries), OPTIONS);
    this.#checker = program.getTypeChecker();
    this.#entries = Object.entries(entries).map(([entry, file]) => {
      const source = program.getSourceFile(file);
      const module = source && this.#checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} exports nothing`);
      return [entry, this.#checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1))] as const;
    });
    for (const [entry, exported] of this.#entries)
      for (const each of exported) {
        const symbol = this.#resolve(each);
        if (!this.#home.has(symbol)) this.#home.set(symbol, entry);
      }
    for (const symbol of this.#home.keys()) this.#nameSchema(symbol);
    for (const symbol of this.#home.keys()) this.#nameRouter(symbol);
    this.#needed.clear();
  }

  reports(): Record<string, string> {
    return Object.fromEntries(this.#entries.map(([entry, exported]) => [entry, this.#report(entry, exported)]));
  }

  #report(entry: string, exported: readonly ts.Symbol[]): string {
    const lines: string[] = [];
    const elsewhere = new Map<string, string[]>();
    for (const each of exported) {
      const symbol = this.#resolve(each);
      const home = this.#home.get(symbol) ?? entry;
      if (home === entry) lines.push(...this.#declare(each.name, symbol));
      else elsewhere.set(home, [...(elsewhere.get(home) ?? []), each.name]);
    }
    for (const symbol of this.#needed)
      lines.push(...this.#declare(symbol.name, symbol).map((line) => `internal ${line}`));
    this.#needed.clear();
    for (const [home, names] of elsewhere) lines.push(`from '${home}': ${names.join(', ')}`);
    return lines.map((line) => `${layOut(line)}\n`).join('');
  }

  #resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #nameSchema(symbol: ts.Symbol): void {
    if ((symbol.flags & ts.SymbolFlags.Variable) === 0) return;
    const type = this.#checker.getTypeOfSymbol(symbol);
    const schema = this.#findSchema(type);
    if (schema === undefined) return;
    this.#schemas.set(type, symbol.name);
    for (const each of [schema.input, schema.output])
      if (each.flags & ts.TypeFlags.Object && !this.#schemas.has(each)) this.#schemas.set(each, symbol.name);
  }

  #nameRouter(symbol: ts.Symbol): void {
    if ((symbol.flags & ts.SymbolFlags.Variable) === 0 || symbol.valueDeclaration === undefined) return;
    const text = this.#show(this.#checker.getTypeOfSymbol(symbol), symbol.valueDeclaration, true);
    if (text.includes('problems:')) this.#routers.set(text, `typeof ${symbol.name}`);
  }

  #findSchema(type: ts.Type): { input: ts.Type; output: ts.Type } | undefined {
    const internals = type.getProperty('_zod');
    if (internals === undefined) return undefined;
    const inner = this.#checker.getTypeOfSymbol(internals);
    const part = (name: string) => {
      const symbol = inner.getProperty(name);
      return symbol && this.#checker.getTypeOfSymbol(symbol);
    };
    const [input, output] = [part('input'), part('output')];
    return input && output && { input, output };
  }

  #isOurs(symbol: ts.Symbol): boolean {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    return file !== undefined && !relative(this.#folder, file).startsWith('..');
  }

  /** Notes a declaration of this package that no entry exports, so that the report has it too. */
  #need(symbol: ts.Symbol | undefined): void {
    if (symbol === undefined || this.#home.has(symbol) || this.#declared.has(symbol) || !this.#isOurs(symbol)) return;
    if (symbol.valueDeclaration && ts.isParameter(symbol.valueDeclaration)) return;
    const named =
      ts.SymbolFlags.Interface |
      ts.SymbolFlags.TypeAlias |
      ts.SymbolFlags.Class |
      ts.SymbolFlags.Enum |
      ts.SymbolFlags.Variable;
    if ((symbol.flags & named) === 0) return;
    this.#needed.add(symbol);
  }

  #declare(name: string, symbol: ts.Symbol): string[] {
    this.#declared.add(symbol);
    const lines: string[] = [];
    const inferred = `type ${name} = z.infer<typeof ${name}>`;
    for (const node of symbol.declarations ?? []) {
      if (ts.isClassDeclaration(node)) lines.push(this.#formatClass(name, node));
      else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node))
        lines.push(this.#formatNode(node));
    }
    const value = symbol.valueDeclaration;
    if (symbol.flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.Function) && value) {
      const both = lines.includes(inferred) ? 'const type' : 'const';
      lines.push(`${both} ${name}: ${this.#show(this.#checker.getTypeOfSymbol(symbol), value, true)}`);
    }
    if (lines.length === 0) throw new Error(`the export ${name} is of a kind that no report can show`);
    return lines.filter((line) => line !== inferred);
  }

  /** The text of a declaration whose types are all written out. */
  #formatNode(node: ts.Node): string {
    const visit = (child: ts.Node): void => {
      if (ts.isIdentifier(child)) {
        const symbol = this.#checker.getSymbolAtLocation(child);
        if (symbol && child.parent !== node) this.#need(this.#resolve(symbol));
      }
      ts.forEachChild(child, visit);
    };
    visit(node);
    const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
    return compact(text.replace(/^(export |default |declare )+/, '')).replace(/;$/, '');
  }

  #formatClass(name: string, node: ts.ClassDeclaration): string {
    const heritage = (node.heritageClauses ?? []).map((clause) => ` ${this.#formatNode(clause)}`).join('');
    const members = node.members.flatMap((member) => {
      if (ts.getCombinedModifierFlags(member) & HIDDEN) return [];
      if (member.name && ts.isPrivateIdentifier(member.name)) return [];
      if (ts.isConstructorDeclaration(member)) {
        const signature = this.#checker.getSignatureFromDeclaration(member);
        return signature ? [`new (${this.#parameters(signature, node)})`] : [];
      }
      const symbol = member.name && this.#checker.getSymbolAtLocation(member.name);
      if (symbol === undefined) return [];
      const flags = ts.getCombinedModifierFlags(member);
      const modifiers =
        (flags & ts.ModifierFlags.Static ? 'static ' : '') + (flags & ts.ModifierFlags.Readonly ? 'readonly ' : '');
      return [`${modifiers}${this.#property(symbol, node)}`];
    });
    const parameters = node.typeParameters?.map((each) => this.#formatNode(each)).join(', ');
    return `class ${name}${parameters ? `<${parameters}>` : ''}${heritage} { ${members.join('; ')} }`;
  }

  #property(symbol: ts.Symbol, at: ts.Node): string {
    const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : '';
    const name = /^[\w$]+$/.test(symbol.name)
      ? symbol.name
      : symbol.name.startsWith('__@')
        ? `[${symbol.name.slice(3).replace(/@.*/, '')}]`
        : `'${symbol.name}'`;
    const type = this.#checker.getTypeOfSymbol(symbol);
    return `${name}${optional}: ${optional ? this.#optional(type, at) : this.#show(type, at)}`;
  }

  #parameters(signature: ts.Signature, at: ts.Node): string {
    const parameters = signature.parameters.map((parameter) => {
      const node = parameter.valueDeclaration;
      const rest = node && ts.isParameter(node) && node.dotDotDotToken ? '...' : '';
      const optional = node && ts.isParameter(node) && this.#checker.isOptionalParameter(node) ? '?' : '';
      const name = /^\w+$/.test(parameter.name) ? parameter.name : '{}';
      const type = this.#checker.getTypeOfSymbolAtLocation(parameter, at);
      return `${rest}${name}${optional}: ${optional ? this.#optional(type, at) : this.#show(type, at)}`;
    });
    return parameters.join(', ');
  }

  #signature(signature: ts.Signature, at: ts.Node): string {
    const generics = signature.typeParameters?.map((each) => this.#typeParameter(each, at)).join(', ');
    const predicate = this.#checker.getTypePredicateOfSignature(signature);
    const result = predicate
      ? this.#checker.typePredicateToString(predicate, at, FORMAT)
      : this.#show(signature.getReturnType(), at);
    return `${generics ? `<${generics}>` : ''}(${this.#parameters(signature, at)}) => ${result}`;
  }

  #typeParameter(type: ts.TypeParameter, at: ts.Node): string {
    const limit = type.getConstraint();
    return `${type.symbol.name}${limit ? ` extends ${this.#show(limit, at)}` : ''}`;
  }

  /** The text of a type. Schemas and their outputs are named where an entry exports them. */
  #show(type: ts.Type, at: ts.Node, isTop = false): string {
    const known = this.#schemas.get(type);
    if (known !== undefined && !isTop) return known;
    const schema = this.#findSchema(type);
    if (schema && type.symbol && this.#isOurs(type.symbol) && type.symbol.flags & ts.SymbolFlags.Interface)
      return this.#named(type.symbol, this.#checker.getTypeArguments(type as ts.TypeReference), at);
    if (schema) {
      const output = this.#show(schema.output, at, isTop);
      const input = this.#show(schema.input, at, isTop);
      return input === output ? `Schema<${output}>` : `Schema<${output}, from ${input}>`;
    }
    const alias = type.aliasSymbol;
    // ts-rest wraps a router that is part of another one; its routes stay the same
    if (alias?.name === 'RecursivelyApplyOptions' && type.aliasTypeArguments?.[0])
      return this.#show(type.aliasTypeArguments[0], at, isTop);
    if (alias && !isTop) return this.#named(alias, type.aliasTypeArguments, at);
    if (type.isUnion() && !(type.flags & (ts.TypeFlags.Boolean | ts.TypeFlags.EnumLike))) return this.#union(type, at);
    if (type.isIntersection()) return type.types.map((each) => this.#show(each, at)).join(' & ');
    if ((type.flags & ts.TypeFlags.Object) === 0) return this.#checker.typeToString(type, at, FORMAT);
    if (this.#checker.isTupleType(type) || this.#checker.isArrayType(type))
      return this.#list(type as ts.TypeReference, at);
    const object = type as ts.ObjectType;
    const { symbol } = type;
    if (symbol && symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class) && !symbol.name.startsWith('__'))
      return this.#named(symbol, this.#checker.getTypeArguments(type as ts.TypeReference), at);
    const signatures = object.getCallSignatures();
    const properties = type.getProperties().filter((each) => !this.#isForPeople(each));
    const route = this.#route(properties, at);
    if (route) return (isTop ? undefined : this.#routers.get(route)) ?? route;
    const constructors = object.getConstructSignatures().map((each) => `new ${this.#signature(each, at)}`);
    if (signatures.length === 1 && signatures[0] && properties.length === 0 && constructors.length === 0)
      return this.#signature(signatures[0], at);
    const members = [
      ...constructors,
      ...signatures.map((each) => this.#signature(each, at)),
      ...this.#checker
        .getIndexInfosOfType(type)
        .map((info) => `[key: ${this.#show(info.keyType, at)}]: ${this.#show(info.type, at)}`),
      ...properties.map((each) => this.#property(each, at)),
    ];
    const text = members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
    return (isTop ? undefined : this.#routers.get(text)) ?? text;
  }

  /** Texts for people, and the policy of a route, break nobody's code. */
  #isForPeople(symbol: ts.Symbol): boolean {
    if (/^(metadata|cure|summary)$/.test(symbol.name)) return true;
    return /^(title|description)$/.test(symbol.name) && this.#checker.getTypeOfSymbol(symbol).isStringLiteral();
  }

  /** A route of a contract: method, path and what it takes, its answers, and the codes of its problems. */
  #route(properties: readonly ts.Symbol[], at: ts.Node): string | undefined {
    const find = (name: string) => properties.find((each) => each.name === name);
    const [method, path, responses] = [find('method'), find('path'), find('responses')];
    if (!method || !path || !responses) return undefined;
    const text = (symbol: ts.Symbol) => this.#show(this.#checker.getTypeOfSymbol(symbol), at);
    const takes = properties
      .filter((each) => ![method, path, responses].includes(each) && each.name !== 'description')
      .map((each) => this.#property(each, at));
    const answers = this.#checker.getTypeOfSymbol(responses).getProperties();
    const codes: string[] = [];
    const bodies = answers.flatMap((each) => {
      const [, code] = /^ProblemWith<(.*)>$/.exec(text(each)) ?? [];
      if (code === undefined) return [`${each.name}: ${text(each)}`];
      codes.push(`${each.name} ${code.replaceAll("'", '')}`);
      return [];
    });
    const members = [...takes, ...bodies, ...(codes.length > 0 ? [`problems: ${codes.join(', ')}`] : [])];
    return `${`${text(method)} ${text(path)}`.replaceAll("'", '')} { ${members.join('; ')} }`;
  }

  #named(symbol: ts.Symbol, given: readonly ts.Type[] | undefined, at: ts.Node): string {
    this.#need(symbol);
    const parameters = given?.filter((each) => !(each as { isThisType?: boolean }).isThisType);
    return `${symbol.name}${parameters?.length ? `<${parameters.map((each) => this.#show(each, at)).join(', ')}>` : ''}`;
  }

  /** The type of what may be missing, without `undefined`. */
  #optional(type: ts.Type, at: ts.Node): string {
    return type.isUnion() && !type.aliasSymbol ? this.#union(type, at, ts.TypeFlags.Undefined) : this.#show(type, at);
  }

  #union(type: ts.UnionType, at: ts.Node, without = 0): string {
    const texts = new Set(
      type.types
        .filter(({ flags }) => (flags & without) === 0)
        .map((each) => {
          if (
            each.flags & ts.TypeFlags.BooleanLiteral &&
            type.types.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2
          )
            return 'boolean';
          const text = this.#show(each, at);
          return text.includes('=>') && !text.startsWith('{') ? `(${text})` : text;
        }),
    );
    return [...texts].sort().join(' | ');
  }

  #list(type: ts.TypeReference, at: ts.Node): string {
    const parts = this.#checker.getTypeArguments(type).map((each) => this.#show(each, at));
    if (this.#checker.isArrayType(type)) {
      const readonly = type.symbol.name === 'ReadonlyArray' ? 'readonly ' : '';
      return `${readonly}${/[ ]/.test(parts[0] ?? '') && !parts[0]?.startsWith('{') ? `(${parts[0]})` : parts[0]}[]`;
    }
    const { target } = type as unknown as { target: ts.TupleType };
    const marks = target.elementFlags.map((flag) => (flag & ts.ElementFlags.Rest ? '...' : ''));
    return `${target.readonly ? 'readonly ' : ''}[${parts.map((part, index) => `${marks[index]}${part}`).join(', ')}]`;
  }
}

/**
 * Returns the reports of a package's entries: every declaration that users can name or need, without comments.
 * @param folder folder of the package's sources
 */
export const reportTypes = (folder: string, entries: Entries): Record<string, string> =>
  new TypeReporter(folder, entries).reports();
