import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';

/**
 * Keys that are older are asked for again: one that the provider took away ends within this time. Milliseconds, as all
 * here.
 */
const MAX_AGE = 600_000;
/** Unknown keys make nobody ask again so soon after an answer: inventing key ids must not become a storm. */
const COOLDOWN = 10_000;
/** Nor so soon after a failure. */
const RETRY = 5000;

const unavailable = (): DomainError =>
  new DomainError('unavailable', 'The identity provider does not answer, and the key of this token is not known.', {
    retryAfter: RETRY / 1000,
  });

/**
 * The keys of an identity provider. Known ones go on working while it cannot be asked. jose's own remote set does not
 * serve: its cooldown counts from successes only, so that an outage makes every request ask, and its keys end with
 * their age.
 */
export const createKeys = (load: () => Promise<JSONWebKeySet>, clock: Clock, onFault: (error: unknown) => void) => {
  let find: ReturnType<typeof createLocalJWKSet> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  const since = (time: number): number => clock().getTime() - time;

  const reload = (): Promise<void> => {
    loading ??= load()
      .then((set) => {
        find = createLocalJWKSet(set);
        loadedAt = clock().getTime();
        failedAt = Number.NEGATIVE_INFINITY;
      })
      .catch((error: unknown) => {
        failedAt = clock().getTime();
        onFault(error);
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  /** Old keys are waited for once; in an outage nobody waits for keys that are at hand. */
  const refresh = async (): Promise<void> => {
    if (since(loadedAt) < MAX_AGE || since(failedAt) < RETRY) return;
    const lasting = Number.isFinite(failedAt);
    const reloading = reload();
    if (!lasting) await reloading;
  };

  const get: JWTVerifyGetKey = async (header, token) => {
    await refresh();
    try {
      if (find) return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || since(loadedAt) < COOLDOWN) throw error;
    }
    if (loading || since(failedAt) >= RETRY) await reload();
    if (!find || Number.isFinite(failedAt)) throw unavailable();
    return find(header, token);
  };
  return { get, reload };
};
