import { addEndpoint, listNoticeEndpoints, removeEndpoint } from '../../features/notices/endpoints.ts';
import { NOTICE_KINDS, NOTICES } from '../../features/notices/kinds.rule.ts';
import { type CommandFamily, defineCommand } from './define-command.ts';
import { print } from './output.ts';

/** The notices that systems get: codes that confirm addresses go to these alone. */
const KINDS = NOTICE_KINDS.filter((kind) => !NOTICES[kind].confirms);

/** The commands for the operator's own systems. */
export const mailWebhooks: CommandFamily = {
  words: 'mail webhook',
  description: 'manage systems of yours that get the same events by signed webhooks',
  commands: [
    defineCommand({
      words: 'mail webhook list',
      description: 'list these systems',
      rights: { roles: ['admin'], reads: true },
      example: '',
      run: ({ database }) => database(({ db }) => listNoticeEndpoints(db)),
      columns: ['id', 'url', ['kinds', (row) => row.kinds?.join(' ') ?? 'all'], ['since', 'createdAt']],
    }),
    defineCommand({
      words: 'mail webhook add',
      description: 'add a system, and show its secret, this once',
      rights: { roles: ['admin'] },
      args: { url: { value: '<url>', what: 'where events are posted' } },
      options: { kind: { value: '<kinds...>', what: 'only these events; all if omitted', choices: KINDS } },
      example: 'https://crm.ratings.example/hooks',
      run: async ({ database }, { url, kind }) => {
        const { id, secret } = await database((context) => addEndpoint(context, url, kind));
        print(`${id} gets events from now on. It verifies them by this secret, which is shown this once:`);
        return secret;
      },
    }),
    defineCommand({
      words: 'mail webhook remove',
      description: 'send no more events to a system',
      rights: { roles: ['admin'] },
      args: { id: { value: '<id>', what: 'as mail webhook list shows it' } },
      example: 'nw_5f2c',
      run: async ({ database }, { id }) => {
        await database((context) => removeEndpoint(context, id));
        return `${id} gets no more events.`;
      },
    }),
  ],
};
