/** Scopes of customers' keys. A plan has some of these scopes, and a key some of its plan's. */
export const ENTERPRISE_SCOPES = [
  'account:read',
  'record:read',
  'texts:read',
  'snapshots:read',
  'sandbox:write',
  'webhooks:write',
  'watchlists:write',
  'screening:read',
  'media:read',
] as const;
/** One of {@link ENTERPRISE_SCOPES}. */
export type EnterpriseScope = (typeof ENTERPRISE_SCOPES)[number];

/** The policy of an enterprise route, as data: the server enforces it, and the access matrix is made from it. */
export interface EnterpriseMeta {
  readonly access: { readonly scope: EnterpriseScope; readonly kyc: false };
  readonly limit: 'enterprise';
  readonly cache: 'none';
  /**
   * `record`: the answer is computed from the record for each request. Such requests have a budget of their own as well
   * (`recordReadsPerMinute` of the plan), and the service does few at a time.
   */
  readonly costs?: 'record';
  /** `files`: answers are no JSON, so `Accept` says nothing about them. */
  readonly answers?: 'files';
}

/**
 * Gives an enterprise route its policy: every route needs a key whose plan has this scope.
 * @param costs its cost besides a request
 * @example enterpriseMeta('record:read').access.scope // 'record:read'
 */
export const enterpriseMeta = (scope: EnterpriseScope, costs?: EnterpriseMeta['costs']): EnterpriseMeta => ({
  access: { scope, kyc: false },
  limit: 'enterprise',
  cache: 'none',
  ...(costs && { costs }),
});
