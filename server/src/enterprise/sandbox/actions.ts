import type { TestEvent } from '@broker-transparency/contract/enterprise';
import { importBrokersIn, planBroker } from '../../features/brokers/actions.ts';
import { toWarningEntryKey } from '../../features/brokers/entries.rule.ts';
import { findBrokerKey, requireOpenBroker } from '../../features/brokers/facts.ts';
import { type KnownBroker, readKnownBrokers } from '../../features/brokers/known.ts';
import type { BrokerRecord } from '../../features/brokers/record.rule.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { findOwnClaims, type StatementRow } from '../../ledger/statements/record.ts';

/** The invented authority that warns of demo brokers in test events. */
const AUTHORITY = { kind: 'authority', name: 'Sandbox authority (fictional)' } as const;

/** Returns a warning about a clone, so that the score, which other customers may use, does not change. */
const buildTestWarning = (slug: string, now: Date): BrokerRecord['warnings'][number] => ({
  source: AUTHORITY.name,
  url: `https://sandbox.example/warnings/${slug}`,
  title: `[Demo] A test event: somebody pretends to be ${slug}`,
  publishedAt: now.toISOString(),
  about: 'clone_of_it',
});

/** Returns the authority's next statement about a broker: the warning, or its withdrawal if there is one. */
const buildTestRow = (known: KnownBroker, slug: string, now: Date): StatementRow<BrokerRecord> => {
  const standing = findOwnClaims(AUTHORITY, known).has('warnings');
  const record = { slug, ...(standing ? {} : { warnings: [buildTestWarning(slug, now)] }) } as BrokerRecord;
  const warnings = new Set(['warnings']);
  return { record, given: standing ? new Set() : warnings, takenBack: standing ? warnings : new Set() };
};

/**
 * Publishes a fictional warning about a broker, or withdraws it. @throws DomainError broker_not_found, state_conflict
 */
export const publishTestEvent = async (context: Context, asked: string): Promise<TestEvent> => {
  const { slug } = await requireOpenBroker(context.db, asked);
  const key = await findBrokerKey(context.db, slug);
  return inTransaction(context, async (c) => {
    const known = (await readKnownBrokers([slug], c.tx)).get(slug) as KnownBroker;
    const row = buildTestRow(known, slug, c.now);
    const origin = { source: AUTHORITY, url: null, credit: null, validFrom: null };
    const planned = planBroker(row, known, { origin, asOf: c.now });
    await importBrokersIn(c, [planned], { reason: 'test_event', cause: 'fact', run: null, batch: null });
    const { url } = buildTestWarning(slug, c.now);
    const change = row.takenBack.size > 0 ? 'disappeared' : 'appeared';
    return { broker: slug, kind: 'warning', key: toWarningEntryKey(key, url), change };
  });
};
