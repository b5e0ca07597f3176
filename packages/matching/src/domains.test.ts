import { expect, test } from 'vitest';
import { type DomainParts, domainParts, domainRelation, isShared, meansBrand, parseHost } from './domains.ts';

test.each([
  ['alpha.example', 'alpha.example'],
  ['https://www.Alpha.example:8443/login?x=1#y', 'alpha.example'],
  ['info@alpha.example', 'alpha.example'],
  ['WWW2.ALPHA.EXAMPLE.', 'alpha.example'],
  ['älpha.example', 'xn--lpha-koa.example'],
  ['localhost', undefined],
  ['127.0.0.1', undefined],
  ['not a domain', undefined],
])('the host of %s is %s', (domain, host) => {
  expect(parseHost(domain)).toBe(host);
});

test.each([
  ['trade.alpha.co.uk', 'alpha.co.uk', 'alpha'],
  ['alpha.com.au', 'alpha.com.au', 'alpha'],
  ['alpha.uk.com', 'alpha.uk.com', 'alpha'], // names below uk.com are given to anybody
  ['alpha.github.io', 'alpha.github.io', 'alpha'],
  ['www.alpha.example', 'alpha.example', 'alpha'],
  ['älpha.example', 'xn--lpha-koa.example', 'alpha'],
  ['co.uk', undefined, undefined],
])('the domain %s has the registered part %s and the chosen label %s', (domain, registered, label) => {
  expect(domainParts(domain)?.registered).toBe(registered);
  expect(domainParts(domain)?.label).toBe(label);
});

test.each([
  ['https://t.me/alpha', true],
  ['m.facebook.com/alpha', true],
  ['alpha@gmail.com', true],
  ['alpha.example', false],
])('%s is of a platform: %s', (domain, shared) => {
  expect(isShared(domainParts(domain) as DomainParts)).toBe(shared);
});

test.each([
  ['alpha-markets.example', 'trade.alpha-markets.example', 'same'],
  ['alpha-markets.example', 'alphamarkets.example', 'look-alike'],
  ['alpha-markets.example', 'alpha-markets.test', 'look-alike'],
  ['alpha-markets.example', 'a1pha-markets.example', 'look-alike'],
  ['alpha-markets.example', 'alpha-markest.example', 'look-alike'],
  ['alphamarkets.example', 'my-alphamarkets.example', 'look-alike'],
  ['alphamarkets.example', 'alphamarkets-login.example', 'look-alike'],
  ['zyxwell.example', 'zyxwell24.example', 'look-alike'],
  ['alpha-markets.example', 'аlpha-markets.test', 'look-alike'], // the first letter is Cyrillic
  ['alpha-markets.example', 'xn--lpha-markets-3fg.test', 'look-alike'],
  ['alpha-markets.example', 'älphä-märkets.test', 'look-alike'],
  ['zyxwell.co.uk', 'omega.co.uk', 'foreign'],
  ['one.github.io', 'two-words.github.io', 'foreign'],
] as const)('%s and %s: %s', (one, other, relation) => {
  const [a, b] = [domainParts(one) as DomainParts, domainParts(other) as DomainParts];
  expect(domainRelation(a, b)).toBe(relation);
  expect(domainRelation(b, a)).toBe(relation);
});

test.each([
  ['alpha-markets.evil.test', 'alpha-markets.example', true],
  ['login.alpha-markets.example.evil.test', 'alpha-markets.example', true],
  ['secure-alpha-markets.evil.test', 'alpha-markets.example', true],
  ['verify-alpha-markets.test', 'alpha-markets.example', true],
  ['my-alpha-markets-login.test', 'alpha-markets.example', true],
  ['a1pha-markets.evil.test', 'alpha-markets.example', true],
  ['zyxwell.evil.test', 'alpha-markets.example', false],
  ['trade.evil.test', 'trade.example', false], // a word that all use
  ['login.evil.test', 'login.example', false],
  ['cmc.evil.test', 'cmc.example', false], // too short to be nobody else's
])('%s has the brand of %s in a label: %s', (host, brand, means) => {
  expect(meansBrand(domainParts(host) as DomainParts, domainParts(brand) as DomainParts)).toBe(means);
});
