import { isLoopback, isPublicAddress, isThisMachine, isWithin } from './addresses.ts';

/** The addresses that outbound requests may reach. */
export interface OutboundRules {
  /** All ports if absent. */
  readonly ports?: readonly number[];
  /** True if plain http is refused. */
  readonly httpsOnly?: boolean;
  /** True if loopback addresses are allowed. */
  readonly allowLoopback: boolean;
  /** The operator's own networks, which are allowed although they are not public. */
  readonly networks?: readonly string[];
  /** True if only these networks are allowed, because the traffic is not encrypted. */
  readonly onlyNetworks?: boolean;
}

/**
 * A request was refused, or its answer cannot be used. The message gives the reason and continues after the address. It
 * becomes part of a pull's outcome or of a log line, and is never shown alone.
 */
export class OutboundError extends Error {}

/** The request would have gone to an address that is not public. */
export class NotPublicError extends OutboundError {}

const isAllowedAddress = (address: string, { allowLoopback, networks = [], onlyNetworks }: OutboundRules): boolean =>
  (!onlyNetworks && isPublicAddress(address)) || (allowLoopback && isLoopback(address)) || isWithin(address, networks);

/**
 * Checks all addresses of a host, since the next look-up might choose any of them.
 * @throws OutboundError if one of them is not public, or there is none
 */
export const checkAddresses = (host: string, addresses: readonly string[], rules: OutboundRules): void => {
  const refused = addresses.find((address) => !isAllowedAddress(address, rules));
  if (refused !== undefined && rules.onlyNetworks)
    throw new NotPublicError(
      `leads to ${host} by http, and ${refused} is in none of the networks that may be reached so`,
    );
  if (refused !== undefined)
    throw new NotPublicError(
      host === refused ? `leads to ${host}, which is not public` : `leads to ${host}, which is ${refused}: not public`,
    );
  if (addresses.length === 0) throw new OutboundError(`leads to ${host}, which has no address`);
};

const LITERAL = /^\[(.*)\]$|^(\d+\.\d+\.\d+\.\d+)$/;

/** Returns the port of a URL, including the default ones. */
export const resolvePort = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/**
 * Checks a URL before anything is sent. The addresses of a host name are checked again when the connection is made.
 * @throws OutboundError if the URL may not be requested
 */
export const checkUrl = (url: URL, rules: OutboundRules): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundError(`leads to ${url.protocol}, and only http and https are read`);
  if (rules.httpsOnly && url.protocol !== 'https:')
    throw new OutboundError('leads to http:, where anybody on the way could read and change it: use https');
  if (url.username !== '' || url.password !== '') throw new OutboundError('leads to an address with a user name in it');
  const port = resolvePort(url);
  if (rules.ports && !rules.ports.includes(port))
    throw new OutboundError(`leads to port ${port}, and only ${rules.ports.join(', ')} may be used`);
  const [, v6, v4] = LITERAL.exec(url.hostname) ?? [];
  const literal = v6 ?? v4;
  if (literal !== undefined) checkAddresses(literal, [literal], rules);
};

/** Returns the rules for an address from the operator, which may be in a private network. */
export const operatorRules = (url: URL): OutboundRules => ({
  ports: [resolvePort(url)],
  allowLoopback: isThisMachine(url.hostname),
  networks: ['0.0.0.0/0', '::/0'],
});
