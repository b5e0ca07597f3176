import type { TxContext } from '../../ledger/context.ts';
import {
  addMerged,
  type Identity,
  listSubjectNames,
  type NamedSubject,
  removeMerged,
  renameIdentity,
  replaceSuccessor,
  toPublishedSlug,
} from '../../ledger/statements/identity.rule.ts';
import { findNames, giveSlug } from '../../ledger/statements/names.ts';
import { changeIdentities } from '../../ledger/statements/record.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { markBrokersDirty } from './changed.ts';
import { brokerNotFound, describeEnding } from './facts.ts';
import { brokerFacts, type KnownBroker, readKnownBrokers } from './known.ts';
import type { BrokerState } from './record.rule.ts';
import { findPredecessors } from './store.ts';

type IdentityFacts = Readonly<Record<string, string | null>>;

/** A published broker. */
type PublishedBroker = KnownBroker & { readonly state: BrokerState };

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** @throws DomainError broker_not_found, or state_conflict if it was merged into another one */
const requirePublished = async (c: TxContext, slug: string): Promise<PublishedBroker> => {
  const known = (await readKnownBrokers([slug], c.tx)).get(slug) as KnownBroker;
  if (known.mergedInto !== undefined) throw conflict(`"${slug}" was merged into "${known.mergedInto}".`);
  if (known.state === null) throw brokerNotFound(slug);
  return known as PublishedBroker;
};

const toNamedMoment = ({ state }: PublishedBroker, at: Date) => ({ called: state.profile.name, at });

/** Changes identities. Marks as dirty every document that has, had or names one of these slugs. */
const applyIdentities = async (
  c: TxContext,
  changes: ReadonlyMap<string, Identity>,
  slugs: readonly string[],
): Promise<void> => {
  await changeIdentities(c, brokerFacts, changes);
  const naming = await findPredecessors([...changes.keys(), ...slugs], c.tx);
  await markBrokersDirty(c, [...new Set([...changes.keys(), ...slugs, ...naming])]);
};

/** Gives a slug to a broker, which may be one of its own former slugs. @throws DomainError state_conflict */
const claimSlug = async (c: TxContext, slug: string, key: string): Promise<void> => {
  const [row] = await findNames(c.db, 'broker', [slug], { session: c.tx });
  if (row && (row.subjectName ?? row.name) === key) return;
  if (row || (await brokerFacts.read([slug], c.tx)).size > 0)
    throw conflict(`The slug "${slug}" belongs to another broker, or did: a slug is never given twice.`);
  await giveSlug('broker', slug, key, c.tx);
};

/**
 * Publishes a broker under another slug. The former slug redirects for ever. All other facts stay, including the id.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const renameBroker = async (c: TxContext, slug: string, to: string): Promise<{ from: string; to: string }> => {
  const known = await requirePublished(c, slug);
  const { subject } = known;
  const from = toPublishedSlug(subject);
  if (from === to)
    throw new DomainError('invalid_input', `The slug of ${known.state.profile.name} is "${to}" already.`);
  await claimSlug(c, to, subject.name);
  await applyIdentities(c, new Map([[subject.name, renameIdentity(subject, to, toNamedMoment(known, c.now))]]), [
    from,
    to,
  ]);
  const about = { kind: 'broker', id: subject.name } as const;
  c.audit('broker.renamed', about, { before: { slug: from }, after: { slug: to }, reason: 'operator_command' });
  return { from, to };
};

/** Two brokers that become one, or were one. */
export interface Merger {
  /** Current slugs. */
  readonly slug: string;
  readonly into: string;
  /** Keys under which reviews and complaints about both brokers are stored. */
  readonly keys: readonly string[];
}

/**
 * Merges a broker into another one. It is no longer published, its slugs lead to its successor, and its reviews and
 * complaints count there. Its statements stay.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const mergeBroker = async (c: TxContext, slug: string, into: string): Promise<Merger> => {
  const [gone, successor] = [await requirePublished(c, slug), await requirePublished(c, into)];
  const { name: key } = successor.subject;
  if (gone.subject.name === key) throw new DomainError('invalid_input', `"${slug}" and "${into}" are one broker.`);
  const { name: called, status } = successor.state.profile;
  const end = describeEnding(status);
  if (end !== undefined) throw conflict(`${called} ${end}: correct its status first, if it is the successor.`);
  const identity = addMerged(successor.subject, gone.subject, toNamedMoment(gone, c.now));
  const [from, to] = [toPublishedSlug(gone.subject), toPublishedSlug(successor.subject)];
  const changes = new Map([
    [gone.subject.name, replaceSuccessor(gone.subject, key)],
    [key, identity],
  ]);
  await applyIdentities(c, changes, [from, to]);
  auditMerger(c, 'broker.merged', gone.subject, successor.subject);
  return { slug: from, into: to, keys: listSubjectNames({ name: key, identity }) };
};

/** Adds an audit entry to each of two brokers that become one, or were one. */
const auditMerger = (
  c: TxContext,
  action: 'broker.merged' | 'broker.split',
  gone: NamedSubject,
  successor: NamedSubject,
): void => {
  const [slug, into] = [toPublishedSlug(gone), toPublishedSlug(successor)];
  const write = (id: string, apart: IdentityFacts, merged: IdentityFacts): void => {
    const [before, after] = action === 'broker.merged' ? [apart, merged] : [merged, apart];
    c.audit(action, { kind: 'broker', id }, { before, after, reason: 'operator_command' });
  };
  write(gone.name, { successor: null }, { successor: into });
  write(successor.name, { predecessor: null }, { predecessor: slug });
};

/** Two brokers that were one, each with the keys under which its reviews and complaints are stored. */
export interface BrokerSplit extends Merger {
  readonly successorKeys: readonly string[];
}

/**
 * Undoes the merger of a broker: it is published again from its statements, with its own reviews and complaints.
 * @throws DomainError broker_not_found, state_conflict
 */
export const splitBroker = async (c: TxContext, slug: string): Promise<BrokerSplit> => {
  const gone = (await readKnownBrokers([slug], c.tx)).get(slug) as KnownBroker;
  const key = gone.subject.identity?.successor;
  if (key === undefined)
    throw gone.state === null ? brokerNotFound(slug) : conflict(`"${slug}" is not merged into another broker.`);
  const successor = (await readKnownBrokers([key], c.tx)).get(key) as KnownBroker;
  const [from, to] = [toPublishedSlug(gone.subject), toPublishedSlug(successor.subject)];
  if (successor.subject.identity?.successor !== undefined)
    throw conflict(`"${to}", into which "${from}" was merged, is merged itself: split "${to}" first.`);
  const identity = removeMerged(successor.subject, gone.subject);
  const changes = new Map([
    [gone.subject.name, replaceSuccessor(gone.subject, undefined)],
    [key, identity],
  ]);
  await applyIdentities(c, changes, [from, to]);
  auditMerger(c, 'broker.split', gone.subject, successor.subject);
  return {
    slug: from,
    into: to,
    keys: listSubjectNames(gone.subject),
    successorKeys: listSubjectNames({ name: key, identity }),
  };
};
