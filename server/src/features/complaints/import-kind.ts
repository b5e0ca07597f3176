import {
  captureStates,
  defineKeeper,
  defineKind,
  type ImportKind,
  type ImportPlan,
  planNewOnly,
  toBrokerReferences,
} from '../../ledger/import-kind.ts';
import { createPersonalCheck } from '../erasures/erased.ts';
import type { StoredComplaint } from './actions.ts';
import { ComplaintRecord } from './imported.rule.ts';
import {
  createComplaintCheck,
  importComplaintsIn,
  readComplaintStates,
  readImportedComplaints,
  takeBackComplaints,
} from './imported.ts';

export const complaintKind: ImportKind<unknown> = defineKind<
  ComplaintRecord,
  StoredComplaint,
  ImportPlan & { readonly record: ComplaintRecord }
>({
  schema: ComplaintRecord,
  noun: 'complaint',
  example: {
    reference: '2001',
    broker: 'example-broker',
    category: 'withdrawal',
    title: 'Withdrawal refused for a month',
    content: 'I asked for my balance on 1 October and have had no answer to four messages since.',
    'amountInDispute.amount': '250.00',
    'amountInDispute.currency': 'USD',
    consentToForward: true,
    'complainant.subject': 'person-2001',
    'complainant.contact': '12 Example Street, Example Town',
    channel: 'letter',
    status: 'resolved',
    createdAt: '2025-10-02T00:00:00Z',
    screenedAt: '2025-10-03T09:00:00Z',
    forwardedAt: '2025-10-06T09:00:00Z',
    respondedAt: '2025-10-15T12:00:00Z',
    closedAt: '2025-10-20T12:00:00Z',
    ending: 'refunded',
  },
  keyColumn: 'reference',
  key: ({ reference }) => reference,
  references: toBrokerReferences,
  read: readImportedComplaints,
  storedKey: (reference) => reference,
  stored: () => ({}),
  isNew: (known) => known === undefined,
  inspect: createPersonalCheck(({ complainant }) => ['complainant.subject', complainant.subject], createComplaintCheck),
  plan: planNewOnly,
  write: async (c, plans, { reason }) => {
    const records = plans.map(({ record }) => record);
    const keys = await importComplaintsIn(c, records, reason);
    return captureStates({ kind: 'complaints', keys, read: readComplaintStates }, new Map(), c.tx);
  },
  states: defineKeeper({
    subject: 'complaint',
    isPersonal: true,
    read: readComplaintStates,
    restore: (c, former, reason) => takeBackComplaints(c, [...former.keys()], reason),
  }),
});
