import { leiOf } from '@broker-transparency/matching';
import type { IdentityEntry } from './entry.rule.ts';
import { dayAt, filledOf, firstOf, type SourceRow, unreadable, valuesOf } from './row.rule.ts';
import type { IdentitySource } from './source.rule.ts';

/** Reads a row of a register of LEIs. @throws DomainError unreadable_file naming line and column */
export const identityEntry = (row: SourceRow, source: IdentitySource): IdentityEntry => {
  const lei = leiOf(filledOf(row, source.lei));
  if (lei === undefined) throw unreadable(`${row.at}: "${firstOf(row, source.lei).slice(0, 40)}" is no LEI`);
  const of = (place: Parameters<typeof firstOf>[1]): string | null => firstOf(row, place) || null;
  return {
    at: row.at,
    lei,
    legalName: filledOf(row, source.legalName),
    otherNames: valuesOf(row, source.otherNames),
    country: of(source.country),
    registeredAt: of(source.registeredAt),
    registeredAs: of(source.registeredAs),
    entityStatus: of(source.entityStatus),
    leiStatus: of(source.leiStatus),
    successor: leiOf(firstOf(row, source.successor)) ?? null,
    nextRenewal: dayAt(row, source.nextRenewal, source) ?? null,
  };
};
