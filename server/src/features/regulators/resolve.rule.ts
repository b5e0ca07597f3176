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

/** Returns the time of the regulator's last check: the latest of all sources, since each checks for itself. */
const findLastVerified = (candidates: FactCandidates): string | null =>
  listRanked(candidates, 'lastVerifiedAt')
    .map(({ value }) => value as string | null)
    .reduce((last, value) => (value !== null && (last === null || value > last) ? value : last), null);

/** Returns the published facts of a regulator: each field from the strongest source, and the latest check. */
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
