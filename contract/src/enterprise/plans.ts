import { ENTERPRISE_SCOPES, type EnterpriseScope } from './metadata.ts';

/** The version of the agreement that new customers accept: `docs/enterprise/agreement.md`. */
export const AGREEMENT_VERSION = '2026-2';

/** Every plan. Prices are the operator's. */
export const PLAN_NAMES = ['media', 'institution', 'regulator'] as const;
/** One of {@link PLAN_NAMES}. */
export type PlanName = (typeof PLAN_NAMES)[number];

/** The rights and limits of a customer with a plan. */
export interface Plan {
  readonly scopes: readonly EnterpriseScope[];
  /** Requests of the organisation in a minute, over all its keys. */
  readonly requestsPerMinute: number;
  /** Requests per minute that are computed from the record, among all requests. */
  readonly recordReadsPerMinute: number;
  /** Requests of the organisation in a calendar month (UTC), over all its keys. */
  readonly requestsPerMonth: number;
  /** Requests that may wait for changes at the same time. */
  readonly longPolls: number;
  readonly webhookEndpoints: number;
  readonly watchlists: number;
  /** Days for which each access is kept, for the customer and for the operator. */
  readonly accessKeptDays: number;
  /** The terms of use of the data: the section of the agreement. */
  readonly terms: {
    readonly republication: 'with-citation' | 'internal' | 'official-duties';
    readonly section: string;
  };
}

/** Every scope but these, so that a new one is in each plan unless somebody decides otherwise. */
const allBut = (...left: readonly EnterpriseScope[]): readonly EnterpriseScope[] =>
  ENTERPRISE_SCOPES.filter((scope) => !left.includes(scope));

/** The plans by name. */
export const PLANS: Readonly<Record<PlanName, Plan>> = {
  media: {
    scopes: allBut('screening:read'),
    requestsPerMinute: 300,
    recordReadsPerMinute: 60,
    requestsPerMonth: 500_000,
    longPolls: 2,
    webhookEndpoints: 5,
    watchlists: 20,
    accessKeptDays: 90,
    terms: { republication: 'with-citation', section: 'data-terms-media' },
  },
  institution: {
    scopes: allBut('media:read'),
    requestsPerMinute: 1200,
    recordReadsPerMinute: 60,
    requestsPerMonth: 5_000_000,
    longPolls: 10,
    webhookEndpoints: 20,
    watchlists: 200,
    accessKeptDays: 400,
    terms: { republication: 'internal', section: 'data-terms-institutions' },
  },
  regulator: {
    scopes: ENTERPRISE_SCOPES,
    requestsPerMinute: 1200,
    recordReadsPerMinute: 60,
    requestsPerMonth: 5_000_000,
    longPolls: 10,
    webhookEndpoints: 20,
    watchlists: 200,
    accessKeptDays: 400,
    terms: { republication: 'official-duties', section: 'data-terms-regulators' },
  },
};
