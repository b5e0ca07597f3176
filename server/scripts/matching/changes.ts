import type { Firm } from '@broker-transparency/matching';
import { completeLei } from '@broker-transparency/matching';
import { createRandom, type Pair, type PairRandom } from './pair.ts';

/** The generator that the rules were tuned on: one firm is made up, and its description changed in one or two ways. */

const BEGIN = [
  'Vel',
  'Tar',
  'Mon',
  'Quo',
  'Ze',
  'Bri',
  'Cal',
  'Dor',
  'Fen',
  'Gal',
  'Hel',
  'Ix',
  'Jor',
  'Kel',
  'Lum',
  'Nor',
  'Or',
  'Pel',
  'Ras',
  'Sol',
  'Tri',
  'Ul',
  'Vor',
  'Wex',
  'Yar',
  'Zan',
];
const MIDDLE = ['mo', 'ca', 'ri', 'va', 'lo', 'ne', 'ti', 'du', 'be', 'xo', 'ra', 'li', 'ste', 'pho', 'gra'];
const END = [
  'ra',
  'nis',
  'tek',
  'dor',
  'lux',
  'via',
  'mont',
  'crest',
  'wood',
  'stone',
  'field',
  'bridge',
  'port',
  'gate',
  'on',
  'ex',
  'um',
  'ia',
  'is',
  'ar',
];
const TRADE = [
  'Markets',
  'Capital',
  'Securities',
  'Financial Services',
  'Trading',
  'Brokers',
  'FX',
  'Investments',
  'Asset Management',
  'Global Markets',
  'Futures',
  'Prime',
  'Wealth',
  'Trade',
  'International',
];

interface Jurisdiction {
  readonly country: string;
  readonly regulator: string;
  readonly forms: readonly (readonly string[])[];
  readonly number: (random: PairRandom) => string;
  readonly suffixes: readonly string[];
  readonly word: string;
}
const drawDigits = (random: PairRandom, count: number): string =>
  Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + random.below(9) : random.below(10))).join('');
const PLACES: readonly Jurisdiction[] = [
  {
    country: 'GB',
    regulator: 'fca',
    forms: [
      ['Ltd', 'Limited', 'LTD.'],
      ['LLP', 'L.L.P.'],
      ['plc', 'PLC', 'Public Limited Company'],
    ],
    number: (r) => drawDigits(r, 6),
    suffixes: ['co.uk', 'com'],
    word: 'UK',
  },
  {
    country: 'CY',
    regulator: 'cysec',
    forms: [['Ltd', 'Limited', 'LTD']],
    number: (r) => `${100 + r.below(350)}/${10 + r.below(14)}`,
    suffixes: ['com', 'eu', 'com.cy'],
    word: 'Cyprus',
  },
  {
    country: 'AU',
    regulator: 'asic',
    forms: [['Pty Ltd', 'Pty. Limited', 'PROPRIETARY LIMITED', 'PTY. LTD.']],
    number: (r) => drawDigits(r, 6),
    suffixes: ['com.au', 'com'],
    word: 'Australia',
  },
  {
    country: 'DE',
    regulator: 'bafin',
    forms: [
      ['GmbH', 'Gesellschaft mit beschränkter Haftung', 'G.m.b.H.'],
      ['AG', 'Aktiengesellschaft'],
    ],
    number: (r) => drawDigits(r, 6),
    suffixes: ['de', 'com'],
    word: 'Deutschland',
  },
  {
    country: 'FR',
    regulator: 'amf',
    forms: [
      ['SA', 'S.A.', 'Société Anonyme'],
      ['SAS', 'S.A.S.'],
      ['SARL', 'S.à r.l.', 'Société à responsabilité limitée'],
    ],
    number: (r) => drawDigits(r, 9),
    suffixes: ['fr', 'com'],
    word: 'France',
  },
  {
    country: 'PL',
    regulator: 'knf',
    forms: [
      ['Sp. z o.o.', 'SP. Z O. O.', 'spółka z ograniczoną odpowiedzialnością'],
      ['S.A.', 'Spółka Akcyjna', 'SA'],
    ],
    number: (r) => drawDigits(r, 6),
    suffixes: ['pl', 'com'],
    word: 'Polska',
  },
  {
    country: 'US',
    regulator: 'nfa',
    forms: [
      ['LLC', 'L.L.C.', 'Limited Liability Company'],
      ['Inc', 'Inc.', 'Incorporated'],
      ['Corp', 'Corporation', 'Corp.'],
    ],
    number: (r) => `0${drawDigits(r, 6)}`,
    suffixes: ['com', 'us'],
    word: 'USA',
  },
  {
    country: 'SC',
    regulator: 'fsa-sc',
    forms: [['Ltd', 'Limited']],
    number: (r) => `SD${String(1 + r.below(180)).padStart(3, '0')}`,
    suffixes: ['com', 'sc', 'io'],
    word: 'Seychelles',
  },
  {
    country: 'ZA',
    regulator: 'fsca',
    forms: [['(Pty) Ltd', 'Pty Ltd', '(PTY) LIMITED', 'Proprietary Limited']],
    number: (r) => drawDigits(r, 5),
    suffixes: ['co.za', 'com'],
    word: 'South Africa',
  },
  {
    country: 'SG',
    regulator: 'mas',
    forms: [['Pte Ltd', 'Pte. Ltd.', 'PTE. LIMITED']],
    number: (r) => `CMS10${drawDigits(r, 4)}`,
    suffixes: ['com.sg', 'com'],
    word: 'Singapore',
  },
  {
    country: 'BG',
    regulator: 'fsc-bg',
    forms: [
      ['AD', 'АД', 'EAD'],
      ['OOD', 'ООД'],
    ],
    number: (r) => `RG-03-${drawDigits(r, 3)}`,
    suffixes: ['bg', 'com'],
    word: 'Bulgaria',
  },
];

interface InventedFirm {
  readonly brand: string;
  readonly trade: string;
  readonly form: readonly string[];
  readonly legal: string;
  readonly lei: string;
  readonly domain: string;
  readonly number: string;
  readonly place: Jurisdiction;
}

const inventBrand = (random: PairRandom): string => {
  const word = random.pick(BEGIN) + (random.often(0.6) ? random.pick(MIDDLE) : '') + random.pick(END);
  if (random.often(0.12)) return `${word} ${random.pick(BEGIN)}${random.pick(END)}`;
  return random.often(0.06) ? `${word}${10 + random.below(90)}` : word;
};

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const createLei = (random: PairRandom): string =>
  completeLei(Array.from({ length: 18 }, () => SIGNS[random.below(36)]).join(''));

const inventFirm = (
  random: PairRandom,
  brand = inventBrand(random),
  place = random.pick(PLACES),
  trade = random.pick(TRADE),
): InventedFirm => {
  const form = random.pick(place.forms);
  return {
    brand,
    trade,
    form,
    legal: `${brand} ${trade} ${form[0]}`,
    lei: createLei(random),
    domain: `${brand.toLowerCase().replaceAll(' ', '')}${random.often(0.4) ? trade.split(' ')[0]?.toLowerCase() : ''}.${random.pick(place.suffixes)}`,
    number: place.number(random),
    place,
  };
};

const toLegalName = (text: string) => ({ text, kind: 'legal' as const });
const toKnownFirm = (firm: InventedFirm, random: PairRandom): Firm => ({
  names: [toLegalName(firm.legal), { text: `${firm.brand} ${firm.trade}`, kind: 'trading' }],
  leis: random.often(0.5) ? [firm.lei] : [],
  domains: [firm.domain],
  numbers: [{ register: firm.place.regulator, number: firm.number }],
  countries: [firm.place.country],
});

interface ShownFields {
  readonly lei?: boolean;
  readonly number?: boolean;
  readonly domain?: boolean;
  readonly country?: boolean;
}
const toToldFirm = (firm: InventedFirm, name: string, { lei, number, domain, country = true }: ShownFields): Firm => ({
  names: [toLegalName(name)],
  leis: lei ? [firm.lei] : [],
  domains: domain ? [firm.domain] : [],
  numbers: number ? [{ register: firm.place.regulator, number: firm.number }] : [],
  countries: country ? [firm.place.country] : [],
});

const addTypo = (text: string, random: PairRandom): string => {
  const letters = [...text];
  const at = 1 + random.below(Math.max(1, Math.min(letters.length - 2, 7)));
  const letter = 'abcdefghilmnoprstu'[random.below(18)] as string;
  switch (random.below(4)) {
    case 0:
      letters.splice(at, 1);
      break;
    case 1:
      letters.splice(at, 0, letter);
      break;
    case 2:
      [letters[at], letters[at + 1]] = [letters[at + 1] as string, letters[at] as string];
      break;
    default:
      letters[at] = letter === letters[at] ? 'x' : letter;
  }
  const changed = letters.join('');
  return changed === text ? `${text}s` : changed;
};

const drawShownFields = (random: PairRandom): ShownFields => {
  const roll = random.next();
  if (roll < 0.3) return { number: true };
  if (roll < 0.5) return { lei: true };
  if (roll < 0.6) return { lei: true, number: true };
  if (roll < 0.75) return { domain: true, number: true };
  return {};
};

const createCloneDomain = (firm: InventedFirm, random: PairRandom): string => {
  const label = firm.domain.slice(0, firm.domain.indexOf('.'));
  return random.pick([
    `${label}-fx.com`,
    `${label}s.net`,
    `${label}.vip`,
    `my${label}.org`,
    `${addTypo(label, random)}.info`,
  ]);
};

type PairMaker = (random: PairRandom) => { readonly known: Firm; readonly told: Firm };
const createPairMaker =
  (
    rename: (firm: InventedFirm, random: PairRandom) => string,
    show: (random: PairRandom) => ShownFields = drawShownFields,
  ): PairMaker =>
  (random) => {
    const firm = inventFirm(random);
    return { known: toKnownFirm(firm, random), told: toToldFirm(firm, rename(firm, random), show(random)) };
  };

const SHORT: Readonly<Record<string, string>> = {
  International: 'Intl',
  Markets: 'Mkts',
  Capital: 'Cap',
  Management: 'Mgmt',
  Services: 'Svcs',
  Financial: 'Fin',
  Securities: 'Secs',
  Investments: 'Inv',
};
const abbreviate = (text: string): string =>
  text
    .split(' ')
    .map((word) => SHORT[word] ?? word)
    .join(' ');

const CYRILLIC: readonly (readonly [string, string])[] = [
  ['ph', 'ф'],
  ['x', 'кс'],
  ['qu', 'кв'],
  ['w', 'в'],
  ['a', 'а'],
  ['b', 'б'],
  ['c', 'к'],
  ['d', 'д'],
  ['e', 'е'],
  ['f', 'ф'],
  ['g', 'г'],
  ['h', 'х'],
  ['i', 'и'],
  ['j', 'й'],
  ['k', 'к'],
  ['l', 'л'],
  ['m', 'м'],
  ['n', 'н'],
  ['o', 'о'],
  ['p', 'п'],
  ['r', 'р'],
  ['s', 'с'],
  ['t', 'т'],
  ['u', 'у'],
  ['v', 'в'],
  ['y', 'й'],
  ['z', 'з'],
];
const toCyrillic = (text: string): string =>
  CYRILLIC.reduce((all, [from, to]) => all.replaceAll(from, to), text.toLowerCase());

const SAME: Readonly<Record<string, readonly [share: number, change: PairMaker]>> = {
  'legal form': [5, createPairMaker((firm, random) => `${firm.brand} ${firm.trade} ${random.pick(firm.form)}`)],
  capitals: [
    4,
    createPairMaker((firm, random) => `${firm.brand} ${firm.trade} ${random.pick(firm.form)}`.toUpperCase()),
  ],
  'form left out': [2, createPairMaker((firm) => `${firm.brand} ${firm.trade}`)],
  punctuation: [
    2,
    createPairMaker(
      (firm, random) =>
        `${random.often(0.3) ? 'The ' : ''}${firm.brand}${random.pick(['-', ' - ', ', ', '. '])}${firm.trade}, ${firm.form[0]}.`,
    ),
  ],
  spacing: [1, createPairMaker((firm) => `${firm.brand}${firm.trade} ${firm.form[0]}`)],
  abbreviation: [1, createPairMaker((firm) => `${abbreviate(`${firm.brand} ${firm.trade}`)} ${firm.form[0]}`)],
  'word order': [
    0.5,
    createPairMaker(
      (firm) => `${firm.trade} ${firm.brand} ${firm.form[0]}`,
      (random) => ({ number: true, lei: random.often(0.5) }),
    ),
  ],
  'typing error': [
    0.5,
    createPairMaker(
      (firm, random) => `${addTypo(firm.brand, random)} ${firm.trade} ${firm.form[0]}`,
      (random) => ({ number: true, lei: true, domain: random.often(0.3) }),
    ),
  ],
  'both names': [
    1,
    createPairMaker((firm, random) => `${firm.legal} ${random.pick(['t/a', 'trading as', 'dba'])} ${firm.brand}`),
  ],
  'earlier name': [
    0.5,
    createPairMaker((firm, random) => `${firm.legal} (formerly ${inventBrand(random)} ${firm.form[0]})`),
  ],
  'brand alone': [
    0.5,
    createPairMaker(
      (firm) => `${firm.brand} ${firm.trade}`,
      () => ({ domain: true, number: true }),
    ),
  ],
  transliteration: [
    1,
    (random) => {
      const firm = { ...inventFirm(random, undefined, PLACES.at(-1)) };
      const cyr = (text: string) => toCyrillic(text);
      return {
        known: toKnownFirm(firm, random),
        told: toToldFirm(firm, `${cyr(`${firm.brand} ${firm.trade}`)} ${firm.form.at(-1)}`, drawShownFields(random)),
      };
    },
  ],
};

const DIFFERENT: Readonly<Record<string, readonly [share: number, change: PairMaker]>> = {
  'group firm': [
    3,
    (random) => {
      const firm = inventFirm(random);
      const place = random.pick(PLACES.filter((one) => one !== firm.place));
      const sibling = inventFirm(random, firm.brand, place, firm.trade);
      const name = random.often(0.5) ? `${firm.brand} ${firm.trade} (${place.word}) ${sibling.form[0]}` : sibling.legal;
      const shares = random.often(0.3) ? { ...sibling, domain: firm.domain } : sibling;
      return {
        known: toKnownFirm(firm, random),
        told: toToldFirm(shares, name, {
          ...drawShownFields(random),
          domain: random.often(0.4),
          country: random.often(0.9),
        }),
      };
    },
  ],
  'one letter changed': [
    3,
    (random) => {
      const firm = inventFirm(random);
      const clone = {
        ...inventFirm(random, addTypo(firm.brand, random), firm.place, firm.trade),
        domain: createCloneDomain(firm, random),
      };
      const steals = random.often(0.5);
      return {
        known: toKnownFirm(firm, random),
        told: toToldFirm({ ...clone, number: steals ? firm.number : clone.number }, clone.legal, {
          number: random.often(0.7),
          domain: random.often(0.7),
          country: random.often(0.8),
        }),
      };
    },
  ],
  'same name, own domain': [
    2,
    (random) => {
      const firm = inventFirm(random);
      const clone = {
        ...inventFirm(random, firm.brand, firm.place, firm.trade),
        domain: createCloneDomain(firm, random),
      };
      return {
        known: toKnownFirm(firm, random),
        told: toToldFirm({ ...clone, number: firm.number }, firm.legal, {
          number: random.often(0.7),
          domain: true,
          country: random.often(0.8),
        }),
      };
    },
  ],
  'other trade': [
    2,
    (random) => {
      const firm = inventFirm(random);
      const other = inventFirm(
        random,
        firm.brand,
        random.pick(PLACES),
        random.pick(TRADE.filter((one) => one !== firm.trade)),
      );
      return { known: toKnownFirm(firm, random), told: toToldFirm(other, other.legal, drawShownFields(random)) };
    },
  ],
  'other number': [
    1,
    (random) => {
      const firm = inventFirm(random, `${inventBrand(random)} 1`);
      const other = inventFirm(random, `${firm.brand.slice(0, -1)}${2 + random.below(7)}`, firm.place, firm.trade);
      return { known: toKnownFirm(firm, random), told: toToldFirm(other, other.legal, drawShownFields(random)) };
    },
  ],
  strangers: [
    2,
    (random) => {
      const firm = inventFirm(random);
      const other = inventFirm(random, undefined, firm.place, firm.trade);
      return { known: toKnownFirm(firm, random), told: toToldFirm(other, other.legal, drawShownFields(random)) };
    },
  ],
};

const divideByShare = (kinds: Readonly<Record<string, readonly [number, PairMaker]>>, count: number) => {
  const all = Object.entries(kinds);
  const sum = all.reduce((total, [, [share]]) => total + share, 0);
  return all.flatMap(([kind, [share, change]]) =>
    Array.from({ length: Math.max(1, Math.round((count * share) / sum)) }, () => ({ kind, change })),
  );
};

/** Returns so many pairs of one firm and about as many of two. */
export const createChangedPairs = (count: number, seed = 20_261_123): Pair[] => {
  const random = createRandom(seed);
  return [
    ...divideByShare(SAME, count).map((one) => ({ ...one, same: true })),
    ...divideByShare(DIFFERENT, count).map((one) => ({ ...one, same: false })),
  ].map(({ kind, change, same }, at) => ({ id: `changes-${at}`, kind, same, ...change(random) }));
};
