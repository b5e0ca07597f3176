import { randomUUID } from 'node:crypto';
import { LICENSE_STATUSES } from '@broker-transparency/contract';
import { auditedChange, type FieldChange, fieldChanges } from '../../platform/audit/fields.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../platform/context.ts';
import { markDirty } from '../../platform/dirty-marks.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { auditedContest } from '../../platform/statements/audited.rule.ts';
import { findNames } from '../../platform/statements/names.ts';
import {
  adopt,
  BY_EDITORS,
  type Circumstances,
  type Facts,
  type Known,
  misstatedNames,
  type Occasion,
  type Origin,
  ownSaid,
  type Planned,
  planStatement,
  type Recorded,
  type Refusal,
  readKnown,
  recordStatements,
  refuseWithdrawal,
  replaceFacts,
  republish,
  type StatedRow,
  type StoredStatement,
  wholeRow,
  withdrawStatements,
} from '../../platform/statements/record.ts';
import {
  isSame,
  overruleProperty,
  type Said,
  type Source,
  sourceKey,
} from '../../platform/statements/statement.rule.ts';
import { auditedBroker } from './audited.rule.ts';
import { type LicenseCheck, requireCompared, saidByRegister } from './check.rule.ts';
import { isHeld } from './license-status.rule.ts';
import { findingProperty, type LicenseFinding } from './licenses.rule.ts';
import { endOverrules } from './overrule.rule.ts';
import { namedSources } from './provenance.rule.ts';
import { BrokerRecord, type BrokerState, type LicenseDocument, type LicenseRecord } from './record.rule.ts';
import { brokerDifference, decidersOf, resolveBroker } from './resolve.rule.ts';
import * as store from './store.ts';

/** Marks the documents of these brokers as dirty, so that `published/refresh.ts` builds them again within a second. */
export const brokersChanged = ({ tx }: TxContext, slugs: readonly string[]): Promise<void> =>
  markDirty('broker', slugs, tx);

/** How facts about brokers follow from statements. */
export const brokerFacts: Facts<BrokerState> = {
  kind: 'broker',
  read: store.readStates,
  write: store.replaceStates,
  idOf: (_, state) => state?.profile.id ?? randomUUID(),
  resolve: resolveBroker,
  difference: brokerDifference,
};

/** Everything that is known of a broker. */
export type KnownBroker = Known<BrokerState>;

/**
 * Reads what is known of these brokers, by the slug that was given, which may be a former one. Of a broker that was
 * merged into another one, its own statements are known.
 */
export const knownBrokers = async (slugs: readonly string[], tx: Tx): Promise<ReadonlyMap<string, KnownBroker>> => {
  const given = (await findNames('broker', slugs, { session: tx })).filter(({ aliasOf }) => aliasOf !== undefined);
  const keys = new Map(given.map(({ name, aliasOf }) => [name, aliasOf as string]));
  const keyOf = (slug: string): string => keys.get(slug) ?? slug;
  const all = await readKnown(brokerFacts, [...new Set(slugs.map(keyOf))], tx);
  return new Map(slugs.map((slug) => [slug, all.get(keyOf(slug)) as KnownBroker]));
};

/** Returns the facts of a broker for the audit trail. */
const auditedState = (state: BrokerState | null) => {
  if (!state) return null;
  const { _id, id, identity, ...profile } = state.profile;
  return auditedBroker(profile, state.licenses.map(store.toLicenseRecord));
};

/**
 * Returns what is stored of a broker in the form of an import: what the source said itself, and of the rest what is
 * published. Its licences are among it only if the row says who the entities are, since each licence names one of them.
 */
export const storedBroker = (known: KnownBroker, given: ReadonlySet<string>, source: Source): object => {
  const { licenses, ...said } = Object.fromEntries(
    [...ownSaid(source, known)].filter(([property]) => Object.hasOwn(BrokerRecord.shape, property)),
  );
  if (known.state === null) return { ...said, ...(given.has('entities') && licenses ? { licenses } : {}) };
  const { _id: slug, id: _, provenance: _p, identity: _i, ...profile } = known.state.profile;
  const all = licenses ?? known.state.licenses.map(store.toLicenseRecord);
  return { slug, ...profile, ...said, ...(given.has('entities') ? { licenses: all } : {}) };
};

/** Returns what a row says, given what its source said before. */
const saidInRow = (
  { record, given, takenBack }: StatedRow<BrokerRecord>,
  own: ReadonlyMap<string, unknown>,
): Said[] => {
  const { slug, ...fields } = record;
  // an import adds its own address to the sources that were named before
  const isGiven = (property: string, value: unknown): boolean =>
    given.has(property) || (property === 'provenance' && !isSame(value, own.get(property) ?? []));
  const stated = Object.entries(fields).flatMap(([property, value]): Said[] =>
    isGiven(property, value) && !takenBack.has(property) && value !== undefined ? [{ property, value }] : [],
  );
  return [...stated, ...[...takenBack].map((property) => ({ property }))];
};

/** What a statement changes of a broker. */
export type PlannedBroker = Planned<BrokerState>;

/** Finds out what a row of an import changes. Writes nothing. */
export const planBroker = (row: StatedRow<BrokerRecord>, known: KnownBroker, from: Circumstances): PlannedBroker =>
  planStatement(brokerFacts, known, saidInRow(row, ownSaid(from.origin.source, known)), from);

/** Returns the fields of a broker that a plan changes. */
export const brokerChanges = ({ known, after }: PlannedBroker): FieldChange[] =>
  fieldChanges(auditedState(known.state), auditedState(after));

/** Returns whether a plan changes what is published, apart from which source is named as contradicted. */
export const changesBroker = ({ known: { state }, after }: PlannedBroker): boolean => {
  const facts = (one: BrokerState | null) =>
    one && { ...one, profile: { ...one.profile, provenance: namedSources(one.profile.provenance) } };
  return !isSame(state, after) && !isSame(facts(state), facts(after));
};

/** Marks the changed ones as dirty and adds what changed to the audit trail. */
const published = async (
  c: TxContext,
  recorded: readonly Recorded<BrokerState>[],
  reason: string,
  actionOf: (after: BrokerState | null) => 'broker.imported' | 'broker.restored' | 'broker.removed',
): Promise<void> => {
  const changed = recorded.filter(({ before, after }) => !isSame(before, after));
  await brokersChanged(
    c,
    changed.map(({ known }) => known.subject.name),
  );
  for (const { known, before, after } of changed) {
    const change = auditedChange(auditedState(before), auditedState(after));
    c.audit(actionOf(after), { kind: 'broker', id: known.subject.name }, { ...change, reason });
  }
};

/** Records what the rows of an import say, and publishes what follows. */
export const importBrokersIn = async (
  c: TxContext,
  planned: readonly PlannedBroker[],
  { reason, ...occasion }: Occasion & { readonly reason: string },
): Promise<void> => {
  const recorded = await recordStatements(c, brokerFacts, planned, occasion);
  await published(c, recorded, reason, () => 'broker.imported');
  for (const { known, overruled, draft } of planned)
    if (draft && overruled.length > 0)
      c.audit(
        'broker.contradicted',
        { kind: 'broker', id: known.subject.name },
        { ...auditedContest(overruled), reason },
      );
};

/** Records whole records, as editors or the demo set state them. */
export const importBrokers = (context: Context, records: readonly BrokerRecord[], reason: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const all = await knownBrokers(
      records.map(({ slug }) => slug),
      c.tx,
    );
    const from = { origin: BY_EDITORS, asOf: c.now };
    const planned = records.map((record) => planBroker(wholeRow(record), all.get(record.slug) as KnownBroker, from));
    await importBrokersIn(c, planned, { reason, cause: 'fact', run: null, batch: null });
  });

/** Asks whether what a run said of brokers may be withdrawn, given the slugs of those that would go. */
export const refuseBrokersWithdrawal = (c: TxContext, statements: readonly StoredStatement[], refuse: Refusal) =>
  refuseWithdrawal(c, brokerFacts, statements, refuse);

/** Withdraws what a run said of brokers, whatever was said later. @throws what `refuse` does */
export const withdrawBrokers = async (
  c: TxContext,
  statements: readonly StoredStatement[],
  reason: string,
  refuse: Refusal,
): Promise<void> => {
  const recorded = await withdrawStatements(c, brokerFacts, statements, refuse);
  await published(c, recorded, reason, (after) => (after ? 'broker.restored' : 'broker.removed'));
};

/** Reads what is stored about these brokers, in the form that `restoreBrokers` takes. */
export const brokerStates = store.readStates;

/** Restores brokers to earlier states. Null removes a broker: callers first check that nothing refers to it. */
export const restoreBrokers = async (
  c: TxContext,
  former: ReadonlyMap<string, BrokerState | null>,
  reason: string,
): Promise<void> => {
  const recorded = await replaceFacts(c, brokerFacts, former);
  await published(c, recorded, reason, (after) => (after ? 'broker.restored' : 'broker.removed'));
};

/** What a source said of a broker in a release before statements. */
export interface FormerStatement {
  readonly slug: string;
  readonly source: Source;
  readonly url: string | null;
  readonly findings: readonly LicenseFinding[];
  readonly asOf: Date;
}

const START: Occasion = { cause: 'start', run: null, batch: null };

/**
 * Turns what is published of these brokers into statements: of those who are known to have said it, else of editors.
 * Returns how many brokers had none. Nothing public changes.
 */
export const adoptBrokers = async (
  c: TxContext,
  slugs: readonly string[],
  former: readonly FormerStatement[],
): Promise<number> => {
  const adopted = await adopt(c, brokerFacts, slugs);
  const all = await knownBrokers(slugs, c.tx);
  for (const { slug, source, url, findings, asOf } of former) {
    const known = all.get(slug) as KnownBroker;
    if (ownSaid(source, known).size > 0) continue; // it has spoken since
    const fresh = (await knownBrokers([slug], c.tx)).get(slug) as KnownBroker;
    const said = findings.map((value) => ({ property: findingProperty(value), value }));
    await state(c, fresh, said, { origin: { source, url, credit: null, validFrom: null }, asOf, occasion: START });
  }
  return adopted.length;
};

/** Returns which of these brokers are published otherwise than the statements say. Those without any do not count. */
export const misstated = async (slugs: readonly string[], tx: Tx): Promise<ReadonlySet<string>> =>
  new Set(await misstatedNames(brokerFacts, slugs, tx));

/** Publishes again what the statements say of these brokers. */
export const republishBrokers = async (c: TxContext, slugs: readonly string[], reason: string): Promise<void> =>
  published(c, await republish(c, brokerFacts, slugs), reason, (after) =>
    after ? 'broker.restored' : 'broker.removed',
  );

/** Records what a source says of one broker. Returns what changed, or undefined if it says nothing new. */
const state = async (
  c: TxContext,
  known: KnownBroker,
  said: readonly Said[],
  { occasion, ...from }: Circumstances & { readonly occasion: Occasion },
): Promise<Recorded<BrokerState> | undefined> => {
  const [recorded] = await recordStatements(c, brokerFacts, [planStatement(brokerFacts, known, said, from)], occasion);
  if (recorded && !isSame(recorded.before, recorded.after)) await brokersChanged(c, [known.subject.name]);
  return recorded;
};

/**
 * Records what a register says about a broker's licences. Returns the licences that were compared and whose published
 * state it changed.
 * @throws DomainError state_conflict if the broker was changed meanwhile
 */
export const recordLicenseCheck = async (
  c: TxContext,
  slug: string,
  check: LicenseCheck,
  { reason, ...occasion }: Occasion & { readonly reason: string },
): Promise<ReadonlySet<LicenseRecord>> => {
  const known = (await knownBrokers([slug], c.tx)).get(slug);
  if (!known?.state) throw new DomainError('state_conflict', `There is no broker "${slug}" any more: check again.`);
  requireCompared(slug, known.state.licenses, check);
  const { sourceUrl, attribution } = check.source;
  const source = { kind: 'register', name: check.register } as const;
  const origin = { source, url: sourceUrl, credit: attribution, validFrom: null };
  const said = saidByRegister(check, ownSaid(source, known));
  const recorded = await state(c, known, said, { origin, asOf: new Date(check.asOf), isWhole: true, occasion });
  const published = recorded?.after?.licenses ?? known.state.licenses;
  const moved = new Set<LicenseRecord>();
  for (const { compared, newName } of check.licenses) {
    const { regulatorCode: regulator, referenceNumber, entity, status } = compared;
    const names = [newName, entity.legalName];
    const found = published.filter((one) => one.regulatorCode === regulator && one.referenceNumber === referenceNumber);
    const now = names.flatMap((name) => found.find((one) => one.entity.legalName === name) ?? []).at(0);
    const holder = now?.entity.legalName ?? entity.legalName;
    if (now && now.status !== status) moved.add(compared);
    const before = { regulator, referenceNumber, holder: entity.legalName, status };
    const after = {
      regulator,
      referenceNumber,
      holder,
      status: now?.status ?? status,
      renamed: holder !== entity.legalName,
    };
    c.audit('license.checked', { kind: 'broker', id: slug }, { before, after, reason });
  }
  return moved;
};

/** A decision of editors on what a source says of a field. Without a reason, it is taken back. */
interface Ruling {
  readonly field: string;
  readonly source: Source;
  readonly reason: string | null;
  readonly dryRun?: boolean;
}

/** @throws DomainError not_found if there is nothing to overrule, or to take back */
const overruleSaid = ({ subject, candidates }: KnownBroker, { field, source, reason }: Ruling): Said[] => {
  const [key, see] = [sourceKey(source), `See: fact show broker ${subject.name}`];
  if (reason === null) {
    const ended = endOverrules(candidates, field, key);
    if (ended.length > 0) return ended;
    throw new DomainError('not_found', `${key} is not overruled in "${field}": there is nothing to end. ${see}`);
  }
  const deciders = decidersOf(candidates, field, key);
  if (deciders.size === 0) throw new DomainError('not_found', `${key} says nothing of "${field}". ${see}`);
  return [...deciders].map(([property, value]) => {
    const overrule = { property, source, value };
    return { property: overruleProperty(overrule), value: { ...overrule, reason } };
  });
};

/**
 * Records the decision of editors not to publish what a source says of a field, or takes it back. Returns the fields
 * that change. A dry run writes nothing.
 * @throws DomainError not_found if there is no such broker, the source says nothing of the field, or there is no such
 *   decision to take back; invalid_input if nothing could be published without it
 */
export const overruleBroker = (
  context: Context,
  slug: string,
  { field, source, reason, dryRun = false }: Ruling,
): Promise<FieldChange[]> =>
  inTransaction(context, async (c) => {
    const known = (await knownBrokers([slug], c.tx)).get(slug);
    if (!known?.state) throw new DomainError('not_found', `No broker has the slug "${slug}".`);
    const said = overruleSaid(known, { field, source, reason });
    const from = { origin: BY_EDITORS, asOf: c.now };
    const planned = planStatement(brokerFacts, known, said, from);
    if (planned.after === null)
      throw new DomainError(
        'invalid_input',
        `Nobody else says a "${field}", which every broker needs: import the right one.`,
      );
    if (dryRun) return brokerChanges(planned);
    const occasion = { cause: 'correction', run: null, batch: null } as const;
    const recorded = await state(c, known, said, { ...from, occasion });
    if (!recorded) return [];
    const [before, after] = [auditedState(recorded.before), auditedState(recorded.after)];
    const change = auditedChange(before, after);
    const ruling = { field, source: sourceKey(source) };
    c.audit(
      'broker.overruled',
      { kind: 'broker', id: slug },
      {
        before: { ...change.before, ...ruling, overruled: reason === null },
        after: { ...change.after, ...ruling, overruled: reason !== null },
        reason: 'operator_command',
      },
    );
    return fieldChanges(before, after);
  });

/** States that end when a licence expires. */
const LAPSING = LICENSE_STATUSES.filter((status) => isHeld({ status }));

/** Number of brokers whose licences expire in one transaction. */
const EXPIRED_AT_ONCE = 50;

const CALENDAR: Origin = { source: { kind: 'calendar', name: 'calendar' }, url: null, credit: null, validFrom: null };

const expiryOf = ({ regulatorCode, referenceNumber, entity, expiresAt = '' }: LicenseDocument): Said => {
  const value: LicenseFinding = {
    regulatorCode,
    referenceNumber,
    holder: entity.legalName,
    status: 'expired',
    statusEffectiveAt: expiresAt,
    lastVerifiedAt: null,
    expiresAt,
  };
  return { property: findingProperty(value), value };
};

/** Expires the licences of one broker. Returns their number. */
const expireOf = async (c: TxContext, known: KnownBroker, licenses: readonly LicenseDocument[]): Promise<number> => {
  const occasion = { cause: 'fact', run: null, batch: null } as const;
  const recorded = await state(c, known, licenses.map(expiryOf), { origin: CALENDAR, asOf: c.now, occasion });
  const held = new Set(recorded?.after?.licenses.filter(isHeld).map(({ _id }) => _id));
  const expired = recorded ? licenses.filter(({ _id }) => !held.has(_id)) : [];
  for (const { _id, status, expiresAt = null } of expired) {
    const change = { before: { status }, after: { status: 'expired', expiresAt }, reason: 'lapsed' };
    c.audit('license.expired', { kind: 'license', id: _id }, change);
  }
  return expired.length;
};

/** Expires the licences of some brokers. Returns their number and the last of these brokers. */
const expireBatch = async (c: TxContext, after: string) => {
  const lapsed = await store.findLapsedLicenses(LAPSING, c.now, { after, limit: EXPIRED_AT_ONCE }, c.tx);
  const known = await knownBrokers([...lapsed.keys()], c.tx);
  let count = 0;
  for (const [slug, licenses] of lapsed) count += await expireOf(c, known.get(slug) as KnownBroker, licenses);
  return { count, last: [...lapsed.keys()].at(-1) };
};

/**
 * Sets lapsed licences to expired, in transactions of some brokers. Each is changed once, even if several processes run
 * this. A licence that its register saw in force after its last day stays. Returns the number of expired licences.
 */
export const expireLicenses = async (context: Context, signal?: AbortSignal): Promise<number> => {
  let count = 0;
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const batch = await inTransaction(context, (c) => expireBatch(c, after));
    count += batch.count;
    if (batch.last === undefined) return count;
    after = batch.last;
  }
};
