import ipaddr from 'ipaddr.js';

/** Number of leading bits of an address that name its network. */
export interface Prefix {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** Network of one caller: an IPv6 caller has a whole /64. */
export const CALLER: Prefix = { ipv4: 32, ipv6: 64 };
/** Network that one customer of a provider gets easily: many adjacent addresses. */
export const SITE: Prefix = { ipv4: 24, ipv6: 48 };

/** Returns the network of an address, as in `192.0.2/24`. An IPv4 address that is mapped into IPv6 counts as IPv4. */
export const toNetwork = (address: string, prefix: Prefix): string => {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const bits = prefix[parsed.kind()];
  const separator = parsed.kind() === 'ipv4' ? '.' : ':';
  return `${parsed
    .toByteArray()
    .slice(0, bits / 8)
    .join(separator)}/${bits}`;
};
