import ipaddr from 'ipaddr.js';

/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is reached. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All that is given out to the public; `range()` takes `::7f00:1`, an old way to write 127.0.0.1, for a public address. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/** The address that is meant: an IPv4 one may come wrapped in an IPv6 one. */
const unwrap = (text: string): ipaddr.IPv4 | ipaddr.IPv6 => {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 && address.match(NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address;
};

/** Whether an address belongs to the public Internet. What is no address does not. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL)) return false;
  return address.range() === 'unicast';
};

/** Whether an address is this machine's own. */
export const isLoopback = (text: string): boolean => ipaddr.isValid(text) && unwrap(text).range() === 'loopback';
