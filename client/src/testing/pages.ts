import { BASE_PATH } from '@broker-transparency/contract';

/** Returns the header with RFC 8288 links to the next and previous page, if there are any. */
export const buildLinkHeader = (
  { limit, offset, ...filter }: { readonly limit: number; readonly offset: number },
  total: number,
): Readonly<Record<string, string>> => {
  const link = (rel: string, at: number) => {
    const query = new URLSearchParams({ limit: String(limit), offset: String(at) });
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
    return `<${BASE_PATH}/brokers?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
  ];
  return links.length === 0 ? {} : { Link: links.join(', ') };
};

/** Returns the header with the RFC 8288 link to the page with this cursor, if there is one. */
export const buildNextLink = (
  path: string,
  { limit, ...query }: { readonly limit: number; readonly broker?: string },
  cursor: string | null,
): Readonly<Record<string, string>> => {
  if (cursor === null) return {};
  const search = new URLSearchParams({ ...query, ...(limit === 20 ? {} : { limit: String(limit) }), cursor });
  return { Link: `<${BASE_PATH}${path}?${search}>; rel="next"` };
};

/** Returns the header with the RFC 8288 link to the next page of changed brokers. */
export const buildUpdatesLink = (
  { limit, ...query }: { readonly limit: number; readonly updatedSince?: number | undefined },
  next: number,
): Readonly<Record<string, string>> => {
  const search = new URLSearchParams(limit === 20 ? {} : { limit: String(limit) });
  for (const [name, value] of Object.entries({ ...query, updatedSince: next }))
    if (value !== undefined) search.set(name, String(value));
  return { Link: `<${BASE_PATH}/brokers?${search}>; rel="next"` };
};

interface PageItem {
  readonly id: string;
  readonly publishedAt: string;
}

/** Returns a text that sorts as the list does. */
const toSortKey = ({ publishedAt, id }: PageItem): string => `${new Date(publishedAt).toISOString()} ${id}`;

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));

/** Writes a place as the contract's `Cursor`. The id is in hexadecimal digits, because ids may have any characters. */
const encodeCursor = ({ publishedAt, id }: PageItem): string => `${Date.parse(publishedAt)}.${toHex(id)}`;

/** Returns where a page begins, or undefined for the first item. The cursor is one that the contract accepts. */
export const parseCursor = (cursor: string | undefined): string | undefined => {
  const [time, id] = cursor?.split('.') ?? [];
  return time === undefined || id === undefined
    ? undefined
    : toSortKey({ publishedAt: new Date(Number(time)).toISOString(), id: fromHex(id) });
};

/** Returns a page of a list that is sorted from newest to oldest. */
export const slicePage = <T extends PageItem>(items: readonly T[], limit: number, start: string | undefined) => {
  const rest = start === undefined ? items : items.filter((item) => toSortKey(item) < start);
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  const nextCursor = rest.length > limit && last !== undefined ? encodeCursor(last) : null;
  return { data, pagination: { limit, nextCursor } };
};
