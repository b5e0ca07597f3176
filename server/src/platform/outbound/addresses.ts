import ipaddr from 'ipaddr.js';

/** NAT64 (RFC 6052): the last 32 bits are the IPv4 address of the destination. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/**
 * The address space allocated for public use. `range()` alone takes `::7f00:1`, an old way to write 127.0.0.1, for a
 * public address.
 */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns the actual address, since an IPv4 address may be embedded in an IPv6 one. */
const unwrap = (text: string): ipaddr.IPv4 | ipaddr.IPv6 => {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 && address.match(NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address;
};

/** Returns whether an address belongs to the public Internet; false for text that is not an address. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(text);
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL)) return false;
  return address.range() === 'unicast';
};

/** Returns whether an address is a loopback address. */
export const isLoopback = (text: string): boolean => ipaddr.isValid(text) && unwrap(text).range() === 'loopback';

/** Returns whether the host of a URL names this machine, without a look-up. */
export const isThisMachine = (host: string): boolean => /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(host);

/** Parses a network such as `10.0.0.0/8`, or a single address. Returns undefined for other or abbreviated text. */
const parseNetwork = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined => {
  const [address = '', bits] = text.split('/', 2);
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
  const base = ipaddr.parse(address);
  const most = base.kind() === 'ipv4' ? 32 : 128;
  if (text.split('/').length > 2 || !/^\d{1,3}$/.test(bits ?? '0') || Number(bits ?? 0) > most) return undefined;
  return [base, bits === undefined ? most : Number(bits)];
};

export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined;

/** Returns whether an address is in one of these networks. */
export const isWithin = (text: string, networks: readonly string[]): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(text);
  return networks.some((each) => {
    const network = parseNetwork(each);
    return network !== undefined && network[0].kind() === address.kind() && address.match(network);
  });
};
