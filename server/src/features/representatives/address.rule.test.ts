import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADDRESS_FAULTS, findAddressFault } from './address.rule.ts';

const regulator = { website: 'https://www.regulator.example', registerUrl: 'https://register.authority.example/firms' };
const facts = {
  regulator,
  domains: ['alpha.example', 'trade.markets.example', 'https://www.alpha-markets.example/start'],
};

describe('the place of an address', () => {
  test.each([
    ['office@lawyer.example', 'https://register.authority.example/firms/1', undefined],
    ['office@lawyer.example', 'https://www.regulator.example/firms?id=1', undefined],
    ['office@lawyer.example', 'https://data.regulator.example/1', undefined],
    ['office@alpha.example', 'https://register.authority.example/firms/1', undefined],
    ['office@lawyer.example', '123456', undefined],
    ['office@alpha.example', '123456', 'own_domain_without_link'],
    ['office@mail.alpha.example', '123456', 'own_domain_without_link'],
    ['office@ALPHA.example', '123456', 'own_domain_without_link'],
    ['office@alpha-markets.example', '123456', 'own_domain_without_link'],
    ['office@notalpha.example', '123456', undefined],
    ['office@markets.example', '123456', 'own_domain_without_link'],
    ['office@lawyer.example', 'https://alpha.example/licence', 'place_elsewhere'],
    ['office@lawyer.example', 'https://register.authority.example.alpha.example/1', 'place_elsewhere'],
    ['office@lawyer.example', 'https://register.authority.example@alpha.example/1', 'place_elsewhere'],
    ['office@lawyer.example', 'http://register.authority.example/firms/1', 'place_elsewhere'],
    ['office@lawyer.example', 'javascript:alert(1)', 'place_elsewhere'],
    ['office@lawyer.example', 'https://', 'place_elsewhere'],
    ['office@lawyer.example', ' ', 'no_place'],
    ['office', '123456', 'no_address'],
    ['office@lawyer.example, you@mail.example', '123456', 'no_address'],
  ])('%s at %s gives %s', (address, place, fault) => {
    expect(findAddressFault({ address, place }, facts)).toBe(fault);
  });

  test('no address is good without a regulator', () => {
    const address = { address: 'office@lawyer.example', place: '123456' };
    expect(findAddressFault(address, { ...facts, regulator: undefined })).toBe('unknown_register');
  });

  test.each([[[]], [['']]])(
    'a link alone shows that a register gives an address, while the domains of the broker are %j',
    (domains) => {
      const given = (place: string) =>
        findAddressFault({ address: 'office@lawyer.example', place }, { regulator, domains });
      expect(given('123456')).toBe('no_domain_without_link');
      expect(given('https://register.authority.example/firms/1')).toBeUndefined();
    },
  );

  test('no text about its place makes an address at the domain of the broker acceptable', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'a.', 'mail.'), (place, sub) => {
        const fault = findAddressFault({ address: `office@${sub}alpha.example`, place }, facts);
        expect(fault).toBeDefined();
        expect(ADDRESS_FAULTS[fault as keyof typeof ADDRESS_FAULTS]).toMatch(/\.|list$/);
      }),
    );
  });
});
