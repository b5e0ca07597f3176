/** Rows as `import` takes them. */
type RowFields = Record<string, unknown>;

/** A licence of an entity. */
export const licenseRow = (legalName: string, regulatorCode: string, over: RowFields = {}): RowFields => ({
  entity: { legalName },
  regulatorCode,
  referenceNumber: `REF-${regulatorCode}`,
  type: 'authorisation',
  status: 'active',
  activeSince: '2012-03-01',
  sourceUrl: 'https://register.example/entry',
  ...over,
});

/** When the licences of {@link brokerRow} were last checked. */
export const CHECKED_AT = '2026-01-05T00:00:00Z';

/** A rated broker with one entity and one active licence of the FCA. */
export const brokerRow = (slug: string, over: RowFields = {}): RowFields => {
  const legalName = `${slug} Ltd`;
  return {
    slug,
    name: slug.split('-').join(' '),
    legalName,
    website: `https://${slug}.example/`,
    domains: [`${slug}.example`],
    country: 'GB',
    licensesCheckedAt: CHECKED_AT,
    entities: [{ legalName, country: 'GB' }],
    licenses: [licenseRow(legalName, 'fca')],
    ...over,
  };
};

/** A warning of an authority about the broker itself. */
export const warningRow = (over: RowFields = {}): RowFields => ({
  source: 'Office',
  url: 'https://office.example/1',
  title: 'Not authorised',
  publishedAt: '2026-01-01T00:00:00Z',
  about: 'this_firm',
  ...over,
});

export const newsRow = (number: number, over: RowFields = {}): RowFields => ({
  title: `Item number ${number}`,
  summary: 'What happened, in a sentence.',
  url: `https://news.example/${number}`,
  source: 'Example Gazette',
  category: 'market',
  language: 'en',
  publishedAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  ...over,
});

export const regulatorRow = (code: string, over: RowFields = {}): RowFields => ({
  code,
  name: `Regulator ${code}`,
  country: 'MT',
  tier: 2,
  tierReason: 'A made-up authority with a made-up register, for tests only.',
  website: 'https://regulator.example/',
  registerUrl: 'https://regulator.example/register',
  complaintsUrl: 'https://regulator.example/complaints',
  protections: { compensationLimit: null, negativeBalance: true, segregation: null, retailLeverageCap: 30 },
  sources: [{ fact: 'register', url: 'https://regulator.example/register' }],
  lastVerifiedAt: null,
  ...over,
});

export const reviewBody = (broker: string, over: RowFields = {}): RowFields => ({
  broker,
  rating: 4.25,
  title: 'Quick to pay out',
  content: 'I withdrew twice this year and both times the money came within two days.',
  language: 'en',
  ...over,
});

export const complaintBody = (broker: string, over: RowFields = {}): RowFields => ({
  broker,
  category: 'withdrawal',
  title: 'No answer for weeks',
  content: 'I asked for my balance four weeks ago and nobody has answered me since then.',
  consentToForward: true,
  ...over,
});
