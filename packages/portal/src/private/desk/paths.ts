import type { CaseAddress } from './actions.ts';

export const DESK_PATH = '/desk';
export const CASE_PATH = '/desk/case/:kind/:id';

/** The filter of the list from which a case was opened. */
export interface ListFilter {
  readonly of?: string | undefined;
  readonly broker?: string | undefined;
}

const toQuery = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
};

/** Returns the address of the inbox. */
export const toInboxPath = (values: Readonly<Record<string, string | undefined>>): string =>
  `${DESK_PATH}${toQuery(values)}`;

/** Returns the address of a case. @param late reviews whose decision came too late */
export const toCasePath = (
  { kind, id }: CaseAddress,
  { of, broker }: ListFilter = {},
  late: readonly string[] = [],
): string =>
  `/desk/case/${kind}/${encodeURIComponent(id)}${toQuery({ of, broker, late: late.length === 0 ? undefined : late.join(' ') })}`;
