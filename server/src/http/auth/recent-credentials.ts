import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Credential, Principal } from './access.ts';

/** A token is looked up again after a minute at the latest, which also notes its last use. */
const KNOWN = { max: 10_000, ttl: 60_000 } as const;

interface CachedCredential {
  readonly principal: Principal;
  readonly goodUntil: Date;
}

/**
 * Good credentials of the last minute, so that a public read need not query the database each time. A credential is
 * forgotten when its token or its account changes. While changes are not followed, none is remembered.
 */
export const createRecentCredentials = (clock: Clock, isFollowed: () => boolean) => {
  const known = new LRUCache<string, CachedCredential>(KNOWN);
  let changes = 0;
  const hashHeader = (header: string): string => hash('sha256', header, 'base64url');
  return {
    find: (header: string): Credential | undefined => {
      const found = isFollowed() ? known.get(hashHeader(header)) : undefined;
      return found && found.goodUntil > clock() ? { principal: found.principal } : undefined;
    },
    /** Looks a credential up, and remembers a good one unless a change came meanwhile. */
    remember: async (header: string, look: () => Promise<Credential>): Promise<Credential> => {
      const before = changes;
      const credential = await look();
      const { principal } = credential;
      const goodUntil = principal?.goodUntil;
      if (principal && goodUntil && changes === before) known.set(hashHeader(header), { principal, goodUntil });
      return credential;
    },
    /** Forgets the credentials of the token or the account with this id. */
    forget: (id: string): void => {
      changes++;
      for (const [key, { principal }] of known.entries())
        if (principal.accountId === id || principal.tokenId === id) known.delete(key);
    },
    forgetAll: (): void => {
      changes++;
      known.clear();
    },
  };
};
export type RecentCredentials = ReturnType<typeof createRecentCredentials>;
