import { nameKey } from '@broker-transparency/matching';
import type { IdentityEntry } from '../sources/entry.rule.ts';

/** One of our entities with an LEI. */
export interface OurIdentity {
  readonly broker: string;
  readonly legalName: string;
  readonly lei: string;
}

/** States of an LEI whose record no longer represents a separate firm. */
const GONE = new Set(['MERGED', 'RETIRED', 'ANNULLED', 'DUPLICATE', 'CANCELLED']);

/**
 * Returns contradictions between a register of LEIs and one of our entities, as sentences. A lapsed LEI only concerns
 * its fee: it says nothing about the firm or a licence.
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
