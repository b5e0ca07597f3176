import type { RouteGroup } from '../route.ts';
import { enterpriseAccount } from './account.ts';
import { enterpriseFeed } from './feed.ts';
import { enterpriseBrokers, enterpriseRegulators } from './history.ts';
import { enterpriseMedia } from './media.ts';
import { enterprisePublication } from './publication.ts';
import { enterpriseSandbox } from './sandbox.ts';
import { enterpriseScreening } from './screening.ts';
import { enterpriseServiceLevel } from './service-level.ts';
import { enterpriseSnapshots } from './snapshots.ts';
import { enterpriseWatchlists } from './watchlists.ts';
import { enterpriseWebhooks } from './webhooks.ts';

/** Path prefix of everything that customers get by an agreement. */
export const ENTERPRISE_BASE_PATH = '/enterprise/v1';

/** Descriptions of the parts of the enterprise contract. These are the tags of its OpenAPI document. */
export const ENTERPRISE_RESOURCES = {
  account: 'Your organisation, its plan and what it has used.',
  feed: 'Everything that is published, entry by entry as it happens.',
  sandbox: 'Events of your choice among fictional data.',
  snapshots: 'Everything that is published at one number, as files.',
  webhooks: 'Events that are sent to you.',
  brokers: 'Brokers at any time, why they changed, and ratings that prove themselves.',
  regulators: 'Regulators at any time, with their brokers.',
  media: 'The largest changes of scores, and what was corrected.',
  screening: 'Who may be meant by names, domains, LEIs and licence numbers.',
  serviceLevel: 'What is promised, what probers elsewhere measured, and what is credited.',
  watchlists: 'Brokers that your organisation watches: they filter the feed and webhooks.',
} as const;

/** The contract for media, institutions and regulators. The public contract does not depend on it. */
export const enterpriseContract = {
  account: enterpriseAccount,
  feed: enterpriseFeed,
  sandbox: enterpriseSandbox,
  snapshots: enterpriseSnapshots,
  webhooks: enterpriseWebhooks,
  brokers: { ...enterpriseBrokers, ...enterprisePublication },
  regulators: enterpriseRegulators,
  media: enterpriseMedia,
  screening: enterpriseScreening,
  serviceLevel: enterpriseServiceLevel,
  watchlists: enterpriseWatchlists,
} as const satisfies RouteGroup;
