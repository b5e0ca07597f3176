import type { JsonSchema } from '@broker-transparency/contract/openapi';
import { type Call, formatCallExample, isQueryOptional, toQueryType } from './calls.ts';
import { comment, pascal } from './names.ts';

type CallTree = Map<string, Call | CallTree>;

/** Nests calls by the parts of their id. */
const buildCallTree = (calls: readonly Call[]): CallTree => {
  const root: CallTree = new Map();
  for (const call of calls) {
    const path = call.place.split('.');
    const last = path.pop() as string;
    let node = root;
    for (const part of path) {
      const child = node.get(part) ?? new Map();
      if (!(child instanceof Map)) throw new TypeError(`${call.id} lies below another operation`);
      node.set(part, child);
      node = child;
    }
    node.set(last, call);
  }
  return root;
};

type LeafWriter = (key: string, call: Call, indent: string) => string;

const writeTree = (tree: CallTree, leaf: LeafWriter, end: string, indent = '  '): string =>
  [...tree]
    .map(([key, node]) =>
      node instanceof Map
        ? `${indent}${key}: {\n${writeTree(node, leaf, end, `${indent}  `)}${indent}}${end}\n`
        : leaf(key, node, indent),
    )
    .join('');

const formatParameterType = ({ $ref, type }: JsonSchema): string =>
  $ref?.split('/').at(-1) ?? (type === 'integer' ? 'number' : 'string');

const formatParameters = (call: Call): string =>
  [
    ...call.pathParameters.map(({ name, schema }) => `${name}: ${formatParameterType(schema)}`),
    ...(call.body === undefined ? [] : [`body: ${call.body}`]),
    ...(call.query.length === 0 ? [] : [`query${isQueryOptional(call) ? '?' : ''}: ${toQueryType(call)}`]),
  ].join(', ');

/** Returns the codes that every call can answer. */
export const findCommonCodes = (calls: readonly Call[]): string[] =>
  (calls[0]?.codes ?? []).filter((code) => calls.every((call) => call.codes.includes(code)));

const formatUnion = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(' | ');

/** A removal has no data if an earlier try, whose answer was lost, has removed the thing already. */
const formatAnswerType = ({ method, answer }: Call): string => (method === 'DELETE' ? `${answer} | undefined` : answer);

const writeOperation =
  (common: readonly string[]): LeafWriter =>
  (key, call, indent) => {
    const description = call.description?.split('\n').filter(Boolean) ?? [];
    const removed = call.method === 'DELETE' ? ['Undefined if an earlier try removed it and its answer was lost.'] : [];
    const lines = [`${call.summary}.`, ...description, ...removed, `@example ${formatCallExample(call)}`];
    const item = call.list === undefined ? '' : ` item: ${call.list.item};`;
    const codes = call.codes.filter((code) => !common.includes(code));
    const own = codes.length === 0 ? '' : ` | ${formatUnion(codes)}`;
    const fields = `args: [${formatParameters(call)}]; answer: ${formatAnswerType(call)};${item} codes: CommonCode${own}`;
    return `${comment(lines, indent)}${indent}${key}: { ${fields} };\n`;
  };

/** Returns the source of the type of the codes that every call can answer. */
export const commonCodesSource = (common: readonly string[]): string => {
  const about = comment([
    'Codes of the errors that every call can meet.',
    "@example const ours: CommonCode = 'internal_error';",
  ]);
  return `${about}export type CommonCode = ${formatUnion(common)};\n`;
};

/** Returns the source of the interface that says what each call of a family takes and answers. */
export const operationsSource = (calls: readonly Call[], family: string, common: readonly string[]): string =>
  `/** What each call takes and answers. */\nexport interface ${pascal(family)}Operations {\n` +
  `${writeTree(buildCallTree(calls), writeOperation(common), ';')}}\n`;

const writeRoute: LeafWriter = (key, call, indent) => {
  const { method, path, list } = call;
  const data = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `path: '${path}'`,
    ...(call.query.length > 0 ? ['query: true'] : []),
    ...(call.body === undefined ? [] : ['body: true']),
    ...(call.hasKey ? ['key: true'] : []),
    ...(call.isOnce ? ['once: true'] : []),
    ...(call.isPublic ? ['public: true'] : []),
    ...(list === undefined ? [] : [`list: ${list.kind === 'from' ? "'from'" : true}`]),
  ];
  return `${indent}${key}: { ${data.join(', ')} },\n`;
};

/** Returns the source of data about the routes of a family, in the shape of its calls. */
export const routesSource = (calls: readonly Call[], family: string): string =>
  '/** Where each call goes, in the shape of the client. */\n' +
  `export const ${family === '' ? 'routes' : `${family}Routes`} = ` +
  `{\n${writeTree(buildCallTree(calls), writeRoute, ',')}} as const;\n`;

/** Examples of the path parameters, before a further argument. */
const formatPathArguments = ({ pathParameters }: Call): string =>
  pathParameters.map(({ example }) => `'${String(example)}', `).join('');

/** Returns notes for the types of whole requests and answers: the call that each type belongs to. */
export const callNotes = (calls: readonly Call[]): Map<string, string[]> => {
  const notes = new Map([['ProblemItem', ['Entry of `ApiError.errors`: one place in the request that is not valid.']]]);
  for (const call of calls) {
    notes.set(call.answer, [
      `Answer of \`${call.expression}\`.`,
      `@example const answer: ${formatAnswerType(call)} = ${formatCallExample(call)};`,
    ]);
    if (call.body !== undefined)
      notes.set(call.body, [
        `Body of \`${call.expression}\`.`,
        `@example const create = (body: ${call.body}) => ${call.expression}(body);`,
      ]);
    if (call.query.length > 0)
      notes.set(toQueryType(call), [
        `Query of \`${call.expression}\`.`,
        `@example const ask = (query: ${pascal(call.id)}Query) => ${call.expression}(${formatPathArguments(call)}query);`,
      ]);
  }
  return notes;
};
