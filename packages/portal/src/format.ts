/** Creates the formatters of numbers, days and countries for a language. All times are in UTC. */
export const createFormat = (locale: string) => {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const fixed = [0, 1, 2].map(
    (digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    number: (value: number): string => number.format(value),
    /** Formats a number with exactly `digits` decimals, for columns. */
    fixed: (value: number, digits: 0 | 1 | 2): string => (fixed[digits] as Intl.NumberFormat).format(value),
    /** @param share 0 to 1 */
    percent: (share: number): string => percent.format(share),
    day: (iso: string): string => day.format(new Date(iso)),
    /** @param iso a day, a time, or a month such as `2026-11` */
    month: (iso: string): string => month.format(new Date(iso)),
    time: (iso: string): string => `${time.format(new Date(iso))} UTC`,
    /** @param amount with two decimals, as text */
    money: ({ amount, currency }: { readonly amount: string; readonly currency: string }): string =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        trailingZeroDisplay: 'stripIfInteger',
      }).format(Number(amount)),
    /** @param code ISO 3166-1 alpha-2 */
    country: (code: string): string => countries.of(code) ?? code,
    list: (items: readonly string[]): string => list.format(items),
  };
};
export type Format = ReturnType<typeof createFormat>;
