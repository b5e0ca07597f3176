import type { PageContext } from '../page.ts';

/** Short names that are not the letters of the code. */
const SPELT: Readonly<Record<string, string>> = {
  'adgm-fsra': 'ADGM FSRA',
  bafin: 'BaFin',
  bappebti: 'Bappebti',
  cysec: 'CySEC',
  'finanstilsynet-dk': 'Finanstilsynet',
  'finanstilsynet-no': 'Finanstilsynet',
  finfsa: 'FIN-FSA',
  'latvijas-banka': 'Latvijas Banka',
};

/**
 * Returns the short name of a regulator with its country, since several countries have one of the same name.
 * @example nameRegulator(context, { code: 'fsa-sc', country: 'SC' }) // 'FSA (Seychelles)'
 */
export const nameRegulator = (
  { format }: Pick<PageContext, 'format'>,
  { code, country }: { readonly code: string; readonly country: string },
): string => {
  const ending = `-${country.toLowerCase()}`;
  const letters = code.endsWith(ending) ? code.slice(0, -ending.length) : code;
  return `${SPELT[code] ?? letters.toUpperCase()} (${format.country(country)})`;
};
