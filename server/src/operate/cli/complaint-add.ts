import { COMPLAINT_CATEGORIES } from '@broker-transparency/contract';
import { CHANNELS } from '../../features/complaints/policy.rule.ts';
import { newReference } from '../../features/complaints/reference.ts';
import { type ImportKind, KINDS } from '../../intake/imports/kinds.ts';
import { importOne } from '../../intake/imports/one.ts';
import { readTextOption } from './complaint-moves.ts';
import { defineCommand } from './define-command.ts';
import { parseDay } from './options.ts';
import { UsageError } from './usage-error.ts';

interface AddOptions {
  readonly category: string;
  readonly title: string;
  readonly text?: string;
  readonly file?: string;
  readonly consent: 'yes' | 'no';
  readonly received: Date;
  readonly channel: string;
  readonly contact?: string;
  readonly subject?: string;
  readonly reference?: string;
  readonly amount?: string;
  readonly occurred?: Date;
  readonly wants?: string;
  readonly dryRun?: boolean;
}

/** Reads an amount with its currency, such as "250.00 EUR". */
const parseMoney = (text: string): object => {
  const [amount, currency] = text.split(' ');
  return { amount, currency };
};

/** Returns what an operator entered, in the form of a row of an import. */
const toComplaintRecord = (broker: string, options: AddOptions) => {
  const { category, title, consent, received, channel, contact, amount, occurred, wants } = options;
  const content = readTextOption(options);
  if (content === undefined) throw new UsageError('error: pass --text TEXT or --file FILE');
  const reference = options.reference ?? newReference();
  const subject = options.subject ?? `complainant:${reference}`;
  return {
    reference,
    broker,
    category,
    title,
    content,
    consentToForward: consent === 'yes',
    complainant: { subject, ...(contact === undefined ? {} : { contact }) },
    channel,
    status: 'received',
    createdAt: received.toISOString(),
    ...(amount === undefined ? {} : { amountInDispute: parseMoney(amount) }),
    ...(occurred === undefined ? {} : { occurredAt: occurred.toISOString() }),
    ...(wants === undefined ? {} : { desiredResolution: wants }),
  };
};

/** The command for complaints that did not come by the API. */
export const complaintAdd = defineCommand({
  words: 'complaint add',
  description: 'enter a complaint that came by letter, mail or phone, dated the day it came',
  rights: { roles: ['complaints'] },
  args: { broker: { value: '<broker>', what: 'slug of the broker that it is about' } },
  options: {
    category: { value: '<category>', what: 'what it is about', choices: COMPLAINT_CATEGORIES, required: true },
    title: { value: '<text>', what: 'the matter in a few words', required: true },
    text: { value: '<text>', what: 'what it says', lines: true, conflicts: 'file' },
    file: { value: '<file>', what: 'a file with what it says' },
    consent: {
      value: '<answer>',
      what: 'yes, if it may be sent to the broker with the name of its author',
      choices: ['yes', 'no'],
      required: true,
    },
    received: { value: '<day>', what: 'when it came, YYYY-MM-DD', parse: parseDay, required: true },
    channel: { value: '<channel>', what: 'how it came', choices: CHANNELS, required: true },
    contact: { value: '<text>', what: 'how to reach its author; private, and erased with the person', lines: true },
    subject: { value: '<name>', what: 'what your systems call its author; a new name if omitted' },
    reference: { value: '<text>', what: 'your own reference; no two complaints have the same' },
    amount: { value: '<money>', what: 'how much money it is about, such as "250.00 EUR"' },
    occurred: { value: '<day>', what: 'when it happened, YYYY-MM-DD', parse: parseDay },
    wants: { value: '<text>', what: 'what the broker should do', lines: true },
    dryRun: 'check it, and write nothing',
  },
  example:
    'alpha-markets --category withdrawal --title "Withdrawal refused" --file letter.txt \\\n' +
    '    --consent yes --received 2026-11-02 --channel letter --contact "12 Example Street" --actor maria',
  run: async ({ database }, { broker, ...options }) => {
    const value = toComplaintRecord(broker, options);
    const kind = KINDS.complaints as unknown as ImportKind<unknown>;
    const entered = { kind, value, what: 'complaints', fileName: 'complaint add', dryRun: options.dryRun === true };
    const added = await database((context) => importOne(context, entered));
    if (!added) return 'The complaint can be added. Nothing was written.';
    return (
      `Complaint ${added.key} is received. Its author has the subject ${value.complainant.subject}. ` +
      `To take it back: import undo ${added.run}`
    );
  },
});
