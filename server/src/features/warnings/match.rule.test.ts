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
      mentionsClone: false,
    };
    expect(findBrokers(warned, indexBrokers([broker]))).toMatchObject([
      { counts: false, doubts: ['contradicting_identifier'] },
    ]);
  },
);
