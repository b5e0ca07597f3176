export { EnterpriseAccount, EnterpriseUsage } from './enterprise/account.ts';
export { ENTERPRISE_BASE_PATH, enterpriseContract } from './enterprise/contract.ts';
export { ChangesPage, CoveringCheckpoint, FeedEntry, FeedTexts, TreeHead } from './enterprise/feed.ts';
export {
  BrokersThen,
  BrokerThen,
  BrokerTimeline,
  RegulatorsThen,
  RegulatorThen,
  ShortScore,
  TimelineStep,
} from './enterprise/history.ts';
export { Correction, Corrections, Mover, Movers } from './enterprise/media.ts';
export { ENTERPRISE_SCOPES, type EnterpriseMeta, type EnterpriseScope } from './enterprise/metadata.ts';
export { enterpriseOpenApiDocument } from './enterprise/openapi.ts';
export { AGREEMENT_VERSION, PLAN_NAMES, PLANS, type Plan, type PlanName } from './enterprise/plans.ts';
export { PUBLICATION_FORMS, PublicationFile } from './enterprise/publication.ts';
export { TestEvent } from './enterprise/sandbox.ts';
export {
  MATCHES,
  SCREENED_FIELDS,
  ScreeningAlert,
  ScreeningAnswer,
  ScreeningCandidate,
  ScreeningEvidence,
  ScreeningFault,
  ScreeningQuery,
  ScreeningRequest,
} from './enterprise/screening.ts';
export { ServiceLevelReport, SpeedReport } from './enterprise/service-level.ts';
export { SnapshotFile, SnapshotList, SnapshotManifest } from './enterprise/snapshots.ts';
export { Watchlist, WatchlistDraft, WatchlistList, WatchlistName } from './enterprise/watchlists.ts';
export {
  BlockedSubject,
  NewWebhook,
  WebhookChange,
  WebhookEndpoint,
  WebhookKeys,
  WebhookList,
  WebhookReplay,
  WebhookSecret,
  WebhookTest,
} from './enterprise/webhooks.ts';
