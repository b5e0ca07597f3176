import { hash } from 'node:crypto';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { listBrokerIdentifiers, resolveCurrentSlugs } from '../brokers/facts.ts';
import * as store from './alarm-store.ts';
import { type Alarm, findAlarms } from './alarms.rule.ts';
import { readProgress, saveProgress } from './store.ts';

/** Returns the facts of an alarm for the audit trail. */
const toAuditFacts = ({ kind, regulator, value, brokers, isClone }: Alarm, state: string) => ({
  state,
  kind,
  regulator,
  value,
  brokers: brokers.join(' '),
  clone: isClone,
});

/** Compares all brokers with each other if any has changed. Raises new alarms, and ends those that no longer apply. */
export const compareBrokers = async (context: Context): Promise<void> => {
  const brokers = await listBrokerIdentifiers(context.db);
  const compared = hash('sha256', JSON.stringify(brokers));
  if ((await readProgress(context.db)).compared === compared) return;
  const now = new Map(findAlarms(brokers).map((alarm) => [alarm._id, alarm]));
  await inTransaction(context, async (c) => {
    const kept = new Map((await store.findAlarms(c.db, c.tx)).map((alarm) => [alarm._id, alarm]));
    const raised = [...now.values()].filter(({ _id }) => !kept.has(_id));
    const ended = [...kept.values()].filter(({ _id }) => !now.has(_id));
    const reason = 'brokers_compared';
    for (const alarm of raised) {
      await store.saveAlarm({ ...alarm, raisedAt: c.now, settled: null }, c.tx);
      c.audit(
        'alarm.raised',
        { kind: 'alarm', id: alarm._id },
        { before: null, after: toAuditFacts(alarm, 'open'), reason },
      );
    }
    for (const alarm of ended) {
      await store.deleteAlarm(alarm._id, c.tx);
      c.audit(
        'alarm.ended',
        { kind: 'alarm', id: alarm._id },
        { before: toAuditFacts(alarm, 'open'), after: null, reason },
      );
    }
  });
  await saveProgress(context.db, { compared });
};

/** Lists the current alarms, the oldest first, with the current slugs of their brokers. */
export const listAlarms = async (db: Db, { all = false }: { readonly all?: boolean }) => {
  const kept = new Map((await store.findAlarms(db)).map((alarm) => [alarm._id, alarm]));
  const now = findAlarms(await listBrokerIdentifiers(db)).map((alarm) => {
    const { raisedAt = null, settled = null } = kept.get(alarm._id) ?? {};
    return { ...alarm, raisedAt, settled };
  });
  const rows = now
    .filter(({ settled }) => all || settled === null)
    .sort((a, b) => (a.raisedAt?.getTime() ?? Number.MAX_VALUE) - (b.raisedAt?.getTime() ?? Number.MAX_VALUE));
  const toCurrentSlug = await resolveCurrentSlugs(
    db,
    rows.flatMap(({ brokers }) => brokers),
  );
  return rows.map((alarm) => ({ ...alarm, brokers: alarm.brokers.map(toCurrentSlug) }));
};

/**
 * Reasons why an alarm needs no more attention. Free text could name a person, and the audit trail outlives people.
 */
export const SETTLEMENTS = {
  one_firm: 'the brokers are brands of one firm',
  clone_marked: 'one of them is a clone, is marked as suspected_clone, and the regulator was told',
  data_corrected: 'the data was wrong and is corrected, and will be so with the next comparison',
  register_shares: 'the regulator gives several firms one number',
} as const;
export type Settlement = keyof typeof SETTLEMENTS;

/**
 * Records why an alarm needs no more attention. If another broker joins, a new alarm is raised. @throws DomainError
 * not_found
 */
export const settleAlarm = async (context: Context, id: string, why: Settlement): Promise<void> => {
  await compareBrokers(context);
  await inTransaction(context, async (c) => {
    const alarm = await store.findAlarm(id, c.tx);
    if (!alarm) throw new DomainError('not_found', `There is no alarm "${id}". See: warning alarms`);
    await store.saveAlarm({ ...alarm, settled: { at: c.now, why } }, c.tx);
    c.audit(
      'alarm.settled',
      { kind: 'alarm', id },
      {
        before: toAuditFacts(alarm, alarm.settled === null ? 'open' : 'settled'),
        after: { ...toAuditFacts(alarm, 'settled'), why },
        reason: 'operator_command',
      },
    );
  });
};

/** Counts the open alarms by kind, and those about clones. */
export const countAlarms = store.countOpenAlarms;
