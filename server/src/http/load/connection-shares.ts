import type { Socket } from 'node:net';
import proxyaddr from 'proxy-addr';
import { CALLER, type Prefix, SITE, toNetwork } from './networks.ts';

/** Number of connections that the callers of one network may have at once. */
export interface Share {
  readonly prefix: Prefix;
  readonly connections: number;
}

/**
 * Connections per caller: no browser or pool opens more, and one address cannot use up the process's file descriptors.
 */
const PER_CALLER = 256;
/** A site may have this fraction of all connections (1/n): while one is hostile, there is room for others. */
const SITES = 4;

interface ShareSettings {
  readonly maxConnections: number;
  readonly publicRateLimit: number;
  readonly trustProxy: number | string[];
}

/**
 * Returns the shares of a caller and of a site. A caller may have at least as many connections as requests a minute.
 */
export const computeShares = ({ maxConnections, publicRateLimit }: ShareSettings): Share[] => {
  const perCaller = Math.max(PER_CALLER, publicRateLimit);
  return [
    { prefix: CALLER, connections: perCaller },
    { prefix: SITE, connections: Math.max(perCaller, Math.floor(maxConnections / SITES)) },
  ];
};

/**
 * Returns a function that tells if an address belongs to a proxy, which connects for many callers. If proxies are only
 * counted, every address does.
 */
export const createProxyCheck = ({ trustProxy }: ShareSettings): ((address: string) => boolean) => {
  if (typeof trustProxy === 'number') return () => trustProxy > 0;
  const isProxy = proxyaddr.compile(trustProxy);
  return (address) => isProxy(address, 0);
};

/** Counts connections by the network of their callers. */
export const createShares = (shares: readonly Share[], isProxy: (address: string) => boolean) => {
  const counts = new Map<string, number>();
  const add = (key: string, n: number): void => {
    const count = (counts.get(key) ?? 0) + n;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    /**
     * Counts a connection until it closes. Returns a function for the number of its caller's connections; undefined if
     * a network has used up its share.
     */
    take: (socket: Socket): (() => number) | undefined => {
      const { remoteAddress: address = '' } = socket;
      if (isProxy(address)) return () => 1;
      const keys = shares.map(({ prefix }) => toNetwork(address, prefix));
      const has = (n: number): number => counts.get(keys[n] as string) ?? 0;
      if (shares.some(({ connections }, n) => has(n) >= connections)) return undefined;
      for (const key of keys) add(key, 1);
      socket.once('close', () => {
        for (const key of keys) add(key, -1);
      });
      return () => has(0);
    },
  };
};
