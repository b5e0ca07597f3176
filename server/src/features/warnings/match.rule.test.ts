import { expect, test } from 'vitest';
import { findBrokers, indexBrokers, type MatchableBroker } from './match.rule.ts';

const broker: MatchableBroker = {
  key: 'alpha',
  keys: ['alpha'],
  slug: 'alpha',
  name: 'Alpha Markets',
  legalNames: ['Alpha Markets Ltd'],
  tradingNames: [],
  domains: ['alpha-markets.example'],
  leis: [],
  licenses: [{ regulator: 'fca', number: '123456', holder: 'Alpha Markets Ltd', isHeld: false }],
};

const NO_VICTIMS = { victims: [], victimNumbers: [], victimDomains: [] } as const;

/** Pages that anybody can have, and addresses as authorities write them so that nobody clicks on them. */
test.each(['https://t.me/alpha_markets_vip', 'alphamarkets@gmail.com', 'alpha-markets-vip[.]example', '203.0.113.7'])(
  'a warning that names %s beside the number of its victim waits',
  (site) => {
    const warned = (domains: readonly string[]) =>
      findBrokers(
        {
          authority: { code: 'fca', name: 'FCA' },
          names: ['Alpha Markets Ltd'],
          domains,
          licenseNumbers: ['123456'],
          leis: [],
          ...NO_VICTIMS,
          mentionsClone: false,
        },
        indexBrokers([broker]),
      );
    expect(warned(['alpha-markets.example'])).toMatchObject([{ counts: true, doubts: [] }]);
    expect(warned(['alpha-markets.example', site])).toMatchObject([{ counts: false, doubts: ['unknown_domain'] }]);
  },
);

test.each(['123456 and 999999', 'FRN 123456, 999999', '123456; 999999'])(
  'a warning with two numbers in one field, "%s", waits',
  (number) => {
    const warned = {
      authority: { code: 'fca', name: 'FCA' },
      names: ['Alpha Markets Ltd'],
      domains: [],
      licenseNumbers: [number],
      leis: [],
      ...NO_VICTIMS,
      mentionsClone: false,
    };
    expect(findBrokers(warned, indexBrokers([broker]))).toMatchObject([
      { counts: false, doubts: ['contradicting_identifier'] },
    ]);
  },
);

const clone = (over: object) => ({
  authority: { code: 'fca', name: 'FCA' },
  names: [],
  domains: ['somebody-else.example'],
  licenseNumbers: [],
  leis: [],
  ...NO_VICTIMS,
  mentionsClone: true,
  ...over,
});

test.each<[string, object, string]>([
  ['name', { victims: ['ALPHA MARKETS LIMITED'] }, 'victim name'],
  ['number at the authority', { victimNumbers: ['123456'] }, 'victim number'],
  ['site', { victimDomains: ['www.alpha-markets.example'] }, 'victim domain'],
])('a victim that a list names by its %s is suggested as one of which there is a clone', (_, over, field) => {
  expect(findBrokers(clone(over), indexBrokers([broker]))).toMatchObject([
    {
      counts: false,
      suggests: 'clone_of',
      grounds: [],
      doubts: ['named_as_victim'],
      evidence: expect.arrayContaining([expect.objectContaining({ field })]),
    },
  ]);
});

test('a firm whose very number and name a warning has, and which it names as victim, does not count', () => {
  const both = clone({
    names: ['Alpha Markets Ltd'],
    domains: ['alpha-markets.example'],
    licenseNumbers: ['123456'],
    victims: ['Alpha Markets Ltd'],
    mentionsClone: false,
  });
  const [found, ...others] = findBrokers(both, indexBrokers([broker]));
  expect(found).toMatchObject({ counts: false, suggests: 'clone_of', doubts: ['named_as_victim'] });
  expect(others).toEqual([]);
});

test('a warning about the clone of another firm matches no broker', () => {
  expect(findBrokers(clone({ victims: ['Omega Capital Pty Ltd'] }), indexBrokers([broker]))).toEqual([]);
});
