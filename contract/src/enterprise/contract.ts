import { initContract } from '@ts-rest/core';
import { enterpriseAccount } from './account.ts';
import { enterpriseFeed } from './feed.ts';
import { enterpriseSnapshots } from './snapshots.ts';
import { enterpriseWebhooks } from './webhooks.ts';

/** Path prefix of everything that customers get by an agreement. */
export const ENTERPRISE_BASE_PATH = '/enterprise/v1';

/** What each part of the enterprise contract is about. These are the tags of its OpenAPI document. */
export const ENTERPRISE_RESOURCES = {
  account: 'Your organisation, its plan and what it has used.',
  feed: 'Everything that is published, entry by entry as it happens.',
  snapshots: 'Everything that is published at one number, as files.',
  webhooks: 'Events that are sent to you.',
} as const;

/** What media, institutions and regulators get by an agreement. Nothing of the public contract depends on it. */
export const enterpriseContract = initContract().router({
  account: enterpriseAccount,
  feed: enterpriseFeed,
  snapshots: enterpriseSnapshots,
  webhooks: enterpriseWebhooks,
});
