import type { ActionsOf, SubjectsOf } from '../../ledger/audit/actions.ts';
import { defineModule, LOCK_MS } from '../../ledger/define-module.ts';

export const accountsModule = defineModule({
  name: 'accounts',
  needs: ['notices'],
  collections: {
    accounts: { people: 'erased' },
    tokens: { people: 'erased' },
    // hashes of blocked people, needed to keep them blocked
    blocks: { people: 'kept' },
    // ids of blocks that were lifted
    liftedBlocks: { people: 'kept' },
    // ids of messages, for about a month
    receivedKycEvents: { people: 'none' },
  },
  models: () => Promise.all([import('./block-store.ts'), import('./store.ts')]),
  audit: {
    'account.blocked': 'no credential of the account is good any more, since its person is blocked',
    'account.created': 'an account came into being, with its first token, verification or sign-in',
    'account.kyc': 'the identity verification of an account changed',
    'account.kyc_ignored': 'an event of the KYC provider came too late and changed nothing',
    'account.mail_confirmed': 'an address of mail was confirmed, by the identity provider or by a code',
    'account.mail_removed': 'a person wants no more mail, and their address was removed',
    'account.profile': 'the display name or the country that stands with new reviews changed',
    'account.unblocked': 'the block was taken away',
    'token.created': 'a token was made',
    'token.revoked': 'a token was ended',
    'token.rotated': 'a new token takes the place of this one',
  },
  subjects: ['account', 'token'],
  personalData: async () => (await import('./people.ts')).accountData,
  jobs: [
    {
      name: 'kyc-expiry',
      what: 'sets identity verifications whose time is over to expired',
      schedule: '10 * * * *',
      lockMs: LOCK_MS,
      run: async (context, { signal }) => {
        const { expireKyc } = await import('./actions.ts');
        return { expired: await expireKyc(context, signal) };
      },
    },
  ],
});

declare module '../../ledger/audit/actions.ts' {
  interface AuditActions extends ActionsOf<typeof accountsModule> {}
  interface AuditSubjects extends SubjectsOf<typeof accountsModule> {}
}
