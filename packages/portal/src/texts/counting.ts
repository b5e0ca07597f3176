/** Forms of a text by plural category, or by an exact count such as `=1`. */
interface PluralForms {
  readonly [form: string]: string;
  readonly other: string;
}

/** Creates the functions by which messages of a language count. */
export const createCounting = (locale: string) => {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  return {
    number: (value: number): string => numbers.format(value),
    plural: (count: number, forms: PluralForms): string =>
      forms[`=${count}`] ?? forms[rules.select(count)] ?? forms.other,
  };
};

/** A message about a count. */
export type CountMessage = (said: { readonly count: number }) => string;
