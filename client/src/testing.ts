export type { TestAccount } from './testing/accounts.ts';
export type { TestCustomer } from './testing/customers.ts';
export type { SendWebhook, SentWebhook } from './testing/deliver.ts';
export type { FaultKind, FaultOptions } from './testing/faults.ts';
export type {
  BrokerFixture,
  ComplaintsFixture,
  Fixtures,
  LicenseFixture,
  NewsFixture,
  RegulatorFixture,
  ReviewFixture,
} from './testing/fixtures.ts';
export type { CallName } from './testing/policy.ts';
export { createTestServer, type TestServer } from './testing/server.ts';
export type { StoredComplaint, StoredReport, StoredReview } from './testing/stored.ts';
export { signWebhook, type WebhookDraft } from './testing/webhook.ts';
export type { ReceivedRequest, TestServerOptions } from './testing/world.ts';
