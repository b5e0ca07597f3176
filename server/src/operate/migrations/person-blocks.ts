import { countUnsettledBlocks, settleFormerBlocks } from '../../features/accounts/former-blocks.ts';
import type { Migration } from './migration.ts';

/** What an older process blocks meanwhile holds for the account, as it did. */
export const personBlocks: Migration = {
  version: 5,
  name: 'person-blocks',
  what: 'makes blocks of accounts hold for the person, and outlive the account',
  count: countUnsettledBlocks,
  run: settleFormerBlocks,
};
