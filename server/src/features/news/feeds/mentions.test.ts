import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMentions, type RegulatorNames } from './mentions.ts';

const regulators: RegulatorNames[] = JSON.parse(
  readFileSync(new URL('../../../../data/regulators.json', import.meta.url), 'utf8'),
);

const broker = (slug: string, names: string[], domains: string[] = []) => ({ slug, names, domains });

const brokers = [
  broker('alpha-markets', ['Alpha Markets', 'Älpha FX', 'Alpha Markets (Cyprus) Ltd.'], ['alpha-markets.example']),
  broker('alpha', ['Alphax', 'AX'], ['ax.example']),
  broker('alphax-prime', ['Alphax Prime']),
  broker('etrader', ['Etrader', 'eTrader', "Jack's Bank & Sons"]),
  broker('generic', ['Trading Markets', 'Forex Broker Ltd'], ['generic.example', 'shared.example']),
  broker('twin-one', ['Gemini Trade', 'Twin One'], ['shared.example']),
  broker('twin-two', ['Gemini Trade', 'Twin Two']),
  broker('impostor', ['CySEC', 'Financial Conduct Authority']),
];

const find = createMentions(brokers, regulators);

describe('brokers', () => {
  test.each<[text: string, slugs: string[]]>([
    ['Alpha Markets opens an office', ['alpha-markets']],
    ['News of ALPHA MARKETS, again', ['alpha-markets']],
    ['“Alpha Markets”: what now?', ['alpha-markets']],
    ['Alpha  \n Markets', ['alpha-markets']],
    ["Alpha Markets' and Alphax’s boards", ['alpha-markets', 'alpha']],
    ['Alpha FX and älpha', ['alpha-markets']],
    ['Alpha Markets (Cyprus) Ltd was told', ['alpha-markets']],
    ['the alpha markets of the world', []],
    ['Alpha Marketsplace, XAlpha Markets', []],
    ['They bought Alpha. Markets rose', []],
    ['Alpha-Markets is another firm', []],
    ['Alphax-Omega merges with Omega-Alphax', []],
    ['an Alphax-owned firm', ['alpha']],
    ['Alphax Prime is not its namesake', ['alphax-prime']],
    ['Alphax Prime and Alphax', ['alphax-prime', 'alpha']],
    ['AX is too short to be sure', []],
    ['eTrader and ETRADER', ['etrader']],
    ['etrader in lower case, as it is half written', ['etrader']],
    ["Jack's Bank & Sons", ['etrader']],
    ['Jack’s Bank & Sons', ['etrader']],
    ['Trading Markets and a Forex Broker Ltd', []],
    ['Gemini Trade could be either', []],
    ['Twin Two is clear', ['twin-two']],
    ['', []],
  ])('finds in %j the brokers %j', (text, slugs) => {
    expect(find([text], 'en').brokerSlugs).toEqual(slugs);
  });

  test.each<[text: string, slugs: string[]]>([
    ['see alpha-markets.example.', ['alpha-markets']],
    ['see https://www.alpha-markets.example/fees?x=1', ['alpha-markets']],
    ['write to help@Alpha-Markets.example', ['alpha-markets']],
    ['short names have long domains: ax.example', ['alpha']],
    ['my-alpha-markets.example is a clone', []],
    ['alpha-markets.example.evil.test is a clone', []],
    ['alpha-markets.examples', []],
    ['shared.example belongs to two', []],
    ['generic.example', ['generic']],
    ['.'.repeat(1000), []],
  ])('finds in %j the brokers %j by domain', (text, slugs) => {
    expect(find([text], 'en').brokerSlugs).toEqual(slugs);
  });

  test('brokers are listed once over all texts', () => {
    expect(find(['Alpha Markets', 'Alphax and Alpha Markets'], 'en').brokerSlugs).toEqual(['alpha-markets', 'alpha']);
  });
});

describe('regulators', () => {
  test.each<[text: string, codes: string[]]>([
    ['FCA fines a broker', ['fca']],
    ['The FCA-regulated broker', ['fca']],
    ["the FCA's rules, ASIC (Australia), CySEC, Cysec and BaFin", ['fca', 'asic', 'cysec', 'bafin']],
    ['fca in lower case; FCAs; UFCA', []],
    ['FCA FINES A BROKER', []],
    ['CYSEC FINES A BROKER', ['cysec']],
    ['THE FINANCIAL CONDUCT AUTHORITY', ['fca']],
    ['Financial Conduct Authority of the UK', ['fca']],
    ['Mas dinero', []],
    ['MAS in Singapore', ['mas']],
    ['The FSA of Japan', ['fsa-jp']],
    ['FSA Seychelles', ['fsa-sc']],
    ['The FSA says', []],
    ['a stocks and shares ISA', []],
    ['ISA, the regulator of Israel', ['isa']],
    ['LB and SC and FI', []],
    ['Financial Services Commission', []],
    ['Jersey Financial Services Commission', []],
    ['Financial Services Commission of Mauritius', ['fsc-mu']],
    ['Vanuatu Financial Services Commission', ['vfsc']],
    ['British Virgin Islands Financial Services Commission', ['fsc-vg']],
    ['Financial Services Commission of Belize', ['fsc-bz']],
    ['the Bank of Latvia, Latvijas Banka', ['latvijas-banka']],
    ['Magyar Nemzeti Bank', ['mnb']],
    ['The ADGM FSRA says', ['adgm-fsra']],
  ])('finds in %j the regulators %j', (text, codes) => {
    expect(find([text], 'en').regulatorCodes).toEqual(codes);
  });

  test('a regulator is found if any text of the item names its country, in English or in its own language', () => {
    expect(find(['La AMF multa a un bróker en Francia'], 'es').regulatorCodes).toEqual(
      regulators.some(({ code, country }) => code === 'amf' && country === 'FR') ? ['amf'] : [],
    );
    expect(find(['Die FMA warnt', 'Aus Österreich'], 'de').regulatorCodes).toEqual(['fma-at']);
    expect(find(['FMA warns', 'From New Zealand'], 'en').regulatorCodes).toEqual(['fma-nz']);
  });

  test('regulators win over brokers with the same name', () => {
    expect(find(['CySEC and the Financial Conduct Authority'], 'en')).toEqual({
      brokerSlugs: [],
      regulatorCodes: ['cysec', 'fca'],
    });
  });

  test('regulators are found by their own name and country, without others', () => {
    for (const { code, name, country } of regulators) {
      const where = new Intl.DisplayNames(['en'], { type: 'region' }).of(country);
      const { regulatorCodes } = find([`The ${name.replace(/\s*\(.*/, '')} said.`, `In ${where}`], 'en');
      expect(regulatorCodes, name).toEqual([code]);
    }
  });
});

/** Only a few words, so that names occur in other names, in the text and in names of regulators. */
const word = fc.constantFrom('Alphax', 'Gamma', 'eTrader', 'Etrader', 'Markets', 'FX', 'CySEC', 'Größe', "O'Hara");
const name = fc.oneof(
  word,
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
);
const domain = fc.constantFrom('alphax.example', 'fx.alphax.example', 'betan.example');
const someBrokers = fc
  .array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), fc.array(domain, { maxLength: 2 })), { maxLength: 5 })
  .map((all) => all.map(([names, domains], index) => broker(`b-${index}`, names, domains)));
const signs = fc.constantFrom(' ', ', ', '. ', '-', ' www.', ' (', "' ", ' and ', '/');
const prose = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: name }, { weight: 1, arbitrary: domain }), signs), { maxLength: 6 })
  .map((parts) => parts.flat().join(''));
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const fewRegulators = regulators.filter(({ code }) => ['cysec', 'fca', 'mas'].includes(code));

test('finds only brokers with exactly that name, whatever the order of the lists', () => {
  fc.assert(
    fc.property(someBrokers, prose, (all, text) => {
      const named = createMentions(all, fewRegulators)([text], 'en');
      expect(
        createMentions(
          all.toReversed().map((one) => ({ ...one, names: one.names.toReversed() })),
          fewRegulators.toReversed(),
        )([text], 'en'),
      ).toEqual(named);
      for (const slug of named.brokerSlugs) {
        const { names, domains } = all.find((one) => one.slug === slug) as (typeof all)[number];
        const others = all.filter((one) => one.slug !== slug);
        const isOwn = (kind: 'names' | 'domains') => (called: string) =>
          fold(text).includes(fold(called)) && !others.some((other) => other[kind].map(fold).includes(fold(called)));
        expect(names.some(isOwn('names')) || domains.some(isOwn('domains'))).toBe(true);
      }
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test('finds a broker by any unique name that is long enough', () => {
  fc.assert(
    fc.property(someBrokers, name, (others, called) => {
      fc.pre(
        !others.some(({ names }) => names.map(fold).includes(fold(called))) && !/^(FX|Markets|CySEC| )+$/.test(called),
      );
      const search = createMentions([...others, broker('new', [called])], fewRegulators);
      expect(search([`Today ${called}, again`], 'en').brokerSlugs).toEqual(['new']);
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});

test('searches any text in any language for any names', () => {
  const anySign = fc.nat(0xffff).map((code) => String.fromCharCode(code));
  const anything = fc.oneof(fc.string({ unit: anySign }), fc.string({ unit: 'grapheme' }), prose);
  const language = fc.stringMatching(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/);
  const regulator = fc.record({
    code: fc.stringMatching(/^[a-z0-9]{1,4}(-[a-z]{2})?$/),
    name: anything,
    country: fc.stringMatching(/^[A-Z]{2}$/),
  });
  fc.assert(
    fc.property(
      fc.array(anything),
      fc.array(regulator),
      fc.array(anything),
      language,
      (names, theirs, texts, spoken) => {
        const { brokerSlugs, regulatorCodes } = createMentions([broker('b', names, names)], theirs)(texts, spoken);
        expect(brokerSlugs.every((slug) => slug === 'b') && brokerSlugs.length <= 1).toBe(true);
        expect(regulatorCodes).toEqual([...new Set(regulatorCodes)]);
        for (const code of regulatorCodes) expect(theirs.map((one) => one.code)).toContain(code);
      },
    ),
    { seed: 20_261_121, numRuns: 200 },
  );
});
