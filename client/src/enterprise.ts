export type {
  ChangesPage,
  CoveringCheckpoint,
  EnterpriseAccount,
  EnterpriseUsage,
  FeedEntry,
  FeedTexts,
  SnapshotFile,
  SnapshotList,
  SnapshotManifest,
  TreeHead,
} from '@broker-transparency/contract/enterprise';
export type {
  ChangesQuery,
  EnterpriseClient,
  FeedOptions,
  SnapshotEntry,
  SnapshotOptions,
} from './enterprise/calls.ts';
export { checkReplica, type ReplicaCheck } from './enterprise/check.ts';
export { createEnterpriseClient, type EnterpriseOptions } from './enterprise/client.ts';
export { ProofError, type ProofErrorCode } from './enterprise/error.ts';
export { type FileReplica, fileReplica } from './enterprise/file-store.ts';
export { memoryReplica } from './enterprise/memory-store.ts';
export { type ReplicaOptions, type ReplicaState, replica } from './enterprise/replica.ts';
export type {
  KeyTexts,
  ReplicaBatch,
  ReplicaEntry,
  ReplicaPosition,
  ReplicaReader,
  ReplicaStore,
  TextsOfKey,
  VouchedTree,
} from './enterprise/replica-store.ts';
export type { ReplicaTree } from './enterprise/tree.ts';
export {
  type Delivery,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookKeys,
  type WebhookMessage,
} from './enterprise/webhook.ts';
export { type WebhookHandler, type WebhookOptions, webhookHandler } from './enterprise/webhook-handler.ts';
