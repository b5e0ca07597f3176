import { AUTHORS, tokenLine } from '../cast.ts';
import type { Ask } from '../wire.ts';

const LISTS = ['/account/v1/reviews', '/account/v1/complaints', '/account/v1/reports'];

/** Reads a list of a person's own entries to its end, page by page. */
const walkOwn = async (ask: Ask, first: string, line: string): Promise<void> => {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const target: string = cursor === '' ? first : `${first}&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask('account', { target, headers: [line] });
    cursor = (JSON.parse(body).pagination?.nextCursor as string | null | undefined) ?? null;
  }
};

/** Reads everybody's own entries, and sends wrong parameters. */
export const account = async (ask: Ask): Promise<void> => {
  for (const name of ['ana', 'rita', 'lia', 'olga', 'nora', ...AUTHORS])
    for (const list of LISTS) await ask('account', { target: list, headers: [tokenLine(name)] });
  for (const list of LISTS) {
    await walkOwn(ask, `${list}?limit=2`, tokenLine(list.endsWith('reports') ? 'rita' : 'ana'));
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'broker=alpha-markets', 'limit=1&limit=2'])
      await ask('account', { target: `${list}?${query}`, headers: [tokenLine('bert')] });
    await ask('account', { target: list, method: 'HEAD', headers: [tokenLine('bert')] });
    await ask('account', { target: list, headers: [tokenLine('bert'), 'Accept-Encoding: br', 'If-None-Match: *'] });
  }
};
