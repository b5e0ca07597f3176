import type { Firm } from '@broker-transparency/matching';
import { completeLei } from '@broker-transparency/matching';
import { createRandom, type Pair, type PairRandom } from './pair.ts';

/**
 * The generator that is held out: a small world of groups, firms and clones, and offices that each list firms in their
 * own way. A pair is what is published of one of them and a row of an office: the firm's own, or the likest other one.
 */

interface Entity {
  readonly group: string;
  readonly country: string;
  readonly authority: string;
  readonly legalName: string;
  /** The name as its register has it, where that is written with other letters. */
  readonly nativeName: string | undefined;
  readonly formerName: string | undefined;
  readonly brand: string;
  readonly lei: string | undefined;
  readonly number: string;
  readonly sites: readonly string[];
  /** Set if it pretends to be the firm of that index. */
  readonly clones?: number;
}

const STARS =
  'Altair Rigel Vega Mira Deneb Spica Antares Capella Pollux Bellatrix Alcor Mizar Regulus Procyon Canopus Arcturus Adhara Elnath Hadar Shaula'.split(
    ' ',
  );
const LAND =
  'Fjordvik Heathmoor Castellane Brenta Kestrelford Sundholm Ravenna Oakhurst Lindqvist Montclair Tessaly Northwick Peregrine Silverbrook Hallmark Ironquay Saltmarsh Bluecrest Ambergate Falconridge'.split(
    ' ',
  );
const CYRILLIC = [
  ['Горизонт Инвест', 'Gorizont Invest'],
  ['Северный Капитал', 'Severnyy Kapital'],
  ['Ладога Финанс', 'Ladoga Finans'],
  ['Янтарь Брокер', 'Yantar Broker'],
  ['Чайка Трейд', 'Chayka Treyd'],
  ['Жемчуг', 'Zhemchug'],
  ['Сокол Эксчейндж', 'Sokol Ekscheyndzh'],
  ['Байкал Форекс', 'Baikal Foreks'],
  ['Золотая Орда Трейдинг', 'Zolotaya Orda Treyding'],
  ['Юпитер Маркетс', 'Yupiter Markets'],
  ['Щит и Меч Капитал', 'Shchit i Mech Kapital'],
  ['Эльбрус Управление', 'Elbrus Upravlenie'],
  ['Хан-Тенгри Секьюритиз', 'Khan-Tengri Sekyuritiz'],
  ['Цитадель Финанс', 'Tsitadel Finans'],
  ['Южный Крест', 'Iuzhnyi Krest'],
  ['Алматы Инвест Групп', 'Almaty Invest Group'],
  ['Вольная Гавань', "Vol'naya Gavan'"],
  ['Тянь-Шань Брокеридж', 'Tian-Shan Brokeridzh'],
] as const;
const GREEK = [
  ['Αιγαίο Χρηματιστηριακή', 'Aigaio Chrimatistiriaki'],
  ['Όλυμπος Επενδύσεις', 'Olympos Ependyseis'],
  ['Δελφοί Κεφάλαιο', 'Delfoi Kefalaio'],
  ['Κρήτη Χρηματοοικονομική', 'Kriti Chrimatooikonomiki'],
  ['Φάρος Αγορές', 'Faros Agores'],
  ['Ευρυδίκη Επενδυτική', 'Evrydiki Ependytiki'],
  ['Θάλασσα Συναλλαγές', 'Thalassa Synallages'],
] as const;
const ACCENTED = [
  'Großmann & Söhne Börsenhandel',
  'Łabędź Inwestycje',
  'Crédit Éole',
  'Müggelsee Wertpapier',
  'Ørsund Fondsmægler',
  'São Telmo Corretora',
  'Çınar Yatırım',
  'Žďár Obchod',
  'Ñandú Valores',
  'Köröm Befektetés',
];
const JAPANESE = ['青葉証券', '富士見フューチャーズ', '東山インベスト', '桜橋FX'];
const ENDS = [
  'Markets',
  'Capital',
  'Securities',
  'Brokers',
  'Financial',
  'Trading',
  'Investment Services',
  'Derivatives',
  'Wealth Management',
  'FX',
  'Asset Managers',
  'Prime',
  'Futures',
  'Investments',
  'Global',
];

interface Country {
  readonly country: string;
  readonly authority: string;
  readonly form: (random: PairRandom) => string;
  readonly number: (random: PairRandom) => string;
  readonly suffix: string;
  readonly adjective: string;
}
const drawDigits = (random: PairRandom, count: number): string =>
  String(10 ** (count - 1) + random.below(9 * 10 ** (count - 1)));
const COUNTRIES: readonly Country[] = [
  {
    country: 'GB',
    authority: 'fca',
    form: (r) => r.pick(['Limited', 'Ltd', 'LLP', 'plc']),
    number: (r) => drawDigits(r, 6),
    suffix: 'co.uk',
    adjective: 'UK',
  },
  {
    country: 'CY',
    authority: 'cysec',
    form: (r) => r.pick(['Ltd', 'Limited']),
    number: (r) => `${String(1 + r.below(449)).padStart(3, '0')}/${String(4 + r.below(20)).padStart(2, '0')}`,
    suffix: 'com.cy',
    adjective: 'Cyprus',
  },
  {
    country: 'MT',
    authority: 'mfsa',
    form: (r) => r.pick(['Ltd', 'Limited', 'p.l.c.']),
    number: (r) => `C${drawDigits(r, 5)}`,
    suffix: 'com.mt',
    adjective: 'Malta',
  },
  {
    country: 'AU',
    authority: 'asic',
    form: () => 'Pty Ltd',
    number: (r) => drawDigits(r, 6),
    suffix: 'com.au',
    adjective: 'Australia',
  },
  {
    country: 'NZ',
    authority: 'fma-nz',
    form: () => 'Limited',
    number: (r) => `FSP${drawDigits(r, 6)}`,
    suffix: 'co.nz',
    adjective: 'New Zealand',
  },
  {
    country: 'LU',
    authority: 'cssf',
    form: (r) => r.pick(['S.A.', 'S.à r.l.']),
    number: (r) => `P${drawDigits(r, 4)}`,
    suffix: 'lu',
    adjective: 'Luxembourg',
  },
  {
    country: 'IT',
    authority: 'consob',
    form: (r) => r.pick(['S.p.A.', 'S.r.l.', 'SIM S.p.A.']),
    number: (r) => drawDigits(r, 3),
    suffix: 'it',
    adjective: 'Italia',
  },
  {
    country: 'ES',
    authority: 'cnmv',
    form: (r) => r.pick(['S.V., S.A.', 'A.V., S.A.', 'S.L.']),
    number: (r) => drawDigits(r, 3),
    suffix: 'es',
    adjective: 'España',
  },
  {
    country: 'DK',
    authority: 'finanstilsynet-dk',
    form: (r) => r.pick(['A/S', 'ApS']),
    number: (r) => drawDigits(r, 8),
    suffix: 'dk',
    adjective: 'Danmark',
  },
  {
    country: 'SE',
    authority: 'fi-se',
    form: () => 'AB',
    number: (r) => `${drawDigits(r, 6)}-${drawDigits(r, 4)}`,
    suffix: 'se',
    adjective: 'Sverige',
  },
  {
    country: 'NL',
    authority: 'afm',
    form: (r) => r.pick(['B.V.', 'N.V.']),
    number: (r) => drawDigits(r, 8),
    suffix: 'nl',
    adjective: 'Nederland',
  },
  {
    country: 'CZ',
    authority: 'cnb',
    form: (r) => r.pick(['a.s.', 's.r.o.']),
    number: (r) => drawDigits(r, 8),
    suffix: 'cz',
    adjective: 'Czech Republic',
  },
  {
    country: 'HU',
    authority: 'mnb',
    form: (r) => r.pick(['Zrt.', 'Kft.']),
    number: (r) => `III/${drawDigits(r, 5)}/2012`,
    suffix: 'hu',
    adjective: 'Hungary',
  },
  {
    country: 'BR',
    authority: 'cvm',
    form: (r) => r.pick(['CTVM S.A.', 'DTVM Ltda.', 'S.A.']),
    number: (r) => `${drawDigits(r, 2)}.${drawDigits(r, 3)}.${drawDigits(r, 3)}/0001-${drawDigits(r, 2)}`,
    suffix: 'com.br',
    adjective: 'Brasil',
  },
  {
    country: 'TR',
    authority: 'cmb',
    form: () => 'A.Ş.',
    number: (r) => `G-${drawDigits(r, 3)}`,
    suffix: 'com.tr',
    adjective: 'Turkey',
  },
  {
    country: 'MU',
    authority: 'fsc-mu',
    form: (r) => r.pick(['Ltd', 'Limited']),
    number: (r) => `GB${drawDigits(r, 8)}`,
    suffix: 'mu',
    adjective: 'Mauritius',
  },
  {
    country: 'VU',
    authority: 'vfsc',
    form: (r) => r.pick(['Limited', 'LLC']),
    number: (r) => drawDigits(r, 5),
    suffix: 'com',
    adjective: 'Vanuatu',
  },
  {
    country: 'BZ',
    authority: 'fsc-bz',
    form: (r) => r.pick(['Ltd', 'Limited', 'LLC']),
    number: (r) => `000${drawDigits(r, 3)}/${drawDigits(r, 3)}`,
    suffix: 'com',
    adjective: 'Belize',
  },
  {
    country: 'AE',
    authority: 'dfsa',
    form: (r) => r.pick(['Limited', 'LLC', 'DMCC']),
    number: (r) => `F00${drawDigits(r, 4)}`,
    suffix: 'ae',
    adjective: 'MENA',
  },
  {
    country: 'HK',
    authority: 'sfc',
    form: (r) => r.pick(['Limited', 'Co., Limited']),
    number: (r) => `A${'BCDEFGH'[r.below(7)]}${'JKLMNPQ'[r.below(7)]}${drawDigits(r, 3)}`,
    suffix: 'com.hk',
    adjective: 'Hong Kong',
  },
];
const RUSSIA: Country = {
  country: 'KZ',
  authority: 'afsa',
  form: () => 'LLC',
  number: (r) => drawDigits(r, 7),
  suffix: 'kz',
  adjective: 'Kazakhstan',
};
const GREECE: Country = {
  country: 'GR',
  authority: 'hcmc',
  form: () => 'SA',
  number: (r) => `${drawDigits(r, 1)}/${drawDigits(r, 3)}/${drawDigits(r, 2)}`,
  suffix: 'gr',
  adjective: 'Greece',
};
const JAPAN: Country = {
  country: 'JP',
  authority: 'fsa-jp',
  form: () => '株式会社',
  number: (r) => `関東財務局長（金商）第${drawDigits(r, 4)}号`,
  suffix: 'co.jp',
  adjective: 'Japan',
};

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const createLei = (random: PairRandom): string =>
  completeLei(`9845${Array.from({ length: 14 }, () => SIGNS[random.below(36)]).join('')}`);
const toSlug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '') || 'kabu';

const createEntity = (random: PairRandom, place: Country, brand: string, group: string, end: string): Entity => {
  const formerName = random.often(0.06) ? `${random.pick(LAND)} ${random.pick(ENDS)} ${place.form(random)}` : undefined;
  const located = random.often(0.3) ? ` ${random.often(0.5) ? place.adjective : `(${place.adjective})`}` : '';
  return {
    group,
    country: place.country,
    authority: place.authority,
    legalName: `${brand}${end === '' ? '' : ` ${end}`}${located} ${place.form(random)}`,
    nativeName: undefined,
    formerName,
    brand,
    lei: random.often(0.75) ? createLei(random) : undefined,
    number: place.number(random),
    sites: [
      `${toSlug(brand)}.${random.often(0.6) ? 'com' : place.suffix}`,
      ...(random.often(0.2) ? [`${toSlug(brand)}.${place.suffix}`] : []),
    ],
  };
};

const createGroup = (random: PairRandom, at: number): Entity[] => {
  const group = `g${at}`;
  const brand = random.often(0.5)
    ? `${random.pick(STARS)} ${random.pick(LAND)}`
    : `${random.pick(LAND)}${random.pick(['', '', ` & ${random.pick(STARS)}`, ` ${random.pick(STARS)}`, 'FX', ' One'])}`;
  const end = random.pick(ENDS);
  const count = random.pick([1, 1, 1, 2, 2, 3, 4]);
  const places = [...COUNTRIES].sort(() => random.next() - 0.5).slice(0, count);
  return places.map((place) => createEntity(random, place, brand, group, random.often(0.8) ? end : random.pick(ENDS)));
};

const createForeignFirms = (random: PairRandom): Entity[] => [
  ...CYRILLIC.map(([native, latin], at) => ({
    ...createEntity(random, RUSSIA, latin, `ru${at}`, ''),
    legalName: `${latin} LLC`,
    nativeName: random.often(0.5)
      ? `ООО «${native}»`
      : `ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ "${native.toUpperCase()}"`,
  })),
  ...GREEK.map(([native, latin], at) => ({
    ...createEntity(random, GREECE, latin, `gr${at}`, ''),
    legalName: `${latin} S.A.`,
    nativeName: `${native} Α.Ε.`,
  })),
  ...ACCENTED.map((brand, at) => ({ ...createEntity(random, random.pick(COUNTRIES), brand, `ac${at}`, '') })),
  ...JAPANESE.map((brand, at) => ({
    ...createEntity(random, JAPAN, brand, `jp${at}`, ''),
    legalName: `${brand}株式会社`,
    nativeName: random.often(0.5) ? `株式会社${brand}` : `${brand}㈱`,
  })),
];

/** Letters that a clone changes. */
const twist = (text: string, random: PairRandom): string => {
  const ways: readonly ((all: string) => string)[] = [
    (all) => all.replace(/l/, 'I'),
    (all) => all.replace(/o/i, '0'),
    (all) => all.replace(/a/, 'а'),
    (all) => all.replace(/e/, 'е'),
    (all) => all.replace(/([aeiou])/, '$1$1'),
    (all) => all.replace(/([b-df-hj-np-tv-z])\1?/, ''),
    (all) => all.replace(/m/, 'rn'),
    (all) => all.replace(/([a-z])([a-z])/, '$2$1'),
    (all) => all.replace(/s\b/, ''),
    (all) => all.replace(/i/, 'y'),
  ];
  for (let tries = 0; tries < 20; tries++) {
    const twisted = random.pick(ways)(text);
    if (twisted !== text) return twisted;
  }
  return `${text} Ltd`;
};

const createClone = (random: PairRandom, victim: Entity, at: number): Entity => {
  const name = random.often(0.45)
    ? victim.legalName
    : random.often(0.6)
      ? twist(victim.legalName, random)
      : `${victim.brand} ${random.pick(['Pro', 'Options', 'Trade', '24', 'Crypto', 'Global'])}`;
  const label = toSlug(victim.brand);
  const site = random.pick([
    `${label}-fx.com`,
    `${label}s.com`,
    `${label}.pro`,
    `${label}.vip`,
    `my-${label}.com`,
    `${label}24.net`,
    `${twist(label, random).replace(/[^a-z0-9]/gi, '')}x.com`,
    `${toSlug(random.pick(LAND))}option.com`,
  ]);
  return {
    ...victim,
    group: `clone ${at}`,
    legalName: name,
    nativeName: undefined,
    formerName: undefined,
    lei: random.often(0.15) ? victim.lei : undefined,
    number: random.often(0.6) ? victim.number : drawDigits(random, 6),
    sites: random.often(0.35) ? [site, victim.sites[0] as string] : [site],
    clones: at,
  };
};

/** How an office writes its list. */
interface Office {
  readonly name: string;
  readonly share: number;
  readonly row: (entity: Entity, random: PairRandom) => Firm | undefined;
}
const toFirm = (name: string, rest: Omit<Firm, 'names'>): Firm => ({ names: [{ text: name, kind: 'legal' }], ...rest });
const toUpperName = (entity: Entity): string => entity.legalName.toUpperCase();
const FORMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:Limited|Ltd)$/, ['LTD.', 'Limited', 'LIMITED', 'Ltd']],
  [/S\.p\.A\.$/, ['SPA', 'Società per Azioni']],
  [/S\.à r\.l\.$/, ['SARL', 'S.a.r.l.', 'Société à responsabilité limitée']],
  [/\bB\.V\.$/, ['BV', 'Besloten Vennootschap']],
  [/\bA\/S$/, ['AS', 'A/S']],
  [/\bPty Ltd$/, ['PTY. LTD.', 'PTY LIMITED', 'Proprietary Limited']],
  [/\ba\.s\.$/, ['a. s.', 'akciová společnost', 'A.S.']],
  [/\bS\.A\.$/, ['SA', 'S. A.']],
  [/\bLLC$/, ['L.L.C', 'LLC.']],
];
const respellForm = (name: string, random: PairRandom): string => {
  const found = FORMS.find(([form]) => form.test(name));
  return found ? name.replace(found[0], random.pick(found[1])) : name;
};
const OFFICES: readonly Office[] = [
  {
    name: 'European register',
    share: 5,
    row: (e, r) =>
      toFirm(r.often(0.5) ? toUpperName(e) : respellForm(e.legalName, r), {
        leis: e.lei && r.often(0.8) ? [e.lei] : [],
        countries: [e.country],
        domains: r.often(0.15) ? [`http://www.${e.sites[0]}/`] : [],
      }),
  },
  {
    name: 'register by number',
    share: 5,
    row: (e, r) =>
      toFirm(r.often(0.7) ? toUpperName(e) : respellForm(e.legalName, r), {
        numbers: [{ register: e.authority, number: r.often(0.3) ? `No. ${e.number}` : e.number }],
        countries: [e.country],
      }),
  },
  {
    name: 'list with web sites',
    share: 2,
    row: (e, r) =>
      toFirm(respellForm(e.legalName, r), {
        domains: [`www.${r.pick(e.sites)}`],
        countries: [e.country],
        numbers: r.often(0.6) ? [{ register: e.authority, number: e.number }] : [],
      }),
  },
  {
    name: 'names only',
    share: 3,
    row: (e, r) => toFirm(r.often(0.6) ? respellForm(e.legalName, r) : toUpperName(e), { countries: [e.country] }),
  },
  {
    name: 'cut after 40 letters',
    share: 1,
    row: (e) =>
      toFirm(toUpperName(e).slice(0, 40), {
        numbers: [{ register: e.authority, number: e.number }],
        countries: [e.country],
      }),
  },
  {
    name: 'LEI records',
    share: 4,
    row: (e, r) =>
      e.lei
        ? toFirm(r.often(0.5) ? toUpperName(e) : e.legalName, { leis: [e.lei], countries: [e.country] })
        : undefined,
  },
  {
    name: 'own letters',
    share: 6,
    row: (e, r) =>
      e.nativeName
        ? toFirm(e.nativeName, {
            countries: [e.country],
            numbers: r.often(0.5) ? [{ register: e.authority, number: e.number }] : [],
          })
        : undefined,
  },
  {
    name: 'names with brands',
    share: 1,
    row: (e, r) =>
      toFirm(
        r.pick([
          `${e.legalName} (t/a ${e.brand})`,
          `${e.legalName} / ${e.brand}`,
          `${e.legalName} trading as ${e.brand}`,
        ]),
        { countries: [e.country], numbers: r.often(0.5) ? [{ register: e.authority, number: e.number }] : [] },
      ),
  },
  {
    name: 'earlier names',
    share: 2,
    row: (e) =>
      e.formerName
        ? toFirm(`${e.legalName} (formerly ${e.formerName})`, {
            countries: [e.country],
            numbers: [{ register: e.authority, number: e.number }],
          })
        : undefined,
  },
];

const toPublishedFirm = (entity: Entity, random: PairRandom): Firm => ({
  names: [
    { text: entity.legalName, kind: 'legal' },
    { text: entity.brand, kind: 'trading' },
    ...(entity.formerName ? [{ text: entity.formerName, kind: 'former' as const }] : []),
  ],
  leis: entity.lei && random.often(0.6) ? [entity.lei] : [],
  domains: [...entity.sites],
  numbers: random.often(0.92) ? [{ register: entity.authority, number: entity.number }] : [],
  countries: random.often(0.97) ? [entity.country] : [],
});

const computeLikeness = (one: string, other: string): number => {
  const parts = (text: string) =>
    new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2).toLowerCase()));
  const [a, b] = [parts(one), parts(other)];
  return (2 * [...a].filter((part) => b.has(part)).length) / (a.size + b.size || 1);
};

const shuffle = <T>(all: readonly T[], random: PairRandom): T[] =>
  all
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);

const createOfficeRows = (entity: Entity, random: PairRandom): { office: string; firm: Firm }[] =>
  OFFICES.flatMap((office) => {
    const firm = random.often(Math.min(1, office.share / 5)) ? office.row(entity, random) : undefined;
    return firm ? [{ office: office.name, firm }] : [];
  });

/** Rows of whoever is likest: firms of the group, namesakes, clones. */
const findRivals = (entity: Entity, all: readonly Entity[], most: number): Entity[] =>
  all
    .filter((one) => one !== entity)
    .map((one) => ({
      one,
      likeness: computeLikeness(one.legalName, entity.legalName) + (one.group === entity.group ? 1 : 0),
    }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, most)
    .map(({ one }) => one);

/** What an authority writes of somebody, and of whom it does not say that it is a clone. */
const createWarning = (warned: Entity, victim: Entity, random: PairRandom): Pick<Pair, 'told' | 'warning'> => ({
  told: {
    names: [{ text: warned.legalName, kind: 'unknown' }],
    domains: warned.sites,
    leis: warned.lei ? [warned.lei] : [],
    numbers: random.often(0.8) ? [{ register: warned.authority, number: warned.number }] : [],
    countries: random.often(0.5) ? [warned.country] : [],
  },
  warning: {
    authority: random.often(0.7) ? victim.authority : 'amf',
    mentionsClone: warned !== victim && random.often(0.4),
  },
});

/** Returns pairs of a world with so many groups. */
export const createWorldPairs = (groups: number, seed = 77_001): Pair[] => {
  const random = createRandom(seed);
  const made = [
    ...Array.from({ length: groups }, (_, at) => createGroup(random, at)).flat(),
    ...createForeignFirms(random),
  ];
  // No register has a name twice.
  const firms = [...new Map(made.map((one) => [`${one.country} ${toSlug(one.legalName)}`, one])).values()];
  const clones = firms.flatMap((victim, at) => (random.often(0.45) ? [createClone(random, victim, at)] : []));
  const pairs: Omit<Pair, 'id'>[] = [];
  for (const [at, entity] of firms.entries()) {
    const known = toPublishedFirm(entity, random);
    for (const { office, firm } of createOfficeRows(entity, random))
      pairs.push({ kind: office, same: true, known, told: firm });
    for (const rival of findRivals(entity, firms, 2))
      for (const { office, firm } of shuffle(createOfficeRows(rival, random), random).slice(0, 2)) {
        const kind = rival.group === entity.group ? `group firm, ${office}` : `namesake, ${office}`;
        pairs.push({ kind, same: false, known, told: firm });
      }
    for (const clone of clones.filter((one) => one.clones === at)) {
      pairs.push({ kind: 'clone', same: false, known, ...createWarning(clone, entity, random) });
    }
    if (random.often(0.2))
      pairs.push({ kind: 'warning about itself', same: true, known, ...createWarning(entity, entity, random) });
  }
  return pairs.map((pair, at) => ({ id: `world-${at}`, ...pair }));
};
