import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeKyc } from '../../features/accounts/actions.ts';
import { KYC_STATUSES, type KycStatus } from '../../features/accounts/kyc.rule.ts';
import { addBlockCommands } from './block.ts';
import { parseExpiry } from './options.ts';
import { print } from './output.ts';
import { addPeopleCommands } from './people.ts';
import { type ActorOption, withDatabase } from './session.ts';

export const parseSubject = (text: string): string => {
  if (text.trim() === '' || text.length > 200) throw new InvalidArgumentError('Give 1 to 200 characters.');
  return text;
};

interface KycOptions extends ActorOption {
  readonly provider?: string;
  readonly person?: string;
  readonly expires?: Date;
}

export const createKycOption = (flag: string) => new Option(flag, 'identity verification to set').choices(KYC_STATUSES);

export const addAccountCommands = (account: Command, env: NodeJS.ProcessEnv): void => {
  addBlockCommands(account, env);
  account
    .command('kyc')
    .description('set the identity verification (KYC) of a subject; makes the account if there is none')
    .argument('<subject>', 'the name your own systems have for the person; never published', parseSubject)
    .argument('<status>', KYC_STATUSES.join(', '), (text) => {
      if (!(KYC_STATUSES as readonly string[]).includes(text))
        throw new InvalidArgumentError(`Choose one of ${KYC_STATUSES.join(', ')}.`);
      return text as KycStatus;
    })
    .option('--provider <name>', 'who verified the identity')
    .option('--person <reference>', "the provider's reference of the person; only its hash is kept")
    .option('--expires <when>', 'when the verification ends: 365d, or a day', parseExpiry)
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating account kyc alice verified --provider acme --person 8831 --expires 365d',
    )
    .action(async (subject: string, status: KycStatus, options: KycOptions) => {
      const { provider, person, expires } = options;
      await withDatabase(env, options.actor, (context) =>
        changeKyc(context, subject, { status, provider, person, expiresAt: expires }),
      );
      print(`The identity verification of ${subject} is ${status}.`);
    });
  addPeopleCommands(account, env);
};
