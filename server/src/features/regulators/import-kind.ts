import {
  defineKind,
  findOtherClaim,
  type ImportKind,
  type ImportPlan,
  planStatements,
} from '../../ledger/import-kind.ts';
import { isSame } from '../../ledger/statements/statement.rule.ts';
import {
  findRegulatorChanges,
  importRegulatorsIn,
  type KnownRegulator,
  type PlannedRegulator,
  planRegulator,
  readKnownRegulators,
  toStoredRegulator,
} from './actions.ts';
import { RegulatorRecord } from './record.rule.ts';

export const regulatorKind: ImportKind<unknown> = defineKind<
  RegulatorRecord,
  KnownRegulator,
  ImportPlan & { readonly planned: PlannedRegulator }
>({
  schema: RegulatorRecord,
  noun: 'regulator',
  example: {
    code: 'example-authority',
    name: 'Example Financial Authority',
    country: 'GB',
    website: 'https://authority.example/',
    registerUrl: 'https://authority.example/register',
    complaintsUrl: 'https://authority.example/complaints',
    tier: 3,
    tierReason: 'An example: replace it with the criteria that the regulator meets.',
    'protections.negativeBalance': true,
    'protections.segregation': true,
    'protections.compensationLimit.amount': '85000.00',
    'protections.compensationLimit.currency': 'GBP',
    'protections.retailLeverageCap': 30,
    lastVerifiedAt: '2026-11-02T09:30:00Z',
    'sources.0.url': 'https://authority.example/rules',
    'sources.0.fact': 'protections',
  },
  keyColumn: 'code',
  key: (regulator) => regulator.code,
  references: () => [],
  read: readKnownRegulators,
  storedKey: (code) => code,
  stored: (known, _, source) => (known ? toStoredRegulator(known, source) : {}),
  isNew: (known) => !known?.state,
  elsewhere: findOtherClaim,
  plan: (row, known, from) => {
    const planned = planRegulator(row, known as KnownRegulator, from);
    return planStatements(planned, !isSame(planned.known.state, planned.after), () => findRegulatorChanges(planned));
  },
  write: async (c, plans, occasion) => {
    await importRegulatorsIn(
      c,
      plans.map(({ planned }) => planned),
      occasion,
    );
    return [];
  },
});
