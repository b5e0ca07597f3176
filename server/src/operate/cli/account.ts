import { InvalidArgumentError } from 'commander';
import { changeKyc } from '../../features/accounts/actions.ts';
import { KYC_STATUSES } from '../../features/accounts/kyc.rule.ts';
import { blockCommands } from './block.ts';
import { defineCommand } from './define-command.ts';
import { parseExpiry } from './options.ts';
import { peopleCommands } from './people.ts';

export const parseSubject = (text: string): string => {
  if (text.trim() === '' || text.length > 200 || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('Give 1 to 200 characters on one line.');
  return text;
};

export const accountCommands = [
  ...blockCommands,
  defineCommand({
    words: 'account kyc',
    description: 'set the identity verification (KYC) of a subject; makes the account if there is none',
    rights: { roles: ['admin'] },
    args: {
      subject: {
        value: '<subject>',
        what: 'the name that your own systems use for the person; never published',
        parse: parseSubject,
      },
      status: { value: '<status>', what: 'identity verification to set', choices: KYC_STATUSES },
    },
    options: {
      provider: { value: '<name>', what: 'who verified the identity' },
      person: { value: '<reference>', what: "the provider's reference of the person; only its hash is kept" },
      expires: { value: '<when>', what: 'when the verification ends: 365d, or a day', parse: parseExpiry },
    },
    example: 'alice verified --provider acme --person 8831 --expires 365d',
    run: async ({ database }, { subject, status, provider, person, expires }) => {
      await database((context) => changeKyc(context, subject, { status, provider, person, expiresAt: expires }));
      return `The identity verification of ${subject} is ${status}.`;
    },
  }),
  ...peopleCommands,
];
