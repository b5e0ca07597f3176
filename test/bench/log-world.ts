/**
 * A made-up market whose facts change from day to day, with the entries that the record has of it. It knows what is
 * published at each moment by itself, and not from its entries: with that an auditor's result is compared.
 */
import type { RatedFacts } from '@broker-transparency/contract/record';
import {
  CHECKLIST,
  draftBroker,
  draftComplaints,
  draftLicense,
  draftRegulator,
  draftReview,
  draftWarning,
  type Month,
  type WorldBroker,
  type WorldDraft,
  type WorldLicense,
  type WorldReview,
} from './log-drafts.ts';
import { createRandom } from './names.ts';

/** Number of facts at the beginning, and of entries that a day brings. */
export interface Counts {
  readonly brokers: number;
  readonly licenses: number;
  readonly reviews: number;
  readonly complaints: number;
  readonly warnings: number;
  readonly daily: number;
}

const REGULATORS = 60;
const NO_STARS = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
const DAY_MS = 86_400_000;

const formatDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const formatTime = (ms: number): string => new Date(ms).toISOString();
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

export class World {
  readonly #begin: number;
  readonly #counts: Counts;
  readonly #next: () => number;
  readonly #brokers: WorldBroker[] = [];
  readonly #reviews: WorldReview[] = [];
  readonly #tiers = new Map<string, number>();
  #now: number;
  #serial = 0;

  /** Entries of a day by kind: their share of a day, and what makes the entries of one. */
  readonly #events: readonly (readonly [share: number, event: () => readonly WorldDraft[]])[] = [
    [0.4, () => [this.#addReview(this.#pickPopular())]],
    [0.1, () => [this.#moveReview()]],
    [0.25, () => this.#changeLicense()],
    [0.1, () => [this.#changeBroker()]],
    [0.01, () => this.#withdrawWarning()],
    [0.002, () => this.#mergeBrokers()],
    [0.001, () => this.#splitBroker()],
    [0.002, () => [this.#addBroker()]],
    [0.01, () => [this.#addLicense(this.#pick(this.#brokers))]],
    [0.0002, () => [this.#setTier(`regulator-${this.#below(REGULATORS)}`, 1 + this.#below(4))]],
  ];

  constructor(seed: number, begin: number, counts: Counts) {
    this.#next = createRandom(seed);
    this.#begin = begin;
    this.#now = begin;
    this.#counts = counts;
  }

  /** Everything that is known at the beginning. */
  *start(): Iterable<WorldDraft> {
    for (let n = 0; n < REGULATORS; n++) yield this.#setTier(`regulator-${n}`, 1 + (n % 4));
    for (let n = 0; n < this.#counts.brokers; n++) yield this.#addBroker();
    for (let n = 0; n < this.#counts.licenses; n++) yield this.#addLicense(this.#pick(this.#brokers));
    for (let n = 0; n < this.#counts.reviews; n++) yield this.#addReview(this.#pickPopular(), this.#below(1100));
    for (let n = 0; n < this.#counts.warnings; n++) yield this.#addWarning(this.#pick(this.#brokers));
    const complained = new Set(Array.from({ length: this.#counts.complaints }, () => this.#pickPopular()));
    for (const one of complained) {
      for (let n = 1 + this.#below(4); n > 0; n--) this.#addComplaint(one, this.#below(1400));
      yield draftComplaints(one, formatDate(this.#now));
    }
  }

  /** Moves to a time. */
  moveTo(ms: number): void {
    this.#now = ms;
  }

  /** A share of what happens in a day. */
  *change(share: number): Iterable<WorldDraft> {
    for (const [part, event] of this.#events) {
      const times = this.#counts.daily * part * share;
      for (let n = Math.floor(times) + (this.#next() < times % 1 ? 1 : 0); n > 0; n--) yield* event();
    }
  }

  /** The counts of complaints that are written at midnight. */
  *complaints(): Iterable<WorldDraft> {
    const complained = new Set(
      Array.from({ length: Math.round(this.#counts.daily * 0.12) }, () => this.#pickPopular()),
    );
    for (const one of complained) {
      this.#addComplaint(one, 1 + this.#below(20));
      yield draftComplaints(one, formatDate(this.#now));
    }
  }

  /** The published facts of each broker now. */
  *published(): Iterable<RatedFacts> {
    for (const one of this.#brokers) {
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
        tiers: this.#tiers,
        ratingsByMonth: sumMonths(written.flatMap(({ months }) => [...months.values()])),
        complaintsByMonth: written.flatMap(({ complaints }) =>
          [...complaints].map(([month, sums]) => ({ month, ...sums })),
        ),
      };
    }
  }

  #below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  /** Makes up a commitment, as long as a SHA-256 in base64. */
  readonly #commit = (): string => `${String(this.#below(1e9)).padStart(43, 'A')}=`;

  #draftBroker(one: WorldBroker, cause?: string): WorldDraft {
    return draftBroker(one, this.#commit, cause);
  }

  #setTier(code: string, tier: number): WorldDraft {
    this.#tiers.set(code, tier);
    return draftRegulator(code, tier);
  }

  /** Some brokers have many reviews, and most have few. */
  #pickPopular(): WorldBroker {
    return this.#brokers[Math.floor(this.#brokers.length * this.#next() ** 3)] as WorldBroker;
  }

  #pickBroker(): WorldBroker {
    for (;;) {
      const one = this.#pick(this.#brokers);
      if (one.isPublished) return one;
    }
  }

  #addBroker(): WorldDraft {
    const name = `broker-${(this.#below(36 ** 6) + 36 ** 6).toString(36)}-${(this.#serial++).toString(36)}`;
    const entities = Array.from({ length: 1 + this.#below(2) }, (_, at) => ({
      legalName: `${name} ${at} Ltd`,
      retailClients: this.#next() < 0.8,
    }));
    const one: WorldBroker = {
      name,
      slug: name,
      isPublished: true,
      checked: this.#next() < 0.95,
      status: this.#next() < 0.95 ? 'operating' : 'ceased',
      met: this.#below(1024),
      entities,
      licenses: [],
      warnings: [],
      months: new Map(),
      complaints: new Map(),
      merged: [],
    };
    this.#brokers.push(one);
    return this.#draftBroker(one);
  }

  #addLicense(one: WorldBroker): WorldDraft {
    const regulator = `regulator-${this.#below(REGULATORS)}`;
    const number = `REF-${this.#serial++}`;
    const license: WorldLicense = {
      key: `license/${one.name}/${regulator}/${number}`,
      regulator,
      number,
      activeSince: formatDate(this.#begin - this.#below(9000) * DAY_MS),
      legalName: this.#pick(one.entities).legalName,
      status: this.#next() < 0.85 ? 'active' : 'restricted',
    };
    one.licenses.push(license);
    return draftLicense(one, license, { validFrom: `${license.activeSince}T00:00:00.000Z` });
  }

  #countReview({ broker: { months }, rating, month }: WorldReview, sign: 1 | -1): void {
    const sums = months.get(month) ?? { month, count: 0, sum: 0, sumOfSquares: 0 };
    sums.count += sign;
    sums.sum += sign * rating * 100;
    sums.sumOfSquares += sign * (rating * 100) ** 2;
    if (sums.count === 0) months.delete(month);
    else months.set(month, sums);
  }

  #addReview(broker: WorldBroker, daysAgo = 0): WorldDraft {
    const month = formatDate(this.#now - daysAgo * DAY_MS).slice(0, 7);
    const rating = 1 + this.#below(17) / 4;
    const key = `review/${(this.#serial++).toString(16).padStart(24, '6')}`;
    const review: WorldReview = { key, broker, rating, month, state: 'published' };
    this.#reviews.push(review);
    this.#countReview(review, 1);
    return draftReview(review, this.#commit);
  }

  #addComplaint(one: WorldBroker, daysAgo: number): void {
    const month = formatDate(this.#now - daysAgo * DAY_MS).slice(0, 7);
    const known = one.complaints.get(month) ?? { closed: 0, resolved: 0, timely: 0 };
    known.closed += 1;
    known.resolved += this.#below(2);
    known.timely += this.#below(2);
    one.complaints.set(month, known);
  }

  #addWarning(one: WorldBroker): WorldDraft {
    const warning = {
      key: `warning/${one.name}/${(this.#serial++).toString(16).padStart(16, '0')}`,
      withdrawnAt: undefined,
    };
    one.warnings.push(warning);
    return draftWarning(one, warning);
  }

  #changeBroker(): WorldDraft {
    const one = this.#pickBroker();
    if (this.#below(4) === 0) one.status = this.#pick(['operating', 'operating', 'ceased', 'suspected_clone']);
    if (this.#below(6) === 0) one.checked = !one.checked;
    if (this.#below(30) === 0) one.slug = `${this.#pick(['new', 'old', 'big'])}-${one.name}-${this.#serial++}`;
    one.met = this.#below(1024);
    return this.#draftBroker(one, this.#pick(['fact', 'identity', 'undo']));
  }

  #changeLicense(): readonly WorldDraft[] {
    const one = this.#pick(this.#brokers);
    const license = one.licenses[this.#below(one.licenses.length)];
    if (!license) return [];
    license.status = this.#pick(['active', 'active', 'restricted', 'withdrawn', 'suspended']);
    const since = { validFrom: formatTime(this.#now - this.#below(400) * DAY_MS) };
    return [
      draftLicense(one, license, {
        cause: this.#pick(['fact', 'correction', 'check']),
        ...(this.#below(2) ? since : {}),
      }),
    ];
  }

  #moveReview(): WorldDraft {
    const review = this.#pick(this.#reviews);
    const isShown = review.state === 'published';
    review.state = isShown ? this.#pick(['removed', 'withdrawn', 'erased']) : 'published';
    this.#countReview(review, isShown ? -1 : 1);
    return draftReview(review, this.#commit, review.state === 'erased' ? 'erasure' : 'fact');
  }

  #withdrawWarning(): readonly WorldDraft[] {
    const one = this.#pickBroker();
    const warning = one.warnings.find(({ withdrawnAt }) => withdrawnAt === undefined);
    if (!warning) return [this.#addWarning(one)];
    warning.withdrawnAt = formatTime(this.#now - DAY_MS);
    return [draftWarning(one, warning)];
  }

  #mergeBrokers(): readonly WorldDraft[] {
    const [from, into] = [this.#pickBroker(), this.#pickBroker()];
    if (from === into) return [];
    from.isPublished = false;
    into.merged.push(from, ...from.merged.splice(0));
    return [{ key: `broker/${from.name}`, cause: 'identity', value: null }, this.#draftBroker(into, 'identity')];
  }

  #splitBroker(): readonly WorldDraft[] {
    const into = this.#brokers.find(({ merged, isPublished }) => isPublished && merged.length > 0);
    const from = into?.merged.pop();
    if (!into || !from) return [];
    from.isPublished = true;
    return [this.#draftBroker(from, 'identity'), this.#draftBroker(into, 'identity')];
  }
}
