import type { JsonSchema, OpenApiDocument } from '@broker-transparency/contract/openapi';
import openapiTS, { type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { addHovers, describeLimits } from './hovers.ts';
import { comment } from './names.ts';

const file = ts.createSourceFile('api.ts', '', ts.ScriptTarget.ES2023);
const printer = ts.createPrinter();

/** Returns the name in `components["schemas"]["Name"]`. */
const findReferredName = (node: ts.Node): string | undefined => {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { indexType } = node;
  return ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : undefined;
};

/**
 * Adds `undefined` to the type of an optional field. Callers under `exactOptionalPropertyTypes` can then pass one on.
 */
const addUndefined = (type: ts.TypeNode): ts.TypeNode =>
  ts.factory.createUnionTypeNode([type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]);

const toLiteralType = (value: unknown): ts.TypeNode =>
  ts.factory.createLiteralTypeNode(
    typeof value === 'number' ? ts.factory.createNumericLiteral(value) : ts.factory.createStringLiteral(String(value)),
  );

/** Builds `'green' | 'red' | (string & {})`. Editors offer the known values, and the compiler expects others too. */
const toExtensibleType = ({ 'x-extensible-enum': values, type }: JsonSchema): ts.TypeNode | undefined => {
  if (!Array.isArray(values)) return undefined;
  const any = ts.factory.createKeywordTypeNode(
    type === 'integer' ? ts.SyntaxKind.NumberKeyword : ts.SyntaxKind.StringKeyword,
  );
  const other = ts.factory.createIntersectionTypeNode([any, ts.factory.createTypeLiteralNode([])]);
  return ts.factory.createUnionTypeNode([...values.map(toLiteralType), ts.factory.createParenthesizedType(other)]);
};

/** Turns references to components into plain names. */
const resolveReferences = <N extends ts.TypeNode>(type: N): ts.TypeNode =>
  ts.transform<ts.TypeNode>(type, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const name = findReferredName(node);
        if (name !== undefined) return ts.factory.createTypeReferenceNode(name);
        const child = ts.visitEachChild(node, visit, context);
        if (!ts.isPropertySignature(child) || child.questionToken === undefined || child.type === undefined)
          return child;
        return ts.factory.updatePropertySignature(
          child,
          child.modifiers,
          child.name,
          child.questionToken,
          addUndefined(child.type),
        );
      };
      return visit(root) as ts.TypeNode;
    },
  ]).transformed[0] as ts.TypeNode;

const printType = (type: ts.TypeNode): string =>
  printer
    .printNode(ts.EmitHint.Unspecified, resolveReferences(type), file)
    .replace(/^\s*\/\*\* @enum \{\w+\} \*\/\n/gm, '')
    .replace(/^\s*\* @enum \{\w+\}\n/gm, '')
    .replaceAll('@description ', '')
    .replace(/^(\s*\*) {5}/gm, '$1 ') // continuation lines of a description
    .replace(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */')
    .replaceAll('    ', '  ');

/** Returns the members of `components.schemas` from openapi-typescript's output, by name. */
const readMemberTypes = (nodes: readonly ts.Node[]): Map<string, ts.TypeNode> => {
  const types = new Map<string, ts.TypeNode>();
  for (const node of nodes) {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') continue;
    const schemas = node.members.find((member) => isNamed(member, 'schemas'));
    if (
      schemas === undefined ||
      !ts.isPropertySignature(schemas) ||
      !schemas.type ||
      !ts.isTypeLiteralNode(schemas.type)
    )
      continue;
    for (const member of schemas.type.members)
      if (ts.isPropertySignature(member) && member.type && ts.isIdentifier(member.name))
        types.set(member.name.text, member.type);
  }
  return types;
};

const isNamed = (member: ts.TypeElement, name: string): boolean =>
  member.name !== undefined && ts.isIdentifier(member.name) && member.name.text === name;

const printDeclaration = (name: string, type: ts.TypeNode): string =>
  ts.isTypeLiteralNode(type)
    ? `export interface ${name} ${printType(type)}\n`
    : `export type ${name} = ${printType(type)};\n`;

const collectNotes = (name: string, schemas: Record<string, JsonSchema>, notes: Map<string, string[]>): string[] => {
  const schema = schemas[name] as JsonSchema;
  const { description, examples } = schema;
  return [
    ...new Set([
      ...(description === undefined ? [] : [description]),
      ...(schema.properties === undefined ? describeLimits(schema) : []),
      ...(notes.get(name) ?? []),
      ...(typeof examples?.[0] === 'string' ? [`@example const value: ${name} = '${examples[0]}';`] : []),
    ]),
  ];
};

/**
 * Returns the source of one named TypeScript type per schema, built by openapi-typescript.
 * @param schemas components of an OpenAPI 3.1 document
 * @param notes lines of documentation by name
 * @param isDeclared tells whether the source declares a type; other types are only referred to
 */
export const typesSource = async (
  schemas: Record<string, JsonSchema>,
  notes: Map<string, string[]>,
  isDeclared: (name: string) => boolean,
): Promise<string> => {
  const document: Pick<OpenApiDocument, 'openapi' | 'info'> & { paths: object; components: object } = {
    openapi: '3.1.1',
    info: { title: 'types', version: '0', description: '', license: { name: 'MIT', identifier: 'MIT' } },
    paths: {},
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, addHovers(schema, schemas)])),
    },
  };
  const nodes = await openapiTS(document as OpenAPI3, {
    defaultNonNullable: false,
    silent: true,
    transform: (schema) => toExtensibleType(schema as JsonSchema),
  });
  return [...readMemberTypes(nodes)]
    .filter(([name]) => isDeclared(name))
    .map(([name, type]) => comment(collectNotes(name, schemas, notes)) + printDeclaration(name, type))
    .join('\n');
};
