import { COMPLAINT_CATEGORIES } from '@broker-transparency/contract';
import { type Command, Option } from 'commander';
import { CHANNELS } from '../../features/complaints/policy.rule.ts';
import { newReference } from '../../features/complaints/reference.ts';
import { type ImportKind, KINDS } from '../../intake/imports/kinds.ts';
import { importOne } from '../../intake/imports/one.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readTextOption } from './complaint-moves.ts';
import { parseDay } from './options.ts';
import { print } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface AddOptions extends ActorOption {
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
  if (content === undefined) throw new DomainError('invalid_input', 'Pass --text TEXT or --file FILE.');
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

const add = async (env: NodeJS.ProcessEnv, broker: string, options: AddOptions): Promise<void> => {
  const value = toComplaintRecord(broker, options);
  const kind = KINDS.complaints as unknown as ImportKind<unknown>;
  const entered = { kind, value, what: 'complaints', fileName: 'complaint add', dryRun: options.dryRun === true };
  const added = await withDatabase(env, options.actor, (context) => importOne(context, entered));
  if (!added) print('The complaint can be added. Nothing was written.');
  else
    print(
      `Complaint ${added.key} is received. Its author has the subject ${value.complainant.subject}. ` +
        `To take it back: import undo ${added.run}`,
    );
};

/** Adds the command for complaints that did not come by the API. */
export const addComplaintAdd = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('add')
    .description('enter a complaint that came by letter, mail or phone, as of the day it came')
    .argument('<broker>', 'slug of the broker that it is about')
    .addOption(
      new Option('--category <category>', 'what it is about').choices(COMPLAINT_CATEGORIES).makeOptionMandatory(),
    )
    .requiredOption('--title <text>', 'the matter in a few words')
    .option('--text <text>', 'what it says')
    .option('--file <file>', 'a file with what it says')
    .addOption(
      new Option('--consent <answer>', 'whether it may be sent to the broker with the name of its author')
        .choices(['yes', 'no'])
        .makeOptionMandatory(),
    )
    .requiredOption('--received <day>', 'when it came, YYYY-MM-DD', parseDay)
    .addOption(new Option('--channel <channel>', 'how it came').choices(CHANNELS).makeOptionMandatory())
    .option('--contact <text>', 'how to reach its author; private, and erased with the person')
    .option('--subject <name>', 'what your systems call its author; a new name if omitted')
    .option('--reference <text>', 'your own reference; no two complaints have the same')
    .option('--amount <money>', 'how much money it is about, such as "250.00 EUR"')
    .option('--occurred <day>', 'when it happened, YYYY-MM-DD', parseDay)
    .option('--wants <text>', 'what the broker should do')
    .option('--dry-run', 'check it, and write nothing')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating complaint add alpha-markets --category withdrawal --title "Withdrawal refused" ' +
        '--file letter.txt \\\n    --consent yes --received 2026-11-02 --channel letter --contact "12 Example Street" --actor maria',
    )
    .action((broker: string, options: AddOptions) => add(env, broker, options));
};
