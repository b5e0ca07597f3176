import { type Command, Option } from 'commander';
import { addEndpoint, listNoticeEndpoints, removeEndpoint } from '../../features/notices/endpoints.ts';
import { NOTICE_KINDS, NOTICES, type NoticeKind } from '../../features/notices/kinds.rule.ts';
import { print, printRows } from './output.ts';
import { type ActorOption, withDatabase } from './session.ts';

/** The notices that systems get: codes that confirm addresses go to these alone. */
const KINDS = NOTICE_KINDS.filter((kind) => !NOTICES[kind].confirms);

/** Adds the commands for the operator's own systems. */
export const addMailWebhookCommands = (mail: Command, env: NodeJS.ProcessEnv): void => {
  const webhook = mail
    .command('webhook')
    .description('manage systems of yours that get the same events by signed webhooks');
  webhook
    .command('list')
    .description('list these systems')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating mail webhook list')
    .action(async ({ json }: { json?: boolean }) => {
      printRows(
        await withDatabase(env, 'system', ({ db }) => listNoticeEndpoints(db)),
        {
          id: (row) => row.id,
          url: (row) => row.url,
          kinds: (row) => row.kinds?.join(' ') ?? 'all',
          since: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
    });
  webhook
    .command('add')
    .description('add a system, and show its secret, this once')
    .argument('<url>', 'where events are posted')
    .addOption(new Option('--kind <kinds...>', 'only these events; all if omitted').choices(KINDS))
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating mail webhook add https://crm.ratings.example/hooks')
    .action(async (url: string, { actor, kind }: ActorOption & { kind?: NoticeKind[] }) => {
      const { id, secret } = await withDatabase(env, actor, (context) => addEndpoint(context, url, kind));
      print(`${id} gets events from now on. It verifies them by this secret, which is shown this once:`);
      print(secret);
    });
  webhook
    .command('remove')
    .description('send no more events to a system')
    .argument('<id>', 'as mail webhook list shows it')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating mail webhook remove nw_5f2c')
    .action(async (id: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => removeEndpoint(context, id));
      print(`${id} gets no more events.`);
    });
};
