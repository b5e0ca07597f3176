import {
  addBrokerContact,
  confirmBrokerContact,
  listBrokerContacts,
  removeBrokerContact,
} from '../../features/notices/contacts.ts';
import { TOPICS } from '../../features/notices/kinds.rule.ts';
import { NOTICE_LANGUAGES } from '../../features/notices/languages.rule.ts';
import { type CommandFamily, defineCommand } from './define-command.ts';

/** The commands for whom a broker is told through. */
export const brokerContacts: CommandFamily = {
  words: 'broker contact',
  description: 'manage addresses at which a broker is told of complaints and warnings',
  commands: [
    defineCommand({
      words: 'broker contact list',
      description: 'list the contacts of one broker, or of all',
      rights: { roles: ['editor', 'complaints'], reads: true },
      args: { slug: { value: '[slug]', what: 'the broker' } },
      example: 'alpha-markets',
      run: async ({ database }, { slug }) => database(({ db }) => listBrokerContacts(db, slug)),
      columns: ['id', 'broker', 'address', ['told of', (row) => row.topics.join(' ')], 'language', 'state', 'since'],
    }),
    defineCommand({
      words: 'broker contact add',
      description: 'send a code to an address, which becomes a contact when broker contact confirm gets the code',
      rights: { roles: ['editor', 'complaints'] },
      args: {
        slug: { value: '<slug>', what: 'the broker' },
        address: { value: '<address>', what: 'its address of mail' },
      },
      options: {
        topic: { value: '<topics...>', what: 'what it gets mail about; everything if omitted', choices: TOPICS },
        language: { value: '<code>', what: 'in which language', choices: NOTICE_LANGUAGES },
      },
      example: 'alpha-markets complaints@alpha.example',
      run: async ({ database }, { slug, address, topic, language }) => {
        const id = await database((context) => addBrokerContact(context, slug, { address, topics: topic, language }));
        return `A code is sent to ${address} (${id}). With the code: broker-rating broker contact confirm ${slug} CODE`;
      },
    }),
    defineCommand({
      words: 'broker contact confirm',
      description: 'confirm an address by the code that it got',
      rights: { roles: ['editor', 'complaints'] },
      args: {
        slug: { value: '<slug>', what: 'the broker' },
        code: { value: '<code>', what: 'the code that the contact tells you' },
      },
      example: 'alpha-markets K7QM2-9XF4T',
      run: async ({ database }, { slug, code }) => {
        const address = await database((context) => confirmBrokerContact(context, slug, code));
        return `${address} is a contact of ${slug}.`;
      },
    }),
    defineCommand({
      words: 'broker contact remove',
      description: 'send no more mail to an address, and forget it',
      rights: { roles: ['editor', 'complaints'] },
      args: {
        slug: { value: '<slug>', what: 'the broker' },
        contact: { value: '<contact>', what: 'its id or address, as broker contact list shows them' },
      },
      example: 'alpha-markets complaints@alpha.example',
      run: async ({ database }, { slug, contact: which }) => {
        const address = await database((context) => removeBrokerContact(context, slug, which));
        return `${address} is no contact of ${slug} any more.`;
      },
    }),
  ],
};
