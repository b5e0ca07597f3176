/**
 * A made-up market whose facts change from day to day, with the entries that the record has of it. It knows what is
 * published at each moment by itself, and not from its entries: with that an auditor's result is compared.
 */
import type { RatedFacts } from '@broker-transparency/contract/record';
import { createRandom } from './names.ts';

/**
 * An entry without its number and time. Members of values are in the order of their names, as canonical JSON has them.
 */
export interface WorldDraft {
  readonly key: string;
  readonly cause: string;
  readonly validFrom?: string;
  readonly value: object | null;
}

/** How many facts there are at the beginning, and how many entries a day brings. */
export interface Counts {
  readonly brokers: number;
  readonly licenses: number;
  readonly reviews: number;
  readonly complaints: number;
  readonly warnings: number;
  readonly daily: number;
}

interface WorldLicense {
  readonly key: string;
  readonly regulator: string;
  readonly number: string;
  readonly activeSince: string;
  readonly legalName: string;
  status: string;
}
interface Month {
  readonly month: string;
  count: number;
  sum: number;
  sumOfSquares: number;
}
interface WorldBroker {
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
interface WorldReview {
  readonly key: string;
  readonly broker: WorldBroker;
  readonly rating: number;
  readonly month: string;
  state: string;
}

const CHECKLIST = ['legalEntity', 'registerLink', 'fees', 'executionPolicy', 'clientMoney', 'riskWarning'].concat([
  'complaintProcedure',
  'leverage',
  'address',
  'ownership',
]);
const REGULATORS = 60;
const NO_STARS = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
const DAY_MS = 86_400_000;

const formatDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const formatTime = (ms: number): string => new Date(ms).toISOString();
/** As long as a SHA-256 in base64. */
const commitment = (n: number): string => `${String(n).padStart(43, 'A')}=`;

export const createWorld = (seed: number, begin: number, counts: Counts) => {
  const next = createRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const brokers: WorldBroker[] = [];
  const reviews: WorldReview[] = [];
  const tiers = new Map<string, number>();
  let [now, serial] = [begin, 0];

  /** Some brokers have many reviews, and most have few. */
  const pickPopular = (): WorldBroker => brokers[Math.floor(brokers.length * next() ** 3)] as WorldBroker;
  const anyBroker = (): WorldBroker => {
    for (;;) {
      const one = pick(brokers);
      if (one.isPublished) return one;
    }
  };

  const brokerDraft = (one: WorldBroker, cause = 'fact'): WorldDraft => {
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
        texts: { description: commitment(below(1e9)) },
        tradingNames: [],
        website: site,
      },
    };
  };
  const licenseDraft = (one: WorldBroker, license: WorldLicense, change: Partial<WorldDraft> = {}): WorldDraft => ({
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
  const reviewDraft = ({ key, broker, rating, month, state }: WorldReview, cause = 'fact'): WorldDraft => ({
    key,
    cause,
    value: {
      broker: broker.name,
      month,
      rating,
      state,
      texts: { author: commitment(below(1e9)), content: commitment(below(1e9)), title: commitment(below(1e9)) },
    },
  });
  const complaintsDraft = (one: WorldBroker): WorldDraft => ({
    key: `complaints/${one.name}`,
    cause: 'fact',
    validFrom: `${formatDate(now)}T00:00:00.000Z`,
    value: {
      broker: one.name,
      months: [...one.complaints]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([month, { closed, resolved, timely }]) => ({ closed, month, resolved, timely })),
      summary: { closed: 1, medianResponseDays: 6, open: 0, overdue: 0, resolvedRate: 0, timelyRate: 1 },
    },
  });
  const warningDraft = (one: WorldBroker, { key, withdrawnAt }: WorldBroker['warnings'][number]): WorldDraft => ({
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
  const regulatorDraft = (code: string): WorldDraft => ({
    key: `regulator/${code}`,
    cause: 'fact',
    value: {
      code,
      country: 'VU',
      name: `Authority ${code}`,
      tier: tiers.get(code),
      website: `https://${code}.example`,
    },
  });

  const addBroker = (): WorldDraft => {
    const name = `broker-${(below(36 ** 6) + 36 ** 6).toString(36)}-${(serial++).toString(36)}`;
    const entities = Array.from({ length: 1 + below(2) }, (_, at) => ({
      legalName: `${name} ${at} Ltd`,
      retailClients: next() < 0.8,
    }));
    const one: WorldBroker = {
      name,
      slug: name,
      isPublished: true,
      checked: next() < 0.95,
      status: next() < 0.95 ? 'operating' : 'ceased',
      met: below(1024),
      entities,
      licenses: [],
      warnings: [],
      months: new Map(),
      complaints: new Map(),
      merged: [],
    };
    brokers.push(one);
    return brokerDraft(one);
  };
  const addLicense = (one: WorldBroker): WorldDraft => {
    const regulator = `regulator-${below(REGULATORS)}`;
    const number = `REF-${serial++}`;
    const license: WorldLicense = {
      key: `license/${one.name}/${regulator}/${number}`,
      regulator,
      number,
      activeSince: formatDate(begin - below(9000) * DAY_MS),
      legalName: pick(one.entities).legalName,
      status: next() < 0.85 ? 'active' : 'restricted',
    };
    one.licenses.push(license);
    return licenseDraft(one, license, { validFrom: `${license.activeSince}T00:00:00.000Z` });
  };
  const count = ({ broker: { months }, rating, month }: WorldReview, sign: 1 | -1): void => {
    const sums = months.get(month) ?? { month, count: 0, sum: 0, sumOfSquares: 0 };
    sums.count += sign;
    sums.sum += sign * rating * 100;
    sums.sumOfSquares += sign * (rating * 100) ** 2;
    if (sums.count === 0) months.delete(month);
    else months.set(month, sums);
  };
  const addReview = (broker: WorldBroker, daysAgo = 0): WorldDraft => {
    const month = formatDate(now - daysAgo * DAY_MS).slice(0, 7);
    const rating = 1 + below(17) / 4;
    const key = `review/${(serial++).toString(16).padStart(24, '6')}`;
    const review: WorldReview = { key, broker, rating, month, state: 'published' };
    reviews.push(review);
    count(review, 1);
    return reviewDraft(review);
  };
  const addComplaint = (one: WorldBroker, daysAgo: number): void => {
    const month = formatDate(now - daysAgo * DAY_MS).slice(0, 7);
    const known = one.complaints.get(month) ?? { closed: 0, resolved: 0, timely: 0 };
    known.closed += 1;
    known.resolved += below(2);
    known.timely += below(2);
    one.complaints.set(month, known);
  };
  const addWarning = (one: WorldBroker): WorldDraft => {
    const warning = { key: `warning/${one.name}/${(serial++).toString(16).padStart(16, '0')}`, withdrawnAt: undefined };
    one.warnings.push(warning);
    return warningDraft(one, warning);
  };

  const changeBroker = (): WorldDraft => {
    const one = anyBroker();
    if (below(4) === 0) one.status = pick(['operating', 'operating', 'ceased', 'suspected_clone']);
    if (below(6) === 0) one.checked = !one.checked;
    if (below(30) === 0) one.slug = `${pick(['new', 'old', 'big'])}-${one.name}-${serial++}`;
    one.met = below(1024);
    return brokerDraft(one, pick(['fact', 'identity', 'undo']));
  };
  const changeLicense = (): readonly WorldDraft[] => {
    const one = pick(brokers);
    const license = one.licenses[below(one.licenses.length)];
    if (!license) return [];
    license.status = pick(['active', 'active', 'restricted', 'withdrawn', 'suspended']);
    const since = { validFrom: formatTime(now - below(400) * DAY_MS) };
    return [licenseDraft(one, license, { cause: pick(['fact', 'correction', 'check']), ...(below(2) ? since : {}) })];
  };
  const moveReview = (): WorldDraft => {
    const review = pick(reviews);
    const isShown = review.state === 'published';
    review.state = isShown ? pick(['removed', 'withdrawn', 'erased']) : 'published';
    count(review, isShown ? -1 : 1);
    return reviewDraft(review, review.state === 'erased' ? 'erasure' : 'fact');
  };
  const withdrawWarning = (): readonly WorldDraft[] => {
    const one = anyBroker();
    const warning = one.warnings.find(({ withdrawnAt }) => withdrawnAt === undefined);
    if (!warning) return [addWarning(one)];
    warning.withdrawnAt = formatTime(now - DAY_MS);
    return [warningDraft(one, warning)];
  };
  const merge = (): readonly WorldDraft[] => {
    const [from, into] = [anyBroker(), anyBroker()];
    if (from === into) return [];
    from.isPublished = false;
    into.merged.push(from, ...from.merged.splice(0));
    return [{ key: `broker/${from.name}`, cause: 'identity', value: null }, brokerDraft(into, 'identity')];
  };
  const split = (): readonly WorldDraft[] => {
    const into = brokers.find(({ merged, isPublished }) => isPublished && merged.length > 0);
    const from = into?.merged.pop();
    if (!into || !from) return [];
    from.isPublished = true;
    return [brokerDraft(from, 'identity'), brokerDraft(into, 'identity')];
  };
  const changeTier = (): WorldDraft => {
    const code = `regulator-${below(REGULATORS)}`;
    tiers.set(code, 1 + below(4));
    return regulatorDraft(code);
  };

  /** What a day brings, in parts of all that it does. */
  const EVENTS: readonly (readonly [number, () => readonly WorldDraft[]])[] = [
    [0.4, () => [addReview(pickPopular())]],
    [0.1, () => [moveReview()]],
    [0.25, changeLicense],
    [0.1, () => [changeBroker()]],
    [0.01, withdrawWarning],
    [0.002, merge],
    [0.001, split],
    [0.002, () => [addBroker()]],
    [0.01, () => [addLicense(pick(brokers))]],
    [0.0002, () => [changeTier()]],
  ];

  return {
    /** Everything that is known at the beginning. */
    start: function* (): Iterable<WorldDraft> {
      for (let n = 0; n < REGULATORS; n++) {
        tiers.set(`regulator-${n}`, 1 + (n % 4));
        yield regulatorDraft(`regulator-${n}`);
      }
      for (let n = 0; n < counts.brokers; n++) yield addBroker();
      for (let n = 0; n < counts.licenses; n++) yield addLicense(pick(brokers));
      for (let n = 0; n < counts.reviews; n++) yield addReview(pickPopular(), below(1100));
      for (let n = 0; n < counts.warnings; n++) yield addWarning(pick(brokers));
      const complained = new Set(Array.from({ length: counts.complaints }, pickPopular));
      for (const one of complained) {
        for (let n = 1 + below(4); n > 0; n--) addComplaint(one, below(1400));
        yield complaintsDraft(one);
      }
    },
    /** Moves to a time. */
    moveTo: (ms: number): void => {
      now = ms;
    },
    /** A share of what happens in a day. */
    change: function* (share: number): Iterable<WorldDraft> {
      for (const [part, event] of EVENTS) {
        const times = counts.daily * part * share;
        for (let n = Math.floor(times) + (next() < times % 1 ? 1 : 0); n > 0; n--) yield* event();
      }
    },
    /** The counts of complaints that are written at midnight. */
    complaints: function* (): Iterable<WorldDraft> {
      const complained = new Set(Array.from({ length: Math.round(counts.daily * 0.12) }, pickPopular));
      for (const one of complained) {
        addComplaint(one, 1 + below(20));
        yield complaintsDraft(one);
      }
    },
    /** What is published of each broker now. */
    published: function* (): Iterable<RatedFacts> {
      for (const one of brokers) {
        if (!one.isPublished) continue;
        const written = [one, ...one.merged];
        yield {
          broker: {
            slug: one.slug,
            name: one.name,
            status: one.status,
            checked: one.checked,
            entities: one.entities,
            checklist: CHECKLIST.map((key, at) => ({ key, met: (one.met & (1 << at)) !== 0 })),
          },
          licenses: one.licenses.map(({ regulator, number, legalName, status, activeSince }) => ({
            broker: one.name,
            regulator,
            number,
            holders: [{ legalName, type: 'authorisation', status, activeSince }],
          })),
          warnings: one.warnings.map(({ withdrawnAt }) => ({ broker: one.name, about: 'this_firm', withdrawnAt })),
          tiers,
          ratingsByMonth: sumMonths(written.flatMap(({ months }) => [...months.values()])),
          complaintsByMonth: written.flatMap(({ complaints }) =>
            [...complaints].map(([month, sums]) => ({ month, ...sums })),
          ),
        };
      }
    },
  };
};

const sumMonths = (all: readonly Month[]): RatedFacts['ratingsByMonth'] => {
  const sums = new Map<string, Month>();
  for (const { month, count, sum, sumOfSquares } of all) {
    const known = sums.get(month) ?? { month, count: 0, sum: 0, sumOfSquares: 0 };
    known.count += count;
    known.sum += sum;
    known.sumOfSquares += sumOfSquares;
    sums.set(month, known);
  }
  return [...sums.values()].map((month) => ({ ...month, distribution: NO_STARS }));
};

export type World = ReturnType<typeof createWorld>;
