import * as z from 'zod';
import { sourceFiles } from '../../assets.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { Source } from './source.rule.ts';

type Kind = Source['kind'];
type OfKind<K extends Kind> = Extract<Source, { kind: K }>;

/** Files of the package, read once for all services of the process: they never change. Lists of operators are not among them. */
let files: ReadonlyMap<string, unknown> | undefined;
const known = new Map<string, Source>();

const all = (): ReadonlyMap<string, unknown> => {
  files ??= sourceFiles();
  return files;
};

/** Checks a mapping file. @throws DomainError invalid_input naming the field at fault */
export const parseSource = (name: string, content: unknown): Source => {
  const { success, data, error } = Source.safeParse(content);
  if (!success) throw new DomainError('invalid_input', `The mapping ${name} is wrong:\n${z.prettifyError(error)}`);
  if (data.name !== name) throw new DomainError('invalid_input', `The mapping ${name} calls itself ${data.name}.`);
  return data;
};

/** Returns the names of all sources of a kind, without checking their files. */
export const sourceNames = (kind?: Kind): string[] =>
  [...all()].flatMap(([name, content]) =>
    kind === undefined || (content as { kind?: unknown }).kind === kind ? [name] : [],
  );

/** Returns a source. @throws DomainError invalid_input if there is none of this name and kind */
export const requireSource = <K extends Kind = Kind>(name: string, kind?: K): OfKind<K> => {
  const source = known.get(name) ?? (all().has(name) ? parseSource(name, all().get(name)) : undefined);
  if (!source || (kind !== undefined && source.kind !== kind))
    throw new DomainError('invalid_input', `There is no source "${name}" of ${kind ?? 'any kind'}.`);
  known.set(name, source);
  return source as OfKind<K>;
};

/** Returns all sources of a kind. */
export const sourcesOf = <K extends Kind>(kind: K): OfKind<K>[] =>
  sourceNames(kind).map((name) => requireSource(name, kind));
