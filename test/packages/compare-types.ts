import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, type Project, writeProject } from './consumer/project.ts';

const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Private members make a class unlike its own copy; nobody outside sees them. */
const comparable = (declarations: string): string => declarations.replace(/^ +(#private|private .*);$/gm, '');

/** Names behind `export { … }` or `export type { … }`. */
const exported = (declarations: string): string[] =>
  [...declarations.matchAll(/^export (?:type )?\{(.*)\};$/gm)].flatMap(([, list = '']) =>
    list.split(',').map((entry) =>
      entry
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    ),
  );

/** Parts of a declaration file by name, and what it declares them to be. */
const kindOf = (name: string, declarations: string) => {
  const found = (pattern: string) =>
    new RegExp(`^(?:declare |abstract )*${pattern} ${name}\\b`, 'm').test(declarations);
  return {
    value: found('(?:const|function|class|let|var)'),
    type: found('(?:type|interface)'),
    generic: new RegExp(`^(?:declare )*(?:type|interface) ${name}<`, 'm').test(declarations),
  };
};

/** Types that callers fill in: what they filled in before must still do. */
const isRequest = (name: string): boolean => /(Options|Query|Submission)$/.test(name);

/** The line of a generic function: two of them cannot be compared as types, so they are as text. */
const genericFunction = (name: string, declarations: string): string | undefined =>
  new RegExp(`^declare (?:const ${name}: <|function ${name}<).*$`, 'm').exec(declarations)?.[0];

const changedFunctions = (names: readonly string[], before: string, now: string): string[] =>
  names
    .filter((name) => genericFunction(name, before) !== genericFunction(name, now))
    .map((name) => `${name}: the generic function changed or is gone`);

const checksOf = (name: string, before: string): string[] => {
  const { value, type, generic } = kindOf(name, before);
  const [to, from] = isRequest(name) ? ['Now', 'Before'] : ['Before', 'Now'];
  return [
    ...(value && genericFunction(name, before) === undefined
      ? [`export const value_${name}: Seen<typeof Before.${name}> = some as Seen<typeof Now.${name}>;`]
      : []),
    ...(type && generic ? [`export type { ${name} } from './now.js';`] : []),
    ...(type && !generic
      ? [
          `export const type_${name}: ${to}.${name} = some as ${from}.${name};`,
          // an optional field that is gone shows in no assignment
          `export const keys_${name}: keyof Now.${name} = some as keyof Before.${name};`,
        ]
      : []),
  ];
};

/** How a value is seen: a schema as what it gives or takes, words for people not at all. */
const PREAMBLE = `
import type * as Before from './before.js';
import type * as Now from './now.js';

type Takes = 'body' | 'query' | 'pathParams' | 'headers';
type Words = 'title' | 'cure' | 'summary' | 'description' | 'metadata';
type Seen<T> = T extends { _zod: { output: infer O } } ? O
  : T extends (...args: never) => unknown ? T
  : T extends abstract new (...args: never) => unknown ? T
  : { [K in keyof T as K extends Words ? never : K]:
      K extends Takes ? (T[K] extends { _zod: { input: infer I } } ? (value: I) => void : T[K]) : Seen<T[K]> };
declare const some: never;
`;

/** What the compiler reports, each with the name it is about. */
const sentences = (report: string, lines: readonly string[]): string[] =>
  report.split(/^(?=\S)/m).flatMap((entry) => {
    const [, line, message] = /\((\d+),\d+\): error TS\d+: ([\s\S]*)/.exec(entry) ?? [];
    if (line === undefined || message === undefined) return entry.trim() === '' ? [] : [entry.trim()];
    const name = /(?:value|type|keys)_(\w+)/.exec(lines[Number(line) - 1] ?? '')?.[1] ?? 'an export';
    return [`${name}: ${message.trim().replace(/\s*\n\s*/g, ' ')}`];
  });

/** Where the packages are found that declarations mention. */
const dependencies = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'node_modules/@ts-rest'), { recursive: true });
  for (const name of ['zod', '@ts-rest/core'])
    await symlink(join(ROOT, 'contract/node_modules', name), join(folder, 'node_modules', name));
};

/**
 * What breaks for users of `before`, as TypeScript says it: every value and type of `now` must do where the one of `before` did.
 * @param folder an empty one to work in
 */
export const typeBreaks = async (before: string, now: string, folder: string): Promise<string[]> => {
  const project: Project = { folder, source: '', kind: 'module', module: 'nodenext', skipLibCheck: true };
  const names = exported(before);
  if (names.length === 0) throw new Error('the declarations export nothing');
  const lines = [...PREAMBLE.split('\n'), ...names.flatMap((name) => checksOf(name, before))];
  await dependencies(folder);
  await writeProject({ ...project, source: lines.join('\n') });
  await writeFile(join(folder, 'src/before.d.ts'), comparable(before));
  await writeFile(join(folder, 'src/now.d.ts'), comparable(now));
  return [...changedFunctions(names, before, now), ...sentences(await compile(TSC, project), lines)];
};
