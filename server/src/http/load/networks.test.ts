import { expect, test } from 'vitest';
import { CALLER, SITE, toNetwork } from './networks.ts';

test.each([
  ['192.0.2.1', '192.0.2.2', false, true],
  ['192.0.2.1', '192.0.3.1', false, false],
  ['192.0.2.1', '::ffff:192.0.2.1', true, true],
  ['192.0.2.1', '::ffff:c000:201', true, true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true, true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false, true],
  ['2001:db8:1:2::1', '2001:db8:2:2::1', false, false],
  ['fe80::1%eth0', 'fe80::2', true, true],
  ['no address', '', true, true],
  ['::1', '0.0.0.0', false, false],
])('%s and %s are the same caller: %s; they are at the same site: %s', (one, other, caller, site) => {
  expect(toNetwork(one, CALLER) === toNetwork(other, CALLER)).toBe(caller);
  expect(toNetwork(one, SITE) === toNetwork(other, SITE)).toBe(site);
});
