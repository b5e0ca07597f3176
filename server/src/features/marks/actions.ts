import { hash } from 'node:crypto';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBrokerKey, requireBroker, resolveCurrentSlugs } from '../brokers/facts.ts';
import type { MarkRemoval, MarkRight } from './policy.rule.ts';
import { reencodeMark } from './re-encode.ts';
import * as store from './store.ts';

const toAuditFacts = (mark: string | undefined) => (mark === undefined ? null : { mark });

/** Hexadecimal digits of a hash in an address. */
const DIGITS = 32;

interface NewMark {
  /** Slug of its broker. */
  readonly slug: string;
  /** Slugs of other brokers that have the same mark: one of them may pose as the other. */
  readonly alike: readonly string[];
}

/**
 * Stores a picture as the mark of a broker, in place of the one before.
 * @throws DomainError broker_not_found; invalid_input if the file is not a picture of the allowed size; state_conflict if
 *   the broker was merged
 */
export const setMark = async (context: Context, slug: string, file: Buffer, reason: MarkRight): Promise<NewMark> => {
  const found = await requireBroker(context.db, slug);
  if (found.isMerged)
    throw new DomainError('state_conflict', `"${slug}" was merged into "${found.slug}": name that one.`);
  const png = await reencodeMark(file);
  const mark = hash('sha256', png, 'hex').slice(0, DIGITS);
  const keys = await inTransaction(context, async (c) => {
    const before = await store.findMarkHash(c.db, found.key, c.tx);
    await store.saveMark({ _id: found.key, hash: mark, png, setAt: c.now }, c.tx);
    const change = { before: toAuditFacts(before), after: toAuditFacts(mark), reason };
    c.audit('mark.set', { kind: 'broker', id: found.key }, change);
    return store.listKeysWithMark(c.db, mark, found.key, c.tx);
  });
  const alike = new Set(keys.map(await resolveCurrentSlugs(context.db, keys)));
  alike.delete(found.slug); // a broker that was merged into this one
  return { slug: found.slug, alike: [...alike] };
};

/**
 * Removes the mark of a broker: of exactly the one that has or had the slug, even if it was merged or is gone.
 * @throws DomainError broker_not_found, not_found
 */
export const removeMark = async (context: Context, slug: string, reason: MarkRemoval): Promise<void> => {
  const key = await findBrokerKey(context.db, slug);
  await inTransaction(context, async (c) => {
    const before = await store.findMarkHash(c.db, key, c.tx);
    if (before === undefined) {
      await requireBroker(context.db, slug);
      throw new DomainError('not_found', `"${slug}" has no mark.`);
    }
    await store.deleteMark(key, c.tx);
    c.audit('mark.removed', { kind: 'broker', id: key }, { before: toAuditFacts(before), after: null, reason });
  });
};
