import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Parameters of an address. */
export type LinkQuery = Readonly<Record<string, string | number | undefined>>;

/** Returns the address of a page in the language of this one. Parameters without a value are left out. */
export const addressWith = (context: PageContext, path: string, query: LinkQuery): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const address = addressIn(context, path);
  return given.length === 0 ? address : `${address}?${new URLSearchParams(given)}`;
};

/** A page of a list. */
export interface PagePosition {
  readonly page: number;
  readonly last: number;
  readonly offset: number;
}

/** Returns the position of a page number in a list of `total` items: beyond the end it is the last page. */
export const computePosition = (asked: number | undefined, total: number, size: number): PagePosition => {
  const last = Math.max(1, Math.ceil(total / size));
  const page = Math.min(Math.max(1, asked ?? 1), last);
  return { page, last, offset: (page - 1) * size };
};

/** Renders links to the pages before and after this one; nothing if there is one page. */
export const pageLinks = (
  context: PageContext,
  path: string,
  query: LinkQuery,
  { page, last }: PagePosition,
): Html | undefined => {
  const { pages } = context.texts.find;
  if (last === 1) return undefined;
  const at = (number: number): string =>
    addressWith(context, path, { ...query, page: number === 1 ? undefined : number });
  const [shown, all] = [page, last].map(context.format.number) as [string, string];
  return html`<nav class="pages" aria-label="${pages.label}">
${page > 1 && html`<a href="${at(page - 1)}" rel="prev">${pages.previous}</a>`}
<span>${pages.place(shown, all)}</span>
${page < last && html`<a href="${at(page + 1)}" rel="next">${pages.next}</a>`}
</nav>
`;
};
