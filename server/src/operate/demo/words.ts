/** Splits a text at its blanks. */
const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Halves of invented names. Combined, they name no known company. */
export const FIRST_HALVES = splitWords(`
  Badger Bramble Brindle Cinder Dapple Fennel Gorse Hoopoe Lichen Marrow Nettle Otter Pebble Plover Quince Saffron
  Sorrel Tansy Teasel Turnip Tumble Umber Velvet Yarrow Zinnia
`);
export const SECOND_HALVES = splitWords(`
  quay thwaite garth fjord skerry tarn atoll spire thimble kettle lantern cobble dune burrow gable turret
`);

/** Invented names that show that a search without accents finds accented names. */
export const ACCENTED_NAMES = [
  'Zürichberg Trading',
  'Étoilune Marchés',
  'Ñandubrisa Capital',
  'Øresglimt Markets',
  'Münzwichtel FX',
  'Żółwikot Brokers',
  'Çınarkaşık Trading',
  'Ásgrímsvík Forex',
  'Peñalucero Invest',
  'Crèmeloup Capital',
  'Grünfinkl Markets',
  'Čápokvět Trading',
  'Săgețilună FX',
  'Brisa São Tatu Invest',
  'Skogsmörtel Securities',
  'Rosée d’Ambrelune',
] as const;

export const BUSINESSES = splitWords(`
  Markets FX Trading Capital Brokers Invest Forex Securities Exchange Direct Prime
`);

/** Legal forms by country. Other countries use `Ltd`. */
export const LEGAL_FORMS: Readonly<Record<string, string>> = {
  AE: 'LLC',
  AT: 'GmbH',
  AU: 'Pty Ltd',
  BE: 'SA',
  CA: 'Inc.',
  CH: 'AG',
  DE: 'GmbH',
  DK: 'A/S',
  ES: 'S.L.',
  FR: 'SAS',
  IT: 'S.r.l.',
  JP: 'K.K.',
  LU: 'S.A.',
  NL: 'B.V.',
  NO: 'AS',
  PL: 'sp. z o.o.',
  PT: 'Lda.',
  SE: 'AB',
  SG: 'Pte. Ltd.',
  US: 'LLC',
  ZA: '(Pty) Ltd',
};

/** Countries of entities without a licence. */
export const OFFSHORE_COUNTRIES = ['VC', 'MH', 'KM', 'LC', 'KN'] as const;

/** Countries whose licences can be passported to each other. */
export const SINGLE_MARKET: ReadonlySet<string> = new Set(
  splitWords(`
  AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK
`),
);

export const OFFERS = [
  'Currency pairs and indices on two platforms.',
  'Spreads from 0.6 pips, no minimum deposit.',
  'CFDs on currencies, metals and energy.',
  'Direct market access for active traders.',
  'Accounts in nine currencies.',
  'Copy trading and automated strategies.',
  'Currency options and forwards for small businesses.',
  'A web platform of its own, and a mobile app.',
] as const;

export const PERMISSIONS = [
  'Dealing in investments as principal',
  'Dealing in investments as agent',
  'Arranging deals in investments',
  'Reception and transmission of orders',
  'Execution of orders on behalf of clients',
  'Holding client money',
  'Portfolio management',
] as const;

/** Countries and languages of reviewers, with their weights. */
export const ORIGINS = [
  { country: 'GB', language: 'en', weight: 18 },
  { country: 'AU', language: 'en', weight: 8 },
  { country: 'ZA', language: 'en', weight: 7 },
  { country: 'IN', language: 'en', weight: 6 },
  { country: 'SG', language: 'en', weight: 4 },
  { country: 'DE', language: 'de', weight: 11 },
  { country: 'AT', language: 'de', weight: 3 },
  { country: 'CH', language: 'de', weight: 3 },
  { country: 'ES', language: 'es', weight: 7 },
  { country: 'MX', language: 'es', weight: 5 },
  { country: 'FR', language: 'fr', weight: 8 },
  { country: 'BR', language: 'pt-BR', weight: 6 },
  { country: 'PT', language: 'pt', weight: 3 },
  { country: 'IT', language: 'it', weight: 6 },
  { country: 'JP', language: 'ja', weight: 4 },
  { country: 'NL', language: 'nl', weight: 2 },
] as const;

export const HANDLES = ['demo trader', 'sample scalper', 'test investor', 'fictional hedger', 'example saver'] as const;

/** Values of `{pair}`. */
export const PAIRS = ['EUR/USD', 'GBP/USD', 'USD/JPY', 'AUD/USD', 'USD/CHF', 'EUR/GBP', 'XAU/USD', 'NZD/USD'] as const;

export const CURRENCIES = ['USD', 'EUR', 'GBP', 'AUD', 'CHF', 'JPY'] as const;
