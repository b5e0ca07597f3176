import { BASE_PATH } from '@broker-transparency/contract';
import { refuseParameter } from './validation.ts';

/** Returns the header with RFC 8288 links to the next and previous page, if there are any. */
export const linkHeader = (
  { limit, offset, color }: { readonly limit: number; readonly offset: number; readonly color?: string | undefined },
  total: number,
): Readonly<Record<string, string>> => {
  const link = (rel: string, at: number) => {
    const query = new URLSearchParams({ limit: String(limit), offset: String(at), ...(color ? { color } : {}) });
    return `<${BASE_PATH}/brokers?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, offset - limit))] : []),
  ];
  return links.length === 0 ? {} : { Link: links.join(', ') };
};

interface Placed {
  readonly id: string;
  readonly publishedAt: string;
}

/** Returns a text that sorts as the list does and has a recognisable form. */
const placeOf = ({ publishedAt, id }: Placed): string => `${new Date(publishedAt).toISOString()} ${id}`;

/** Encodes the UTF-8 bytes, because `btoa` accepts no other characters and ids may contain any. */
const encode = (place: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(place)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const decode = (cursor: string): string => {
  try {
    const bytes = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const place = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z ./.test(place)) return place;
  } catch {
    // refused below
  }
  return refuseParameter('cursor', 'invalid_format', 'must be a nextCursor of an earlier answer');
};

/**
 * Returns where a page begins, or undefined for the first item.
 * @throws Refusal for an invalid cursor
 */
export const startOf = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : decode(cursor);

/** Returns a page of a list that is sorted from newest to oldest. */
export const pageOf = <T extends Placed>(items: readonly T[], limit: number, start: string | undefined) => {
  const rest = start === undefined ? items : items.filter((item) => placeOf(item) < start);
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  const nextCursor = rest.length > limit && last !== undefined ? encode(placeOf(last)) : null;
  return { data, pagination: { limit, nextCursor } };
};
