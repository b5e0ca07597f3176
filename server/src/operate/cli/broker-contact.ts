import { type Command, Option } from 'commander';
import {
  addBrokerContact,
  confirmBrokerContact,
  listBrokerContacts,
  removeBrokerContact,
} from '../../features/notices/contacts.ts';
import { TOPICS, type Topic } from '../../features/notices/kinds.rule.ts';
import { NOTICE_LANGUAGES, type NoticeLanguage } from '../../features/notices/languages.rule.ts';
import { print, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface AddOptions extends ActorOption {
  readonly topic?: readonly Topic[];
  readonly language?: NoticeLanguage;
}

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

/** Adds the commands for whom a broker is told through. */
export const addBrokerContactCommands = (broker: Command, env: NodeJS.ProcessEnv): void => {
  const contact = broker
    .command('contact')
    .description('manage addresses at which a broker is told of complaints and warnings');
  contact
    .command('list')
    .description('list the contacts of one broker, or of all')
    .argument('[slug]', 'the broker')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating broker contact list alpha-markets')
    .action(async (slug: string | undefined, { json }: { json?: boolean }) => {
      printRows(
        await withDatabase(env, 'system', ({ db }) => listBrokerContacts(db, slug)),
        {
          id: (row) => row.id,
          broker: (row) => row.broker,
          address: (row) => row.address,
          'told of': (row) => row.topics.join(' '),
          language: (row) => row.language,
          state: (row) => row.state,
          since: (row) => row.since.toISOString(),
        },
        json === true,
      );
    });
  contact
    .command('add')
    .description('send a code to an address; it is a contact once broker contact confirm has the code')
    .argument('<slug>', 'the broker')
    .argument('<address>', 'its address of mail')
    .addOption(new Option('--topic <topics...>', 'what it gets mail about; everything if omitted').choices(TOPICS))
    .addOption(new Option('--language <code>', 'in which language').choices(NOTICE_LANGUAGES))
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating broker contact add alpha-markets complaints@alpha.example')
    .action(async (slug: string, address: string, { actor, topic, language }: AddOptions) => {
      const id = await withDatabase(env, actor, (context) =>
        addBrokerContact(context, slug, { address, topics: topic, language }),
      );
      print(`A code is sent to ${address} (${id}). With the code: broker-rating broker contact confirm ${slug} CODE`);
    });
  contact
    .command('confirm')
    .description('confirm an address by the code that it got')
    .argument('<slug>', 'the broker')
    .argument('<code>', 'the code that the contact tells you')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating broker contact confirm alpha-markets K7QM2-9XF4T')
    .action(async (slug: string, code: string, { actor }: ActorOption) => {
      const address = await withDatabase(env, actor, (context) => confirmBrokerContact(context, slug, code));
      print(`${address} is a contact of ${slug}.`);
    });
  contact
    .command('remove')
    .description('write no more to an address, and forget it')
    .argument('<slug>', 'the broker')
    .argument('<contact>', 'its id or address, as broker contact list shows them')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating broker contact remove alpha-markets complaints@alpha.example')
    .action(async (slug: string, which: string, { actor }: ActorOption) => {
      const address = await withDatabase(env, actor, (context) => removeBrokerContact(context, slug, which));
      print(`${address} is no contact of ${slug} any more.`);
    });
};
