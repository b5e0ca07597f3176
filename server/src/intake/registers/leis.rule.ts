import { nameKey } from '@broker-transparency/matching';
import type { IdentityEntry } from '../sources/entry.rule.ts';

/** One of our entities that has an LEI. */
export interface OurIdentity {
  readonly broker: string;
  readonly legalName: string;
  readonly lei: string;
}

/** States of an LEI that say that the record no longer stands for a firm of its own. */
const GONE = new Set(['MERGED', 'RETIRED', 'ANNULLED', 'DUPLICATE', 'CANCELLED']);

/**
 * Returns what a register of LEIs says against one of our entities, a sentence each. That an LEI has lapsed concerns its
 * fee: it says nothing of the firm and nothing of a licence.
 */
export const listLeiFaults = ({ legalName }: OurIdentity, entry: IdentityEntry): string[] => {
  const { entityStatus, leiStatus, successor } = entry;
  const names = [entry.legalName, ...entry.otherNames];
  const isAnother = !names.some((name) => nameKey(name) === nameKey(legalName));
  const heir = successor === null ? '' : `, its successor is ${successor}`;
  return [
    ...(isAnother ? [`belongs to "${entry.legalName}"`] : []),
    ...(leiStatus !== null && GONE.has(leiStatus) ? [`is ${leiStatus}${heir}`] : []),
    ...(entityStatus === 'INACTIVE' && !GONE.has(leiStatus ?? '') ? [`stands for a firm that is INACTIVE${heir}`] : []),
    ...(leiStatus === 'LAPSED' ? ['is LAPSED: it was not renewed, which says nothing of a licence'] : []),
  ];
};
