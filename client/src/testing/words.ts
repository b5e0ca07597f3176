/** Parts of invented names. No combination is the name of a company that we know of. */
const FIRST = ['Bramble', 'Cinder', 'Dapple', 'Fennel', 'Gorse', 'Lichen', 'Nettle', 'Pebble', 'Quince', 'Tansy'];
const SECOND = ['quay', 'thwaite', 'garth', 'fjord', 'skerry', 'tarn', 'spire', 'kettle', 'dune', 'burrow', 'gable'];
const BUSINESSES = ['Markets', 'FX', 'Trading', 'Capital', 'Brokers', 'Invest', 'Prime'];

/** Returns the name of the fictional broker with a number. The first is the broker of the documentation. */
export const brokerName = (number: number): string => {
  if (number === 0) return 'Alpha Markets';
  const stems = FIRST.length * SECOND.length;
  // 7 and the number of stems have no common factor, so every stem occurs once before any repeats
  const stem = (number * 7) % stems;
  const round = Math.floor(number / stems);
  const name = `${FIRST[Math.floor(stem / SECOND.length)]}${SECOND[stem % SECOND.length]}`;
  return `${name} ${BUSINESSES[number % BUSINESSES.length]}${round === 0 ? '' : ` ${round + 1}`}`;
};

export const toSlug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Turns a slug into a name. */
export const toBrokerName = (slug: string): string =>
  slug.replace(/(^|-)([a-z])/g, (_, hyphen: string, letter: string) => (hyphen && ' ') + letter.toUpperCase());

export const REVIEW_TITLES = [
  'Withdrawals arrive in two days',
  'Spreads widen at night',
  'Support answers within the hour',
  'Statements are easy to read',
  'Verification took a week',
];

export const REVIEW_TEXTS = [
  'I withdrew three times this year, and each time the money was there after two days.',
  'The platform does what it should, and the costs are stated before each order.',
  'Orders were filled at worse prices than shown, and nobody could tell me why.',
  'I asked four questions, and each was answered by a person who knew the account.',
];

export const HEADLINES = {
  warning: 'Warning about a clone of',
  enforcement: 'Fine announced for',
  license_change: 'Register entry changed for',
  market: 'Turnover report mentions',
  product: 'New account type at',
  service: 'Planned maintenance at',
} as const;
