import { countUnsettledBlocks, settleFormerBlocks } from '../../features/accounts/former-blocks.ts';
import type { Migration } from './migration.ts';

/** Blocks that an older process makes meanwhile apply to the account alone, as before. */
export const personBlocks: Migration = {
  version: 5,
  name: 'person-blocks',
  what: 'makes blocks of accounts hold for the person, and outlive the account',
  count: countUnsettledBlocks,
  run: settleFormerBlocks,
};
