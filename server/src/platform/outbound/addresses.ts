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

/** Whether a host of a URL is this machine by its very name. */
export const isThisMachine = (host: string): boolean => /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(host);

/** The network of a text such as `10.0.0.0/8`, or of one address; undefined where it is neither, in full. */
const networkOf = (text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined => {
  const [address = '', bits] = text.split('/', 2);
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
  const base = ipaddr.parse(address);
  const most = base.kind() === 'ipv4' ? 32 : 128;
  if (text.split('/').length > 2 || !/^\d{1,3}$/.test(bits ?? '0') || Number(bits ?? 0) > most) return undefined;
  return [base, bits === undefined ? most : Number(bits)];
};

export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

/** Whether an address is in one of these networks. */
export const isWithin = (text: string, networks: readonly string[]): boolean => {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(text);
  return networks.some((each) => {
    const network = networkOf(each);
    return network !== undefined && network[0].kind() === address.kind() && address.match(network);
  });
};
