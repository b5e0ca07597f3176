import { type Call, exampleOf, queryIsOptional, queryType } from './calls.ts';
import { comment, pascal } from './names.ts';

type Tree = Map<string, Call | Tree>;

/** Nests calls by the parts of their id. */
const treeOf = (calls: readonly Call[]): Tree => {
  const root: Tree = new Map();
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

type Writer = (key: string, call: Call, indent: string) => string;

const write = (tree: Tree, leaf: Writer, end: string, indent = '  '): string =>
  [...tree]
    .map(([key, node]) =>
      node instanceof Map
        ? `${indent}${key}: {\n${write(node, leaf, end, `${indent}  `)}${indent}}${end}\n`
        : leaf(key, node, indent),
    )
    .join('');

const parameters = (call: Call): string =>
  [
    ...call.pathParameters.map(({ name, schema }) => `${name}: ${schema.$ref?.split('/').at(-1) ?? 'string'}`),
    ...(call.body === undefined ? [] : [`body: ${call.body}`]),
    ...(call.query.length === 0 ? [] : [`query${queryIsOptional(call) ? '?' : ''}: ${queryType(call)}`]),
  ].join(', ');

/** Returns the codes that every call can answer. */
const commonCodes = (calls: readonly Call[]): string[] =>
  (calls[0]?.codes ?? []).filter((code) => calls.every((call) => call.codes.includes(code)));

const union = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(' | ');

const operation =
  (common: readonly string[]): Writer =>
  (key, call, indent) => {
    const description = call.description?.split('\n').filter(Boolean) ?? [];
    const lines = [`${call.summary}.`, ...description, `@example ${exampleOf(call)}`];
    const item = call.list === undefined ? '' : ` item: ${call.list.item};`;
    const codes = call.codes.filter((code) => !common.includes(code));
    const own = codes.length === 0 ? '' : ` | ${union(codes)}`;
    const fields = `args: [${parameters(call)}]; answer: ${call.answer};${item} codes: CommonCode${own}`;
    return `${comment(lines, indent)}${indent}${key}: { ${fields} };\n`;
  };

const operationsOf = (calls: readonly Call[], common: readonly string[]): string =>
  write(treeOf(calls), operation(common), ';');

/** Returns the source of the interfaces that say what each call takes and answers. */
export const operationsSource = (calls: readonly Call[], recordCalls: readonly Call[]): string => {
  const common = commonCodes([...calls, ...recordCalls]);
  const about = comment([
    'Codes of the errors that every call can meet.',
    "@example const ours: CommonCode = 'internal_error';",
  ]);
  return (
    `${about}export type CommonCode = ${union(common)};\n\n/** What each call takes and answers. */\nexport ` +
    `interface Operations {\n${operationsOf(calls, common)}}\n\n/** What each call of the record takes and answers. ` +
    `*/\nexport interface RecordOperations {\n${operationsOf(recordCalls, common)}}\n`
  );
};

const route: Writer = (key, call, indent) => {
  const { method, path } = call;
  const data = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `path: '${path}'`,
    ...(call.query.length > 0 ? ['query: true'] : []),
    ...(call.body === undefined ? [] : ['body: true']),
    ...(call.list === undefined ? [] : ['list: true']),
  ];
  return `${indent}${key}: { ${data.join(', ')} },\n`;
};

/** Returns the source of data about routes, in the shape of their client. */
export const routesSource = (calls: readonly Call[], name = 'routes'): string =>
  `/** Where each call goes, in the shape of the client. */\nexport const ${name} = ` +
  `{\n${write(treeOf(calls), route, ',')}} as const;\n`;

/** Examples of the path parameters, before a further argument. */
const pathArguments = ({ pathParameters }: Call): string =>
  pathParameters.map(({ example }) => `'${String(example)}', `).join('');

/** Returns notes for the types of whole requests and answers: the call that each type belongs to. */
export const callNotes = (calls: readonly Call[]): Map<string, string[]> => {
  const notes = new Map([['ProblemItem', ['Entry of `ApiError.errors`: one place in the request that is not valid.']]]);
  for (const call of calls) {
    notes.set(call.answer, [
      `Answer of \`${call.expression}\`.`,
      `@example const answer: ${call.answer} = ${exampleOf(call)};`,
    ]);
    if (call.body !== undefined)
      notes.set(call.body, [
        `Body of \`${call.expression}\`.`,
        `@example const create = (body: ${call.body}) => ${call.expression}(body);`,
      ]);
    if (call.query.length > 0)
      notes.set(queryType(call), [
        `Query of \`${call.expression}\`.`,
        `@example const ask = (query: ${pascal(call.id)}Query) => ${call.expression}(${pathArguments(call)}query);`,
      ]);
  }
  return notes;
};
