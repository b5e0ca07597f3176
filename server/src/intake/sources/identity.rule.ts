import { parseLei } from '@broker-transparency/matching';
import {
  type Row,
  readDay,
  readFirst,
  readValues,
  requireValue,
  UnreadableFileError,
} from '@broker-transparency/tables/rules';
import type { IdentityEntry } from './entry.rule.ts';
import type { IdentitySource } from './source.rule.ts';

/** Parses a row of a register of LEIs. @throws UnreadableFileError with line and column */
export const toIdentityEntry = (row: Row, source: IdentitySource): IdentityEntry => {
  const lei = parseLei(requireValue(row, source.lei));
  if (lei === undefined)
    throw new UnreadableFileError(`${row.at}: "${readFirst(row, source.lei).slice(0, 40)}" is not an LEI`);
  const of = (place: Parameters<typeof readFirst>[1]): string | null => readFirst(row, place) || null;
  return {
    at: row.at,
    lei,
    legalName: requireValue(row, source.legalName),
    otherNames: readValues(row, source.otherNames),
    country: of(source.country),
    registeredAt: of(source.registeredAt),
    registeredAs: of(source.registeredAs),
    entityStatus: of(source.entityStatus),
    leiStatus: of(source.leiStatus),
    successor: parseLei(readFirst(row, source.successor)) ?? null,
    nextRenewal: readDay(row, source.nextRenewal, source) ?? null,
  };
};
