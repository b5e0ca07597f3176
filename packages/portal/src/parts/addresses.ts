import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Parameters of an address. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Returns the address of a page in the language of this one. Parameters without a value are left out. */
export const addressWith = (context: PageContext, path: string, query: Query): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const address = addressIn(context, path);
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
};
