import type { NewsItem, Regulator } from '@broker-transparency/client';

/** Warnings of the authorities of one country; undefined: of others. */
export interface CountryWarnings {
  readonly country: string | undefined;
  readonly items: readonly NewsItem[];
}

interface Bounds {
  readonly countries: number;
  /** Of all countries; each has as many as the others. */
  readonly items: number;
}

const isIn = (language: string, code: string): boolean => language === code || language.startsWith(`${code}-`);

/**
 * Groups warnings by the country of the authority that warns. Warnings that were taken back are left out. Items in the
 * language of the page come first, in each country and among countries; then the newer ones.
 * @param items news, newest first
 * @param countries country of each regulator, by code
 * @param language language of the page, such as `de`
 */
export const groupByCountry = (
  items: readonly NewsItem[],
  countries: ReadonlyMap<string, Regulator['country']>,
  language: string,
  bounds: Bounds,
): CountryWarnings[] => {
  const own = items
    .filter(({ category, correctedAt }) => category === 'warning' && correctedAt === undefined)
    .map((item, at) => ({ item, at, rank: isIn(item.language, language) ? 0 : 1 }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at);
  const groups = new Map<string | undefined, NewsItem[]>();
  for (const { item } of own) {
    const country = item.regulatorCodes.map((code) => countries.get(code)).find((found) => found !== undefined);
    groups.set(country, [...(groups.get(country) ?? []), item]);
  }
  const shown = [...groups]
    .toSorted(([a], [b]) => Number(a === undefined) - Number(b === undefined))
    .slice(0, bounds.countries);
  const perCountry = Math.floor(bounds.items / shown.length);
  return shown.map(([country, found]) => ({ country, items: found.slice(0, perCountry) }));
};
