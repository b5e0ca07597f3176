import {
  confirmRepresentative,
  endRepresentative,
  requestRepresentative,
} from '../../features/representatives/actions.ts';
import { listRepresentatives } from '../../features/representatives/facts.ts';
import { REPRESENTATIVE_STATES } from '../../features/representatives/status.rule.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT } from './options.ts';

/** Says where the code is. Without mail it waits, in a demo too. */
const describeSending = (address: string, sendsMail: boolean): string =>
  sendsMail
    ? `A code is sent to ${address}.`
    : `SMTP_URL is not set here. Without mail the code for ${address} waits in the outbox: set SMTP_URL and start the ` +
      'service, in a demo that of a mail program on this machine.';

export const representativeCommands = [
  defineCommand({
    words: 'representative list',
    description: 'list who answers for brokers, and who waits to, oldest first',
    rights: { roles: ['editor', 'complaints'], reads: true },
    options: {
      broker: { value: '<slug>', what: 'only of this broker' },
      status: { value: '<status>', what: 'only in this state', choices: REPRESENTATIVE_STATES },
      limit: LIMIT,
    },
    example: '--status requested',
    run: async ({ database }, { broker, status, limit }) => {
      const rows = await database(({ db }) => listRepresentatives(db, { broker, status }, limit));
      return rows.map(({ _id, codeHash: _, ...row }) => ({ id: _id, ...row }));
    },
    columns: [
      'id',
      'broker',
      ['state', 'status'],
      'address',
      'register',
      'place',
      ['requested', 'requestedAt'],
      ['requested by', 'requestedBy'],
      'ending',
    ],
  }),
  defineCommand({
    words: 'representative request',
    description: 'name an address that a register gives for a broker; another operator has to confirm it',
    rights: { roles: ['editor', 'complaints'] },
    args: {
      slug: { value: '<slug>', what: 'the broker' },
      address: { value: '<address>', what: 'the address of mail in the register' },
    },
    options: {
      register: { value: '<code>', what: 'regulator whose register gives the address', required: true },
      place: {
        value: '<link or number>',
        what: 'where the register shows it: an https link to the entry, or its number',
        required: true,
      },
    },
    example:
      'alpha-markets office@alpha.example --register fca \\\n    --place https://register.fca.org.uk/s/firm?id=1',
    run: async ({ database }, { slug, address, ...rest }) => {
      const id = await database((context) => requestRepresentative(context, slug, { address, ...rest }));
      return `${id} waits for another operator: broker-rating representative confirm ${id}`;
    },
  }),
  defineCommand({
    words: 'representative confirm',
    description: 'confirm as a second operator that the register gives the address, which then gets a code',
    rights: { roles: ['editor', 'complaints'] },
    args: { id: { value: '<id>', what: 'as representative list shows it' } },
    example: 'rp_5f0c21aa',
    run: async ({ database, env }, { id }) => {
      const address = await database((context) => confirmRepresentative(context, id));
      return `${describeSending(address, env['SMTP_URL'] !== undefined)} Whoever has it answers for the broker once they have typed it at /answer.`;
    },
  }),
  defineCommand({
    words: 'representative end',
    description: 'end a representative at once, or decline a request',
    rights: { roles: ['editor', 'complaints'] },
    args: { id: { value: '<id>', what: 'as representative list shows it' } },
    example: 'rp_5f0c21aa',
    run: async ({ database }, { id }) => {
      await database((context) => endRepresentative(context, id));
      return `${id} has ended.`;
    },
  }),
];
