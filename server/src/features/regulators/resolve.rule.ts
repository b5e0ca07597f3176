import {
  type FactCandidates,
  findContested,
  listRanked,
  type ResolvedFacts,
} from '../../ledger/statements/statement.rule.ts';
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

/** Fields about which sources can differ. */
const CONTESTABLE = FIELDS.filter((field) => field !== 'lastVerifiedAt');

/** Returns when the regulator was last checked: the latest time that any source names, since each looked for itself. */
const findLastVerified = (candidates: FactCandidates): string | null =>
  listRanked(candidates, 'lastVerifiedAt')
    .map(({ value }) => value as string | null)
    .reduce((last, value) => (value !== null && (last === null || value > last) ? value : last), null);

/** Returns what is published of a regulator: of each field what the strongest source says, and the latest check. */
export const resolveRegulator = (
  { name }: { readonly name: string },
  candidates: FactCandidates,
): ResolvedFacts<RegulatorState> => {
  const findFirst = (field: string) => listRanked(candidates, field)[0]?.value;
  if (CONTESTABLE.some((field) => findFirst(field) === undefined)) return { state: null, contested: [] };
  const fields = Object.fromEntries(CONTESTABLE.map((field) => [field, findFirst(field)]));
  const state = { _id: name, ...fields, lastVerifiedAt: findLastVerified(candidates) } as RegulatorState;
  return { state, contested: findContested(candidates, CONTESTABLE) };
};
