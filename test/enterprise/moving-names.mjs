/** Preloaded into a server: names below `moves.example` have the address that stands in a file at that moment. */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';

const { lookup } = dns;
dns.lookup = (host, options, callback) => {
  if (!host.endsWith('.moves.example')) return lookup(host, options, callback);
  const address = readFileSync(process.env.MOVING_NAMES, 'utf8').trim();
  callback(null, [{ address, family: 4 }]);
};
