import type { Answer, JsonSchema, OpenApiDocument, Operation } from '@broker-transparency/contract/openapi';
import { layOut } from './report-text.ts';

/** Parts of a document that break no caller: texts and examples. */
const TEXTS = ['title', 'description', 'summary', 'example', 'examples'];
const SHAPE = [
  '$ref',
  'type',
  'format',
  'enum',
  'const',
  'x-extensible-enum',
  'anyOf',
  'allOf',
  'items',
  'properties',
  'required',
];

const getRefName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const compareNames = (a: string, b: string): number => (a < b ? -1 : 1);

const sortEntries = <T>(record: Readonly<Record<string, T>> | undefined): [string, T][] =>
  Object.entries(record ?? {}).sort(([a], [b]) => compareNames(a, b));

const formatValues = (values: unknown): string =>
  (values as unknown[]).map((value) => JSON.stringify(value)).join(' | ');

/** The type of a value, without its limits. */
const formatShape = (schema: JsonSchema): string => {
  const { type, format } = schema;
  if (schema.$ref !== undefined) return getRefName(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (schema.enum) return formatValues(schema.enum);
  if (schema['x-extensible-enum']) return `${formatValues(schema['x-extensible-enum'])} | other ${type}`;
  if (schema.anyOf) return schema.anyOf.map(formatSchema).join(' | ');
  if (schema.allOf) return schema.allOf.map(formatSchema).join(' & ');
  if (schema.items) return `[${formatSchema(schema.items)}]`;
  if (schema.properties) return `{ ${formatFields(schema).join('; ')} }`;
  return `${[type ?? 'any'].flat().join(' | ')}${format ? `(${format})` : ''}`;
};

const formatSchema = (schema: JsonSchema): string => {
  const limits = sortEntries(schema)
    .filter(([key]) => !SHAPE.includes(key) && !TEXTS.includes(key))
    .map(([key, value]) => ` ${key} ${JSON.stringify(value)}`);
  return formatShape(schema) + limits.join('');
};

const formatFields = ({ properties, required }: JsonSchema): string[] =>
  sortEntries(properties).map(
    ([name, schema]) => `${name}${required?.includes(name) ? '' : '?'}: ${formatSchema(schema)}`,
  );

const formatContent = (content: Answer['content']): string =>
  sortEntries(content)
    .map(([type, { schema }]) => `${formatSchema(schema)} as ${type}`)
    .join(' or ');

const formatAnswer = (answer: Answer): string => {
  const codes = answer['x-problem-codes'];
  const parts = [formatContent(answer.content) || 'no body', ...(codes ? [`with ${codes.join(' | ')}`] : [])];
  const headers = Object.keys(answer.headers ?? {}).sort();
  return [...parts, ...(headers.length > 0 ? [`headers ${headers.join(', ')}`] : [])].join(', ');
};

/** Answers of a route; those that routes share are named in one line. */
const formatAnswers = (responses: Operation['responses']): string[] => {
  const answers = sortEntries(responses);
  const shared = answers.flatMap(([status, answer]) =>
    '$ref' in answer ? [`${status} ${getRefName(answer.$ref)}`] : [],
  );
  return [
    ...answers.flatMap(([status, answer]) => ('$ref' in answer ? [] : [`${status}: ${formatAnswer(answer)}`])),
    ...(shared.length > 0 ? [`shared answers: ${shared.join(', ')}`] : []),
  ];
};

const operationLines = (operation: Operation): string[] => [
  `policy ${JSON.stringify(operation['x-policy'])}`,
  ...(operation.parameters ?? []).map(
    ({ name, in: place, required, schema }) => `${place} ${name}${required ? '' : '?'}: ${formatSchema(schema)}`,
  ),
  ...(operation.requestBody
    ? [`body${operation.requestBody.required ? '' : '?'}: ${formatContent(operation.requestBody.content)}`]
    : []),
  ...formatAnswers(operation.responses),
];

/** Returns the report of an OpenAPI document: what a caller sends and gets, without texts and examples. */
export const reportOpenApi = ({ paths, components }: OpenApiDocument): string =>
  [
    ...sortEntries(paths).flatMap(([path, operations]) =>
      sortEntries(operations).map(
        ([method, operation]) => `${method.toUpperCase()} ${path} { ${operationLines(operation).join('; ')} }`,
      ),
    ),
    ...sortEntries(components.responses).map(([name, answer]) => `response ${name}: ${formatAnswer(answer)}`),
    ...sortEntries(components.headers).map(([name, { schema }]) => `header ${name}: ${formatSchema(schema)}`),
    ...sortEntries(components.schemas).map(([name, schema]) => `schema ${name}: ${formatSchema(schema)}`),
  ]
    .map((line) => `${layOut(line)}\n`)
    .join('');
