export type {
  EnterpriseCalls,
  EnterpriseClient,
  EnterpriseFiles,
  FeedOptions,
  FileOptions,
  FollowOptions,
  SafeEnterpriseCalls,
  SnapshotEntry,
  SnapshotOptions,
} from './enterprise/calls.ts';
export { checkReplica, type ReplicaCheck } from './enterprise/check.ts';
export { ProofError, type ProofErrorCode } from './enterprise/error.ts';
export { type EnterpriseOptions, enterprise } from './enterprise/family.ts';
export { readFeed } from './enterprise/feed.ts';
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
export { readSnapshot } from './enterprise/snapshot.ts';
export type { ReplicaTree } from './enterprise/tree.ts';
export {
  type Delivery,
  type VerificationKeys,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookMessage,
} from './enterprise/webhook.ts';
export { type WebhookHandler, type WebhookOptions, webhookHandler } from './enterprise/webhook-handler.ts';
export type * from './generated/enterprise.ts';
