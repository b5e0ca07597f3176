import type { TxContext } from '../../ledger/context.ts';
import {
  type Identity,
  type Named,
  namesOf,
  renamed,
  slugOf,
  withMerged,
  withoutMerged,
  withSuccessor,
} from '../../ledger/statements/identity.rule.ts';
import { findNames, giveSlug } from '../../ledger/statements/names.ts';
import { changeIdentities } from '../../ledger/statements/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { brokersChanged } from './changed.ts';
import { brokerNotFound, endOf } from './facts.ts';
import { brokerFacts, type KnownBroker, knownBrokers } from './known.ts';
import type { BrokerState } from './record.rule.ts';
import { findPredecessorsOf } from './store.ts';

type Facts = Readonly<Record<string, string | null>>;

/** A broker of which something is published. */
type Published = KnownBroker & { readonly state: BrokerState };

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** @throws DomainError broker_not_found, or state_conflict if it was merged into another one */
const requirePublished = async (c: TxContext, slug: string): Promise<Published> => {
  const known = (await knownBrokers([slug], c.tx)).get(slug) as KnownBroker;
  if (known.mergedInto !== undefined) throw conflict(`"${slug}" was merged into "${known.mergedInto}".`);
  if (known.state === null) throw brokerNotFound(slug);
  return known as Published;
};

const momentOf = ({ state }: Published, at: Date) => ({ called: state.profile.name, at });

/** Changes identities, and marks every document for a rebuild that has, or had, one of these slugs or names one. */
const change = async (
  c: TxContext,
  changes: ReadonlyMap<string, Identity>,
  slugs: readonly string[],
): Promise<void> => {
  await changeIdentities(c, brokerFacts, changes);
  const naming = await findPredecessorsOf([...changes.keys(), ...slugs], c.tx);
  await brokersChanged(c, [...new Set([...changes.keys(), ...slugs, ...naming])]);
};

/** Gives a slug to a broker. One of its own former ones is its own. @throws DomainError state_conflict */
const claim = async (c: TxContext, slug: string, key: string): Promise<void> => {
  const [row] = await findNames(c.db, 'broker', [slug], { session: c.tx });
  if (row && (row.aliasOf ?? row.name) === key) return;
  if (row || (await brokerFacts.read([slug], c.tx)).size > 0)
    throw conflict(`The slug "${slug}" belongs to another broker, or did: a slug is never given twice.`);
  await giveSlug('broker', slug, key, c.tx);
};

/**
 * Publishes a broker under another slug. The former one answers with a redirect for ever. Everything else stays, its id
 * too.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const renameBroker = async (c: TxContext, slug: string, to: string): Promise<{ from: string; to: string }> => {
  const known = await requirePublished(c, slug);
  const { subject } = known;
  const from = slugOf(subject);
  if (from === to)
    throw new DomainError('invalid_input', `The slug of ${known.state.profile.name} is "${to}" already.`);
  await claim(c, to, subject.name);
  await change(c, new Map([[subject.name, renamed(subject, to, momentOf(known, c.now))]]), [from, to]);
  const about = { kind: 'broker', id: subject.name } as const;
  c.audit('broker.renamed', about, { before: { slug: from }, after: { slug: to }, reason: 'operator_command' });
  return { from, to };
};

/** Two brokers that are to become one, or were. */
export interface Merger {
  /** Current slugs. */
  readonly slug: string;
  readonly into: string;
  /** By which reviews and complaints about the two together are stored. */
  readonly keys: readonly string[];
}

/**
 * Merges a broker into another one. Nothing is published of it any more, its slugs lead to its successor, and reviews
 * and complaints about it count there. What sources say of it stays.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const mergeBroker = async (c: TxContext, slug: string, into: string): Promise<Merger> => {
  const [gone, successor] = [await requirePublished(c, slug), await requirePublished(c, into)];
  const { name: key } = successor.subject;
  if (gone.subject.name === key) throw new DomainError('invalid_input', `"${slug}" and "${into}" are one broker.`);
  const { name: called, status } = successor.state.profile;
  const end = endOf(status);
  if (end !== undefined) throw conflict(`${called} ${end}: correct its status first, if it is the successor.`);
  const identity = withMerged(successor.subject, gone.subject, momentOf(gone, c.now));
  const [from, to] = [slugOf(gone.subject), slugOf(successor.subject)];
  const changes = new Map([
    [gone.subject.name, withSuccessor(gone.subject, key)],
    [key, identity],
  ]);
  await change(c, changes, [from, to]);
  auditMerger(c, 'broker.merged', gone.subject, successor.subject);
  return { slug: from, into: to, keys: namesOf({ name: key, identity }) };
};

/** Adds an entry to the lives of two brokers that become one, or were one. */
const auditMerger = (c: TxContext, action: 'broker.merged' | 'broker.split', gone: Named, successor: Named): void => {
  const [slug, into] = [slugOf(gone), slugOf(successor)];
  const write = (id: string, apart: Facts, merged: Facts): void => {
    const [before, after] = action === 'broker.merged' ? [apart, merged] : [merged, apart];
    c.audit(action, { kind: 'broker', id }, { before, after, reason: 'operator_command' });
  };
  write(gone.name, { successor: null }, { successor: into });
  write(successor.name, { predecessor: null }, { predecessor: slug });
};

/** Two brokers that were one, each with the keys by which reviews and complaints about it are stored. */
export interface Split extends Merger {
  readonly successorKeys: readonly string[];
}

/**
 * Splits a broker off the one that it was merged into: it is published again as its sources say, with its own reviews
 * and complaints.
 * @throws DomainError broker_not_found, state_conflict
 */
export const splitBroker = async (c: TxContext, slug: string): Promise<Split> => {
  const gone = (await knownBrokers([slug], c.tx)).get(slug) as KnownBroker;
  const key = gone.subject.identity?.successor;
  if (key === undefined)
    throw gone.state === null ? brokerNotFound(slug) : conflict(`"${slug}" is not merged into another broker.`);
  const successor = (await knownBrokers([key], c.tx)).get(key) as KnownBroker;
  const [from, to] = [slugOf(gone.subject), slugOf(successor.subject)];
  if (successor.subject.identity?.successor !== undefined)
    throw conflict(`"${to}", into which "${from}" was merged, is merged itself: split "${to}" first.`);
  const identity = withoutMerged(successor.subject, gone.subject);
  const changes = new Map([
    [gone.subject.name, withSuccessor(gone.subject, undefined)],
    [key, identity],
  ]);
  await change(c, changes, [from, to]);
  auditMerger(c, 'broker.split', gone.subject, successor.subject);
  return { slug: from, into: to, keys: namesOf(gone.subject), successorKeys: namesOf({ name: key, identity }) };
};
