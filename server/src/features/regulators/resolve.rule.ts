import { type Candidates, contestedIn, type Resolved, ranked } from '../../ledger/statements/statement.rule.ts';
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
const lastVerified = (candidates: Candidates): string | null =>
  ranked(candidates, 'lastVerifiedAt')
    .map(({ value }) => value as string | null)
    .reduce((last, value) => (value !== null && (last === null || value > last) ? value : last), null);

/** Returns what is published of a regulator: of each field what the strongest source says, and the latest check. */
export const resolveRegulator = (
  { name }: { readonly name: string },
  candidates: Candidates,
): Resolved<RegulatorState> => {
  const first = (field: string) => ranked(candidates, field)[0]?.value;
  if (CONTESTABLE.some((field) => first(field) === undefined)) return { state: null, contested: [] };
  const fields = Object.fromEntries(CONTESTABLE.map((field) => [field, first(field)]));
  const state = { _id: name, ...fields, lastVerifiedAt: lastVerified(candidates) } as RegulatorState;
  return { state, contested: contestedIn(candidates, CONTESTABLE) };
};
