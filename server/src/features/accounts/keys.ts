import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';

/**
 * Age in milliseconds at which keys are fetched again. A key that the provider withdraws stops working within this
 * time.
 */
const MAX_AGE = 600_000;
/**
 * Milliseconds after an answer before an unknown key causes another request, so that invented key ids cannot cause a
 * storm.
 */
const COOLDOWN = 10_000;
/** Milliseconds after a failure before another request. */
const RETRY = 5000;

const unavailable = (): DomainError =>
  new DomainError('unavailable', 'The identity provider does not answer, and the key of this token is not known.', {
    retryAfter: RETRY / 1000,
  });

/**
 * The keys of an identity provider. Known keys continue to work during an outage. jose's own remote key set does not
 * fit: its cooldown counts only from successes, so that every request contacts the provider in an outage, and its keys
 * stop working at their maximum age.
 */
export const createKeys = (load: () => Promise<JSONWebKeySet>, clock: Clock, onFault: (error: unknown) => void) => {
  let find: ReturnType<typeof createLocalJWKSet> | undefined;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;
  const getAge = (time: number): number => clock().getTime() - time;

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

  /** Waits for a refresh of old keys once. During an outage, requests use the known keys without waiting. */
  const refresh = async (): Promise<void> => {
    if (getAge(loadedAt) < MAX_AGE || getAge(failedAt) < RETRY) return;
    const lasting = Number.isFinite(failedAt);
    const reloading = reload();
    if (!lasting) await reloading;
  };

  const getKey: JWTVerifyGetKey = async (header, token) => {
    await refresh();
    try {
      if (find) return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || getAge(loadedAt) < COOLDOWN) throw error;
    }
    if (loading || getAge(failedAt) >= RETRY) await reload();
    if (!find || Number.isFinite(failedAt)) throw unavailable();
    return find(header, token);
  };
  return { get: getKey, reload };
};
