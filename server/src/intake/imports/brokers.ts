import {
  findBrokerChanges,
  importBrokersIn,
  isBrokerChanged,
  type PlannedBroker,
  planBroker,
  toStoredBroker,
} from '../../features/brokers/actions.ts';
import { type KnownBroker, readKnownBrokers } from '../../features/brokers/known.ts';
import { BrokerRecord, creditBroker, listForeignColumns } from '../../features/brokers/record.rule.ts';
import { findBrokersWithComplaints } from '../../features/complaints/facts.ts';
import { findReviewedBrokers } from '../../features/reviews/facts.ts';
import { defineKind, findOtherClaim, type ImportPlan, planStatements } from '../../ledger/import-kind.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { previewScores } from '../../published/brokers/preview.ts';

/**
 * Refuses to remove brokers that people wrote about, because reviews and complaints would lose their subject.
 * @throws DomainError state_conflict
 */
export const refuseBrokersInUse = async (slugs: readonly string[], tx: Tx): Promise<void> => {
  const [reviewed] = await findReviewedBrokers(slugs, tx);
  if (reviewed !== undefined)
    throw new DomainError('state_conflict', `broker "${reviewed}" has reviews by now and cannot be taken away.`);
  const [complained] = await findBrokersWithComplaints(slugs, tx);
  if (complained !== undefined)
    throw new DomainError('state_conflict', `broker "${complained}" has complaints by now and cannot be taken away.`);
};

/** Brokers. They stand here and not in their feature, since an import shows what becomes of their scores. */
export const brokerKind = defineKind<BrokerRecord, KnownBroker, ImportPlan & { readonly planned: PlannedBroker }>({
  schema: BrokerRecord,
  noun: 'broker',
  example: {
    slug: 'example-broker',
    name: 'Example Broker',
    legalName: 'Example Broker Ltd',
    website: 'https://broker.example/',
    country: 'GB',
    status: 'operating',
    foundedYear: 2009,
    tradingNames: 'Example FX|Example Markets',
    domains: 'broker.example|fx.example',
    licensesCheckedAt: '2026-11-02T09:30:00Z',
    'entities.0.legalName': 'Example Broker Ltd',
    'entities.0.country': 'GB',
    'entities.0.retailClients': true,
    'licenses.0.entity.legalName': 'Example Broker Ltd',
    'licenses.0.regulatorCode': 'fca',
    'licenses.0.referenceNumber': '000001',
    'licenses.0.type': 'authorisation',
    'licenses.0.status': 'active',
    'licenses.0.activeSince': '2014-03-01',
    'licenses.0.sourceUrl': 'https://register.example/000001',
  },
  keyColumn: 'slug',
  key: ({ slug }, known) => known?.subject.name ?? slug,
  refuse: (known) =>
    known?.mergedInto && `It was merged into "${known.mergedInto}": state it there, or split it off: broker split.`,
  references: ({ successor, licenses = [] }) => [
    ...(successor === undefined ? [] : [{ to: 'broker' as const, key: successor, column: 'successor' }]),
    ...licenses.map(({ regulatorCode }, index) => ({
      to: 'regulator' as const,
      key: regulatorCode,
      column: `licenses.${index}.regulatorCode`,
    })),
  ],
  listForeign: ({ licenses = [] }, source) => listForeignColumns(licenses, source),
  credit: creditBroker,
  read: readKnownBrokers,
  storedKey: (slug) => slug,
  stored: (known, given, source) => (known ? toStoredBroker(known, given, source) : {}),
  isNew: (known) => !known?.state,
  elsewhere: findOtherClaim,
  instead: 'or overrule who says a wrong one (fact overrule)',
  plan: (row, known, from) => {
    const planned = planBroker(row, known as KnownBroker, from);
    return planStatements(planned, isBrokerChanged(planned), () => findBrokerChanges(planned));
  },
  write: async (c, plans, occasion) => {
    await importBrokersIn(
      c,
      plans.map(({ planned }) => planned),
      occasion,
    );
    return [];
  },
  scores: (db, plans, now) =>
    previewScores(
      db,
      plans.map(({ planned }) => planned),
      now,
    ),
});
