import {
  type FactCandidates,
  findContested,
  listRanked,
  type ResolvedFacts,
} from '../../ledger/statements/statement.rule.ts';
import type { RegulatorState } from './record.rule.ts';

/** Fields about which sources can differ. All are needed. */
const CONTESTABLE = [
  'name',
  'country',
  'tier',
  'tierReason',
  'website',
  'registerUrl',
  'complaintsUrl',
  'protections',
  'sources',
] as const satisfies (keyof RegulatorState)[];

/** Returns the latest time that any source states, since each looks for itself. */
const findLatest = (candidates: FactCandidates, field: 'lastVerifiedAt' | 'registerReadAt'): string | null =>
  listRanked(candidates, field)
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
  const times = {
    lastVerifiedAt: findLatest(candidates, 'lastVerifiedAt'),
    registerReadAt: findLatest(candidates, 'registerReadAt'),
  };
  const state = { _id: name, ...fields, ...times } as RegulatorState;
  return { state, contested: findContested(candidates, CONTESTABLE) };
};
