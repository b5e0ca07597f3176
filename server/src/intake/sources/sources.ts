import * as z from 'zod';
import { sourceFiles } from '../../assets.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { SourceMapping } from './source.rule.ts';

type SourceKind = SourceMapping['kind'];
type SourceMappingFor<K extends SourceKind> = Extract<SourceMapping, { kind: K }>;

/** Mapping files of the package, read once per process: they never change. Operators' lists are not among them. */
let files: ReadonlyMap<string, unknown> | undefined;
const known = new Map<string, SourceMapping>();

const readAll = (): ReadonlyMap<string, unknown> => {
  files ??= sourceFiles();
  return files;
};

/** Checks a mapping file. @throws DomainError invalid_input with the field at fault */
export const parseSource = (name: string, content: unknown): SourceMapping => {
  const { success, data, error } = SourceMapping.safeParse(content);
  if (!success) throw new DomainError('invalid_input', `The mapping ${name} is wrong:\n${z.prettifyError(error)}`);
  if (data.name !== name) throw new DomainError('invalid_input', `The mapping ${name} calls itself ${data.name}.`);
  return data;
};

/** Returns the names of all sources of a kind, without checking their files. */
export const listSourceNames = (kind?: SourceKind): string[] =>
  [...readAll()].flatMap(([name, content]) =>
    kind === undefined || (content as { kind?: unknown }).kind === kind ? [name] : [],
  );

/** Returns a source. @throws DomainError invalid_input if there is none of this name and kind */
export const requireSource = <K extends SourceKind = SourceKind>(name: string, kind?: K): SourceMappingFor<K> => {
  const source = known.get(name) ?? (readAll().has(name) ? parseSource(name, readAll().get(name)) : undefined);
  if (!source || (kind !== undefined && source.kind !== kind))
    throw new DomainError('invalid_input', `There is no source "${name}" of ${kind ?? 'any kind'}.`);
  known.set(name, source);
  return source as SourceMappingFor<K>;
};

/** Returns all sources of a kind. */
export const listSources = <K extends SourceKind>(kind: K): SourceMappingFor<K>[] =>
  listSourceNames(kind).map((name) => requireSource(name, kind));
