import { defineWrittenKind, type ImportKind } from '../../ledger/import-kind.ts';
import { createPersonalCheck } from '../erasures/erased.ts';
import { ComplaintRecord } from './imported.rule.ts';
import {
  createComplaintCheck,
  importComplaintsIn,
  readComplaintStates,
  readImportedComplaints,
  takeBackComplaints,
} from './imported.ts';

export const complaintKind: ImportKind<unknown> = defineWrittenKind({
  name: 'complaints',
  subject: 'complaint',
  schema: ComplaintRecord,
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
  read: readImportedComplaints,
  inspect: createPersonalCheck(({ complainant }) => ['complainant.subject', complainant.subject], createComplaintCheck),
  readStates: readComplaintStates,
  importIn: importComplaintsIn,
  takeBack: takeBackComplaints,
});
