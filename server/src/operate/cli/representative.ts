import { type Command, Option } from 'commander';
import {
  confirmRepresentative,
  endRepresentative,
  requestRepresentative,
} from '../../features/representatives/actions.ts';
import type { RegisterAddress } from '../../features/representatives/address.rule.ts';
import { listRepresentatives } from '../../features/representatives/facts.ts';
import { REPRESENTATIVE_STATES, type RepresentativeState } from '../../features/representatives/status.rule.ts';
import { print, printRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

interface RepresentativeListOptions {
  readonly broker?: string;
  readonly status?: RepresentativeState;
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (representative: Command, env: NodeJS.ProcessEnv): void => {
  representative
    .command('list')
    .description('list who answers for brokers, and who waits to, oldest first')
    .option('--broker <slug>', 'only of this broker')
    .addOption(new Option('--status <status>', 'only in this state').choices(REPRESENTATIVE_STATES))
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating representative list --status requested')
    .action(async ({ broker, status, limit, json }: RepresentativeListOptions) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listRepresentatives(db, { broker, status }, limit));
      printRows(
        rows.map(({ _id, codeHash: _, ...row }) => ({ id: _id, ...row })),
        {
          id: (row) => row.id,
          broker: (row) => row.broker,
          state: (row) => row.status,
          address: (row) => row.address,
          register: (row) => row.register,
          place: (row) => row.place,
          requested: (row) => row.requestedAt.toISOString(),
          'requested by': (row) => row.requestedBy,
          ending: (row) => row.ending,
        },
        json === true,
      );
    });
};

/** Says where the code is. Without mail it waits, in a demo too. */
const describeSending = (address: string, sendsMail: boolean): string =>
  sendsMail
    ? `A code is sent to ${address}.`
    : `SMTP_URL is not set here. Without mail the code for ${address} waits in the outbox: set SMTP_URL and start the ` +
      'service, in a demo that of a mail program on this machine.';

/** Adds the commands that say who answers for a broker. */
export const addRepresentativeCommands = (representative: Command, env: NodeJS.ProcessEnv): void => {
  addList(representative, env);
  representative
    .command('request')
    .description('name an address that a register gives for a broker; another operator has to confirm it')
    .argument('<slug>', 'the broker')
    .argument('<address>', 'the address of mail in the register')
    .requiredOption('--register <code>', 'regulator whose register gives the address')
    .requiredOption(
      '--place <link or number>',
      'where the register shows it: an https link to the entry, or its number',
    )
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating representative request alpha-markets office@alpha.example --register fca \\\n' +
        '    --place https://register.fca.org.uk/s/firm?id=1',
    )
    .action(
      async (slug: string, address: string, { actor, ...rest }: ActorOption & Omit<RegisterAddress, 'address'>) => {
        const id = await withDatabase(env, actor, (context) =>
          requestRepresentative(context, slug, { address, ...rest }),
        );
        print(`${id} waits for another operator: broker-rating representative confirm ${id}`);
      },
    );
  representative
    .command('confirm')
    .description('confirm as a second operator that the register gives the address; a code goes there')
    .argument('<id>', 'as representative list shows it')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating representative confirm rp_5f0c21aa')
    .action(async (id: string, { actor }: ActorOption) => {
      const address = await withDatabase(env, actor, (context) => confirmRepresentative(context, id));
      print(
        `${describeSending(address, env['SMTP_URL'] !== undefined)} Whoever has it answers for the broker once they have typed it at /answer.`,
      );
    });
  representative
    .command('end')
    .description('end a representative at once, or decline a request')
    .argument('<id>', 'as representative list shows it')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating representative end rp_5f0c21aa')
    .action(async (id: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => endRepresentative(context, id));
      print(`${id} has ended.`);
    });
};
