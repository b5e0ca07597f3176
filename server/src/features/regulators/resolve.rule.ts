import {
  type Candidates,
  contestedIn,
  isSame,
  type Resolved,
  ranked,
  type Said,
} from '../../platform/statements/statement.rule.ts';
import type { RegulatorState } from './record.rule.ts';

/** The fields of a regulator. All are needed. */
const FIELDS = [
  'name',
  'country',
  'tier',
  'tierReason',
  'website',
  'registerUrl',
  'complaintsUrl',
  'protections',
  'sources',
  'lastVerifiedAt',
] as const satisfies (keyof RegulatorState)[];

/** Fields that can be published as null. */
const NULLABLE: ReadonlySet<string> = new Set(['lastVerifiedAt']);

/** Returns what is published of a regulator: of each field what the strongest source says. */
export const resolveRegulator = (
  { name }: { readonly name: string },
  candidates: Candidates,
): Resolved<RegulatorState> => {
  const first = (field: string) => ranked(candidates, field)[0]?.value ?? (NULLABLE.has(field) ? null : undefined);
  if (FIELDS.some((field) => first(field) === undefined)) return { state: null, contested: [] };
  const fields = Object.fromEntries(FIELDS.map((field) => [field, first(field)]));
  return { state: { _id: name, ...fields } as RegulatorState, contested: contestedIn(candidates, FIELDS) };
};

/** Returns what an editor would have to state so that the first facts become the second. */
export const regulatorDifference = (from: RegulatorState | null, to: RegulatorState): Said[] =>
  FIELDS.filter((field) => !isSame(from?.[field], to[field])).map((property): Said => {
    const value = to[property];
    return value === null || value === undefined ? { property } : { property, value };
  });
