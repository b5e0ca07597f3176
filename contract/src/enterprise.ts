export * from './enterprise/account.ts';
export * from './enterprise/contract.ts';
export * from './enterprise/feed.ts';
export * from './enterprise/metadata.ts';
export { enterpriseOpenApiDocument } from './enterprise/openapi.ts';
export * from './enterprise/plans.ts';
export * from './enterprise/sandbox.ts';
export * from './enterprise/snapshots.ts';
