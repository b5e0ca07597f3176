import type { BATCHED_READ } from '../../platform/batch-loader.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { type Destination, findMissingNames, type NameRow, resolveName } from './identity.rule.ts';
import { type FactKind, findNames } from './store.ts';

export { findNames, giveSlug } from './store.ts';

/** Returns the destination of each of these names and slugs, through renaming and mergers. */
export const followNames = async (
  db: Db,
  kind: FactKind,
  names: readonly string[],
  options: { readonly session: Tx } | typeof BATCHED_READ,
): Promise<(name: string) => Destination> => {
  const rows = new Map<string, NameRow>();
  for (let next = names; next.length > 0; next = findMissingNames(rows)) {
    const found = new Map((await findNames(db, kind, next, options)).map((row) => [row.name, row]));
    for (const name of next) rows.set(name, found.get(name) ?? { name });
  }
  return (name) => resolveName(name, rows);
};
