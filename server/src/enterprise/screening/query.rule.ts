import { Lei, RegulatorCode, Text } from '@broker-transparency/contract';
import { SCREENED_FIELDS, type ScreeningAnswer, type ScreeningQuery } from '@broker-transparency/contract/enterprise';
import * as z from 'zod';
import type { FirmQuery } from '../../published/look-alikes/grade.rule.ts';

type Faults = NonNullable<ScreeningAnswer['results'][number]['faults']>;

/** The fields in searchable form. */
const Searched = z.object({
  lei: Lei.optional(),
  name: Text(2, 200).optional(),
  domain: Text(3, 300).optional(),
  licenseNumber: Text(1, 80).optional(),
  regulator: RegulatorCode.optional(),
});

const trimmed = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

/** Returns a query in searchable form, or all its faults. */
export const readQuery = ({ lei, name, domain, licenseNumber, regulator }: ScreeningQuery): FirmQuery | Faults => {
  const { data, error } = Searched.safeParse({
    lei: trimmed(lei)?.replaceAll(/\s/g, '').toUpperCase(),
    name: trimmed(name),
    domain: trimmed(domain),
    licenseNumber: trimmed(licenseNumber),
    regulator: trimmed(regulator)?.toLowerCase(),
  });
  if (error)
    return error.issues.map(({ path, message }) => ({ field: String(path[0]) as Faults[0]['field'], message }));
  if (SCREENED_FIELDS.every((field) => data[field] === undefined))
    return [{ field: 'query', message: 'must have lei, name, domain or licenseNumber' }];
  return data;
};
