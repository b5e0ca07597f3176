import { randomBytes } from 'node:crypto';
import { PLANS, type PlanName } from '@broker-transparency/contract/enterprise';
import type { EntryKind } from '@broker-transparency/contract/record';
import { nextNumber } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Deliver, DeliveryResult } from '../../platform/webhooks/deliver.ts';
import { newSecret } from '../../platform/webhooks/keys.ts';
import { resumePosition } from './lane.rule.ts';
import { testMessage } from './message.rule.ts';
import { MOST_SECRETS, OVERLAP_MS } from './policy.rule.ts';
import * as store from './store.ts';

export type { Endpoint } from './store.ts';
export const { listEndpoints } = store;

/** Returns the ids of the endpoints of an organisation that follow its watchlist of this name. */
export const findFollowers = async (db: Db, organisation: string, name: string): Promise<string[]> =>
  (await store.listEndpoints(db, organisation)).filter(({ watchlist }) => watchlist === name).map(({ _id }) => _id);

/** An endpoint with a secret that is shown this once. */
export interface IssuedEndpoint {
  readonly endpoint: Omit<store.Endpoint, 'slot'>;
  readonly secret: string;
}

/** Whose endpoint it is to be. */
export interface EndpointOwner {
  readonly organisation: string;
  readonly plan: PlanName;
}

/** A subscription of a customer. */
export interface EndpointDraft {
  readonly url: string;
  readonly description?: string | undefined;
  readonly kinds?: readonly EntryKind[] | undefined;
  readonly watchlist?: string | undefined;
  /** The first number that it gets. Defaults to the next one. */
  readonly from?: number | undefined;
}

const requireNumber = async (db: Db, from: number): Promise<number> => {
  const next = await nextNumber(db);
  if (from <= next) return from;
  throw new DomainError('state_conflict', `The record ends at number ${next - 1}. Nothing has number ${from} yet.`);
};

/**
 * Subscribes an endpoint.
 * @throws DomainError state_conflict if the plan has no more, or the record does not reach that far
 */
export const createEndpoint = async (
  db: Db,
  clock: Clock,
  { organisation, plan }: EndpointOwner,
  { url, description, kinds, watchlist, from }: EndpointDraft,
): Promise<IssuedEndpoint> => {
  const now = clock();
  const next = from === undefined ? await nextNumber(db) : await requireNumber(db, from);
  const secret = newSecret(now);
  const endpoint: Omit<store.Endpoint, 'slot'> = {
    _id: `we_${randomBytes(12).toString('hex')}`,
    organisation,
    url,
    description: description ?? null,
    kinds: kinds ? [...new Set(kinds)] : null,
    watchlist: watchlist ?? null,
    secrets: [secret],
    createdAt: now,
    revision: 0,
    epoch: 0,
    position: { next, blocked: [], whole: null },
    paused: null,
    lastDeliveredAt: null,
    failures: [],
  };
  const { webhookEndpoints: most } = PLANS[plan];
  if (await store.insertEndpoint(db, endpoint, most)) return { endpoint, secret: secret.secret };
  throw new DomainError(
    'state_conflict',
    `The plan "${plan}" has ${most} endpoints, and all are in use. Delete one first.`,
  );
};

/** How often a change is tried that another one came before. */
const TRIES = 5;

/** Changes an endpoint. Resolves to null if it is not there, or belongs to somebody else. */
const changeWithRetry = async (
  db: Db,
  organisation: string,
  id: string,
  how: (endpoint: store.Endpoint) => store.EndpointChange,
  tries = TRIES,
): Promise<store.Endpoint | null> => {
  const endpoint = await store.findEndpoint(db, organisation, id);
  if (!endpoint) return null;
  const changed = await store.changeEndpoint(db, endpoint, how(endpoint));
  if (changed) return changed;
  if (tries > 1) return changeWithRetry(db, organisation, id, how, tries - 1);
  throw new DomainError('state_conflict', 'The endpoint is being changed by other requests.');
};

/** The changes of a customer to an endpoint. */
export interface EndpointEdit {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly kinds?: readonly EntryKind[] | null | undefined;
  readonly watchlist?: string | null | undefined;
  readonly state?: 'active' | 'paused' | undefined;
}

/**
 * Changes an endpoint. At another address, and after a pause, everything that failed is tried at once. Resolves to null
 * if it is not there, or belongs to somebody else.
 */
export const editEndpoint = (
  db: Db,
  clock: Clock,
  organisation: string,
  id: string,
  { state, ...edit }: EndpointEdit,
): Promise<store.Endpoint | null> =>
  changeWithRetry(db, organisation, id, ({ url, position, paused }) => {
    const now = clock();
    const isElsewhere = edit.url !== undefined && edit.url !== url;
    const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
    return {
      ...given,
      ...(isElsewhere || state === 'active' ? { position: resumePosition(position, now) } : {}),
      ...(state === 'active' ? { paused: null } : {}),
      ...(state === 'paused' ? { paused: paused ?? { at: now, why: 'asked' } } : {}),
    };
  });

/**
 * Lets events be sent again from a number on. Resolves to null if it is not there, or belongs to somebody else.
 * @throws DomainError state_conflict if the record does not reach that far
 */
export const replayFrom = async (
  db: Db,
  organisation: string,
  id: string,
  from: number,
): Promise<store.Endpoint | null> => {
  if (!(await store.findEndpoint(db, organisation, id))) return null;
  const next = await requireNumber(db, from);
  return changeWithRetry(db, organisation, id, () => ({ position: { next, blocked: [], whole: null } }));
};

/** Makes a new secret; the old one signs beside it for a day. Resolves to null if it is not there, or not theirs. */
export const rotateSecret = async (
  db: Db,
  clock: Clock,
  organisation: string,
  id: string,
): Promise<IssuedEndpoint | null> => {
  const now = clock();
  const fresh = newSecret(now);
  const soon = now.getTime() + OVERLAP_MS;
  const endpoint = await changeWithRetry(db, organisation, id, ({ secrets }) => ({
    secrets: [
      fresh,
      ...secrets
        .filter(({ endsAt }) => endsAt === null || endsAt > now)
        .map((one) => ({ ...one, endsAt: new Date(Math.min(soon, one.endsAt?.getTime() ?? soon)) }))
        .slice(0, MOST_SECRETS - 1),
    ],
  }));
  return endpoint && { endpoint, secret: fresh.secret };
};

export const { findEndpoint, deleteEndpoint } = store;

/** The outcome of a test event. */
export interface TestDelivery extends DeliveryResult {
  readonly id: string;
  readonly milliseconds: number;
}

/** Sends a test event now. Resolves to null if the endpoint is not there, or belongs to somebody else. */
export const testEndpoint = async (
  db: Db,
  { clock, deliver }: { readonly clock: Clock; readonly deliver: Deliver },
  organisation: string,
  id: string,
): Promise<TestDelivery | null> => {
  const endpoint = await store.findEndpoint(db, organisation, id);
  if (!endpoint) return null;
  const message = testMessage(id, clock(), randomBytes(6).toString('hex'));
  const begun = performance.now();
  const delivery = await deliver(endpoint, message);
  return { ...delivery, id: message.id, milliseconds: Math.round(performance.now() - begun) };
};
