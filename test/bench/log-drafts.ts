/** Facts of a made-up market, and the entries that the record has of them. */

/**
 * An entry without its number and time. Members of values are in the order of their names, as canonical JSON has them.
 */
export interface WorldDraft {
  readonly key: string;
  readonly cause: string;
  readonly validFrom?: string;
  readonly value: object | null;
}

export interface WorldLicense {
  readonly key: string;
  readonly regulator: string;
  readonly number: string;
  readonly activeSince: string;
  readonly legalName: string;
  status: string;
}
export interface Month {
  readonly month: string;
  count: number;
  sum: number;
  sumOfSquares: number;
}
export interface WorldBroker {
  readonly name: string;
  slug: string;
  isPublished: boolean;
  checked: boolean;
  status: string;
  met: number;
  readonly entities: { readonly legalName: string; readonly retailClients: boolean }[];
  readonly licenses: WorldLicense[];
  readonly warnings: { readonly key: string; withdrawnAt: string | undefined }[];
  readonly months: Map<string, Month>;
  readonly complaints: Map<string, { closed: number; resolved: number; timely: number }>;
  readonly merged: WorldBroker[];
}
export interface WorldReview {
  readonly key: string;
  readonly broker: WorldBroker;
  readonly rating: number;
  readonly month: string;
  state: string;
}

export const CHECKLIST = [
  'legalEntity',
  'registerLink',
  'fees',
  'executionPolicy',
  'clientMoney',
  'riskWarning',
].concat(['complaintProcedure', 'leverage', 'address', 'ownership']);

/** Makes up a commitment to a text. */
type Commit = () => string;

export const draftBroker = (one: WorldBroker, commit: Commit, cause = 'fact'): WorldDraft => {
  const site = `https://${one.name}.example`;
  const item = (key: string, at: number) =>
    one.met & (1 << at)
      ? { key, met: true, sourceUrl: `${site}/legal/${key.toLowerCase()}` }
      : { key, met: null, sourceUrl: null };
  return {
    key: `broker/${one.name}`,
    cause,
    value: {
      checked: one.checked,
      checklist: CHECKLIST.map(item),
      country: 'LV',
      domains: [`${one.name}.example`],
      entities: one.entities.map(({ legalName, retailClients }) => ({
        country: 'LV',
        legalName,
        lei: '5493001KJTIIGC8Y1R12',
        retailClients,
      })),
      foundedYear: 2011,
      id: `8cccd88e-8094-4a93-b6cd-${String(one.name.length).padStart(12, '0')}`,
      legalName: `${one.name} Ltd`,
      ...(one.merged.length > 0 ? { merged: one.merged.map(({ name }) => name) } : {}),
      name: one.name.replaceAll('-', ' '),
      provenance: ['legalName', 'entities', 'foundedYear', 'website'].map((fact) => ({
        fact,
        sourceUrl: `https://companies.example/${one.name}`,
      })),
      slug: one.slug,
      status: one.status,
      texts: { description: commit() },
      tradingNames: [],
      website: site,
    },
  };
};

export const draftLicense = (
  one: WorldBroker,
  license: WorldLicense,
  change: Partial<WorldDraft> = {},
): WorldDraft => ({
  key: license.key,
  cause: 'fact',
  value: {
    broker: one.name,
    holders: [
      {
        activeSince: license.activeSince,
        issuedAt: `${license.activeSince}T00:00:00.000Z`,
        legalName: license.legalName,
        permissions: ['Arranging deals in investments', 'Dealing in investments as principal'],
        sourceUrl: `https://registers.example/${license.regulator}/${license.number}`,
        status: license.status,
        statusEffectiveAt: `${license.activeSince}T00:00:00.000Z`,
        type: 'authorisation',
      },
    ],
    number: license.number,
    regulator: license.regulator,
  },
  ...change,
});

export const draftReview = (
  { key, broker, rating, month, state }: WorldReview,
  commit: Commit,
  cause = 'fact',
): WorldDraft => ({
  key,
  cause,
  value: {
    broker: broker.name,
    month,
    rating,
    state,
    texts: { author: commit(), content: commit(), title: commit() },
  },
});

export const draftComplaints = (one: WorldBroker, date: string): WorldDraft => ({
  key: `complaints/${one.name}`,
  cause: 'fact',
  validFrom: `${date}T00:00:00.000Z`,
  value: {
    broker: one.name,
    months: [...one.complaints]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, { closed, resolved, timely }]) => ({ closed, month, resolved, timely })),
    summary: { closed: 1, medianResponseDays: 6, open: 0, overdue: 0, resolvedRate: 0, timelyRate: 1 },
  },
});

export const draftWarning = (one: WorldBroker, { key, withdrawnAt }: WorldBroker['warnings'][number]): WorldDraft => ({
  key,
  cause: 'fact',
  validFrom: withdrawnAt ?? '2024-07-28T00:00:00.000Z',
  value: {
    about: 'this_firm',
    broker: one.name,
    publishedAt: '2024-07-28T00:00:00.000Z',
    source: 'Warning List',
    title: `Firm without authorisation: ${one.name}`,
    url: `https://warnings.example/${one.name}`,
    ...(withdrawnAt === undefined ? {} : { withdrawnAt }),
  },
});

export const draftRegulator = (code: string, tier: number): WorldDraft => ({
  key: `regulator/${code}`,
  cause: 'fact',
  value: {
    code,
    country: 'VU',
    name: `Authority ${code}`,
    tier,
    website: `https://${code}.example`,
  },
});
