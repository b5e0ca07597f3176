/** Countries of the European Economic Area: a licence of one of them can reach into the others. */
const EEA: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

/**
 * Returns the countries whose regulators could license a firm for clients in a country: itself, and in the European
 * Economic Area all of its countries.
 * @example listLicensingCountries('CH') // ['CH']
 */
export const listLicensingCountries = (residence: string): readonly string[] =>
  EEA.has(residence) ? [...EEA] : [residence];
