import type { Socket } from 'node:net';
import proxyaddr from 'proxy-addr';
import { CALLER, networkOf, type Prefix, SITE } from '../rate-limit/networks.ts';

/** How many connections the callers of one network may have at once. */
export interface Share {
  readonly prefix: Prefix;
  readonly connections: number;
}

/** More than any browser or pool opens, and few enough that one address cannot use up the files of the process. */
const PER_CALLER = 256;
/** One site in so many may be hostile, and there is room for others. */
const SITES = 4;

interface Settings {
  readonly maxConnections: number;
  readonly publicRateLimit: number;
  readonly trustProxy: number | string[];
}

/** The first is that of a caller, who has no fewer connections than requests a minute. */
export const sharesOf = ({ maxConnections, publicRateLimit }: Settings): Share[] => {
  const perCaller = Math.max(PER_CALLER, publicRateLimit);
  return [
    { prefix: CALLER, connections: perCaller },
    { prefix: SITE, connections: Math.max(perCaller, Math.floor(maxConnections / SITES)) },
  ];
};

/** Whose connections are those of many callers, and have no share. Where proxies are only counted, whoever connects is one. */
export const proxiesOf = ({ trustProxy }: Settings): ((address: string) => boolean) => {
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
    /** Counts a connection until it closes. Returns what tells how many its caller has; undefined where one of its networks has its share. */
    take: (socket: Socket): (() => number) | undefined => {
      const { remoteAddress: address = '' } = socket;
      if (isProxy(address)) return () => 1;
      const keys = shares.map(({ prefix }) => networkOf(address, prefix));
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
