import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';
import { addressWith, type Query } from './addresses.ts';
import { addressFor } from './residence.ts';

/** A column of a list: its heading, the cell of a row, and whether it has numbers. The first one names the row. */
type Column<Row> = readonly [title: string, cell: (row: Row) => Html | string, kind?: 'number'];

/** A list in rows: its name in styles, and a caption that describes and counts the rows. */
interface RowList<Row> {
  readonly name: 'brokers' | 'regulated' | 'regulators';
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

/** Renders a list as a table, which is a list of facts on a phone. */
export const listTable = <Row>({
  name,
  caption,
  rows,
  columns,
}: RowList<Row>): Html => html`<table class="rows ${name}">
<caption>${caption}</caption>
<thead><tr>${columns.map(([title, , kind]) => html`<th scope="col"${kind && html` class="${kind}"`}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>
${columns.map(([title, cell, kind], at) =>
  at === 0
    ? html`<th scope="row">${cell(row)}</th>\n`
    : html`<td${kind && html` class="${kind}"`} data-label="${title}">${cell(row)}</td>\n`,
)}</tr>
`,
)}</tbody>
</table>
`;

/** Says that a list has nothing, and what to do next. */
export const nothingFound = (title: string, next?: Html | string): Html => html`<section class="nothing">
<h2>${title}</h2>
${next}
</section>
`;

/** Renders links to other pages of a list, by what they lead to; nothing if there are none. */
const pageNavigation = (
  { texts }: PageContext,
  links: readonly (readonly [rel: 'first' | 'prev' | 'next', href: string, text: string] | false)[],
  place?: string,
): Html | false => {
  const render = (isNext: boolean) =>
    links.flatMap((link) => {
      if (!link || (link[0] === 'next') !== isNext) return [];
      const [rel, href, text] = link;
      return html`<a href="${href}"${rel !== 'first' && html` rel="${rel}"`}>${text}</a>\n`;
    });
  return (
    links.some(Boolean) &&
    html`<nav class="pages" aria-label="${texts.find.pages.label}">
${render(false)}${place && html`<span>${place}</span>\n`}${render(true)}</nav>
`
  );
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

/** Returns the first and last number of the shown items and the number of all, formatted. */
export const formatRange = (
  { format }: Pick<PageContext, 'format'>,
  { offset }: PagePosition,
  shown: number,
  total: number,
): { readonly from: string; readonly to: string; readonly total: string } => ({
  from: format.number(offset + 1),
  to: format.number(offset + shown),
  total: format.number(total),
});

/** Renders links to the pages before and after this one; nothing if there is one page. */
export const pageLinks = (
  context: PageContext,
  path: string,
  query: Query,
  { page, last }: PagePosition,
): Html | false => {
  const { pages } = context.texts.find;
  const at = (number: number): string =>
    addressWith(context, path, { ...query, page: number === 1 ? undefined : number });
  return pageNavigation(
    context,
    [page > 1 && ['prev', at(page - 1), pages.previous], page < last && ['next', at(page + 1), pages.next]],
    pages.place({ page: context.format.number(page), last: context.format.number(last) }),
  );
};

/** Renders links to the first page of a list that goes on from cursor to cursor, and to the next one. */
export const cursorLinks = (
  context: PageContext,
  path: string,
  { cursor, nextCursor }: { readonly cursor: string | undefined; readonly nextCursor: string | null },
  { first, next }: { readonly first: string; readonly next: string },
): Html | false =>
  pageNavigation(context, [
    cursor !== undefined && ['first', addressFor(context, path), first],
    nextCursor !== null && ['next', addressFor(context, path, { cursor: nextCursor }), next],
  ]);
