import { isLoopback, isPublicAddress, isWithin } from './addresses.ts';

/** Which addresses requests may go to. */
export interface OutboundRules {
  readonly ports: readonly number[];
  /** Whether they may go to this machine. */
  readonly allowLoopback: boolean;
  /** Networks that are not public and may be asked all the same: the operator's own. */
  readonly networks?: readonly string[];
}

/** A request that was not made, or whose answer cannot be used. The message says why, and goes on after the address. */
export class OutboundError extends Error {}

/** It would have gone to an address that is not public. */
export class NotPublic extends OutboundError {}

const mayBeAsked = (address: string, { allowLoopback, networks = [] }: OutboundRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopback(address)) || isWithin(address, networks);

/** @throws OutboundError where one of the addresses of a host is not public: the next look might take that one */
export const checkAddresses = (host: string, addresses: readonly string[], rules: OutboundRules): void => {
  const refused = addresses.find((address) => !mayBeAsked(address, rules));
  if (refused !== undefined)
    throw new NotPublic(
      host === refused ? `leads to ${host}, which is not public` : `leads to ${host}, which is ${refused}: not public`,
    );
  if (addresses.length === 0) throw new OutboundError(`leads to ${host}, which has no address`);
};

const LITERAL = /^\[(.*)\]$|^(\d+\.\d+\.\d+\.\d+)$/;

/** The port that a URL leads to. */
export const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/**
 * Checks an address before anything is sent. A host name is checked once more by the addresses it has when the connection
 * is made. @throws OutboundError
 */
export const checkUrl = (url: URL, rules: OutboundRules): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundError(`leads to ${url.protocol}, and only http and https are read`);
  if (url.username !== '' || url.password !== '') throw new OutboundError('leads to an address with a user name in it');
  const port = portOf(url);
  if (!rules.ports.includes(port))
    throw new OutboundError(`leads to port ${port}, and only ${rules.ports.join(', ')} may be used`);
  const [, v6, v4] = LITERAL.exec(url.hostname) ?? [];
  const literal = v6 ?? v4;
  if (literal !== undefined) checkAddresses(literal, [literal], rules);
};
