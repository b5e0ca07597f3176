import type { Socket } from 'node:net';
import proxyaddr from 'proxy-addr';
import { CALLER, type Prefix, SITE, toNetwork } from './networks.ts';

/** How many connections the callers of one network may have at once. */
export interface Share {
  readonly prefix: Prefix;
  readonly connections: number;
}

/** No browser or pool opens more. One address cannot use up the file descriptors of the process with so few. */
const PER_CALLER = 256;
/** A site may have this part of all connections: while one is hostile, there is room for others. */
const SITES = 4;

interface ShareSettings {
  readonly maxConnections: number;
  readonly publicRateLimit: number;
  readonly trustProxy: number | string[];
}

/** Shares of a caller and of a site. A caller has no fewer connections than requests a minute. */
export const computeShares = ({ maxConnections, publicRateLimit }: ShareSettings): Share[] => {
  const perCaller = Math.max(PER_CALLER, publicRateLimit);
  return [
    { prefix: CALLER, connections: perCaller },
    { prefix: SITE, connections: Math.max(perCaller, Math.floor(maxConnections / SITES)) },
  ];
};

/**
 * Whether an address is that of a proxy, which connects for many callers. Where proxies are only counted, every address
 * is one.
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
     * Counts a connection until it closes. Returns a function that tells how many its caller has; undefined where a
     * network has its share already.
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
