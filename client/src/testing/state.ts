import type { BrokerDetail, NewsItem, Regulator } from '@broker-transparency/client';
import type { OwnMail } from '@broker-transparency/client/account';
import {
  BrokerDetail as BrokerSchema,
  NewsItem as NewsSchema,
  Regulator as RegulatorSchema,
  Review as ReviewSchema,
  Slug as SlugSchema,
} from '@broker-transparency/contract';
import type { EntryCause } from '@broker-transparency/contract/record';
import { drawBroker, type TestBrokerFacts } from './broker-facts.ts';
import { buildBroker, isHeld, sortNewestFirst, toReviewView } from './build-broker.ts';
import type { BrokerFixture, Fixtures } from './fixtures.ts';
import { TestLog } from './log.ts';
import { drawNews } from './news.ts';
import { COLORS_IN_TURN } from './recipes.ts';
import { TestRecord } from './record.ts';
import { completeRegulator, drawRegulators, type RegulatorFacts, toRegisters } from './regulators.ts';
import { drawReviews } from './review-facts.ts';
import { addServiceLevel } from './service-level.ts';
import type { StoredComplaint, StoredReport, StoredReview } from './stored.ts';
import { brokerName, toSlug } from './words.ts';

const BROKERS = 30;
const NEWS = 25;

interface FixtureSchema {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/**
 * Refuses a fixture that the API could not answer.
 * @throws TypeError if it does not fit the schema
 */
const requireFit = (schema: FixtureSchema, what: string, value: unknown): void => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue !== undefined) throw new TypeError(`fixtures: ${what}: ${issue.path.join('.')}: ${issue.message}`);
};

/** Returns fixtures for a number of brokers. */
const createFixtures = (count: number): BrokerFixture[] =>
  Array.from({ length: count }, (_, number) => {
    const name = brokerName(number);
    return { slug: toSlug(name), name, color: COLORS_IN_TURN[number % COLORS_IN_TURN.length] ?? 'green' };
  });

/** All data of the server, in memory. */
export class State {
  readonly reviews: StoredReview[] = [];
  readonly complaints: StoredComplaint[] = [];
  readonly reports: StoredReport[] = [];
  /** The address for notices of each token. */
  readonly mail = new Map<string, OwnMail>();
  readonly #regulators = new Map<string, RegulatorFacts>();
  readonly #news = new Map<string, NewsItem>();
  readonly #brokers = new Map<string, TestBrokerFacts>();
  /** The slug of the broker that a former slug leads to. */
  readonly #successors = new Map<string, string>();
  /** The built answers of brokers, until a fact changes. */
  readonly #details = new Map<string, BrokerDetail>();
  readonly #seed: string;
  readonly record: TestRecord;
  readonly log: TestLog;
  #numbers = 0;

  constructor({ brokers = BROKERS, regulators, news = NEWS, formerSlugs = {} }: Fixtures, seed: string, at: Date) {
    this.#seed = seed;
    this.record = new TestRecord(at);
    this.log = new TestLog(this.record);
    for (const regulator of regulators?.map(completeRegulator) ?? drawRegulators()) this.#putRegulator(regulator, at);
    const chosen = typeof brokers === 'number' ? createFixtures(brokers) : brokers;
    for (const broker of chosen) this.#putBroker(broker, at);
    // Checks only colors that a fixture asks for. The given regulators may not allow every other color
    if (typeof brokers === 'object') for (const broker of brokers) this.#requireAsked(broker);
    this.#addNews(typeof news === 'number' ? Array.from({ length: news }, () => ({})) : news, at);
    this.#moveBrokers(formerSlugs, at);
    addServiceLevel(this.record, at);
    this.record.beginDay(at);
  }

  /**
   * Adds fixtures, or replaces those with the same slug, code or id.
   * @throws TypeError if a fixture does not fit the contract
   */
  add({ brokers = [], regulators = [], news = [], formerSlugs = {} }: Fixtures, at: Date, cause: EntryCause): void {
    for (const regulator of regulators) this.#putRegulator(completeRegulator(regulator), at);
    for (const [slug, detail] of this.#details)
      this.#details.set(slug, { ...detail, registers: toRegisters(this.#regulators.values(), detail.licenses) });
    if (typeof brokers === 'number' || typeof news === 'number')
      throw new TypeError('add takes fixtures, and no number of them');
    for (const broker of brokers) {
      this.#putBroker(broker, at, cause);
      this.#requireAsked(broker);
    }
    this.#addNews(
      news.map((item) => ({ publishedAt: at.toISOString(), ...item })),
      at,
    );
    this.#moveBrokers(formerSlugs, at);
  }

  #putRegulator(regulator: RegulatorFacts, at: Date): void {
    requireFit(RegulatorSchema, `regulator "${regulator.code}"`, { ...regulator, brokerCount: 0 });
    this.#regulators.set(regulator.code, regulator);
    this.record.addRegulator(regulator, at);
  }

  #putBroker(fixture: BrokerFixture, at: Date, cause?: EntryCause): void {
    const { slug } = fixture;
    if (this.#successors.has(slug)) throw new TypeError(`fixtures: broker "${slug}": this is a former slug`);
    this.#brokers.set(slug, drawBroker(fixture, { seed: this.#seed, at, regulators: this.#regulators }));
    this.#dropReviews(slug);
    const reviews = drawReviews(fixture, this.#seed, at);
    if (typeof fixture.reviews === 'object')
      for (const [index, review] of reviews.entries())
        requireFit(ReviewSchema, `review ${index + 1} of "${slug}"`, toReviewView(review));
    this.reviews.push(...reviews);
    try {
      this.#fold(slug, at, cause);
    } catch (cause) {
      throw new TypeError(`fixtures: broker "${slug}": ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }

  /** Makes each former slug lead to another broker, which takes over the reviews of a broker that is there. */
  #moveBrokers(formerSlugs: Readonly<Record<string, string>>, at: Date): void {
    for (const [former, slug] of Object.entries(formerSlugs)) {
      requireFit(SlugSchema, `former slug "${former}"`, former);
      if (former === slug || !this.#brokers.has(slug))
        throw new TypeError(`fixtures: former slug "${former}": there is no other broker "${slug}"`);
      this.#successors.set(former, slug);
      if (this.#brokers.delete(former)) this.record.removeBroker(former, at);
      this.#details.delete(former);
      for (const [index, review] of this.reviews.entries())
        if (review.brokerSlug === former) this.reviews[index] = { ...review, brokerSlug: slug };
      this.#fold(slug, at);
    }
  }

  /** Checks a broker against the contract and against the color that its fixture asks for. */
  #requireAsked({ slug, color }: BrokerFixture): void {
    const detail = this.#details.get(slug) as BrokerDetail;
    requireFit(BrokerSchema, `broker "${slug}"`, detail);
    if (color !== undefined && detail.color !== color)
      throw new TypeError(
        `fixtures: broker "${slug}" is to be ${color}, and its facts make it ${detail.color} ` +
          `(${detail.score.value}): leave out color or some of them`,
      );
  }

  #dropReviews(slug: string): void {
    const others = this.reviews.filter(({ brokerSlug }) => brokerSlug !== slug);
    this.reviews.splice(0, this.reviews.length, ...others);
  }

  #addNews(news: NonNullable<Exclude<Fixtures['news'], number>>, at: Date): void {
    const slugs = [...this.#brokers.keys()];
    for (const fixture of news) {
      const item = drawNews(fixture, this.#news.size + 1, { seed: this.#seed, at, slugs });
      requireFit(NewsSchema, `news "${item.id}"`, item);
      this.#news.set(item.id, item);
      this.record.addNews(item, at);
    }
  }

  #fold(slug: string, at: Date, cause?: EntryCause): BrokerDetail {
    const facts = this.#brokers.get(slug) as TestBrokerFacts;
    const published = this.listPublishedReviews(slug);
    const detail = buildBroker(facts, published, this.#regulators.values(), at.toISOString());
    this.record.addBroker(facts, published, at, cause);
    this.#details.set(slug, detail);
    return detail;
  }

  /** Returns the slug that a broker has now. */
  currentSlug(slug: string): string {
    const successor = this.#successors.get(slug);
    return successor === undefined ? slug : this.currentSlug(successor);
  }

  /** Returns the broker that has or had a slug. */
  broker(slug: string): BrokerDetail | undefined {
    return this.#details.get(this.currentSlug(slug));
  }

  /** All brokers, best score first and then by slug. Those without a score come last. */
  get brokers(): BrokerDetail[] {
    return [...this.#details.values()].sort(
      (a, b) => (b.score.value ?? -1) - (a.score.value ?? -1) || (a.slug < b.slug ? -1 : 1),
    );
  }

  /** All news, newest first. */
  get news(): NewsItem[] {
    return sortNewestFirst([...this.#news.values()], ({ publishedAt }) => publishedAt);
  }

  listPublishedReviews(slug: string): StoredReview[] {
    return this.reviews.filter(({ brokerSlug, status }) => brokerSlug === slug && status === 'published');
  }

  /** Returns the current slugs of these, the former ones among them, and those of no broker. */
  nameSlugs(asked: readonly string[]) {
    const known = new Set(this.brokers.map(({ slug }) => slug));
    const others = asked.filter((slug) => !known.has(slug));
    const moved = others.flatMap((slug) => {
      const current = this.currentSlug(slug);
      return known.has(current) ? [{ asked: slug, slug: current }] : [];
    });
    const unknown = others.filter((slug) => !known.has(this.currentSlug(slug)));
    return { slugs: [...asked, ...moved.map(({ slug }) => slug)], moved, unknown };
  }

  /**
   * Returns the brokers that changed from the entry with a number on, and where the list goes on.
   * @param passing the brokers that pass all filters
   */
  findUpdates(passing: readonly BrokerDetail[], since: number, limit: number, slugs: readonly string[] | undefined) {
    const isAsked = (slug: string): boolean => slugs === undefined || slugs.includes(this.currentSlug(slug));
    const changes = this.record.lastChanges().filter(({ slug, number }) => number >= since && isAsked(slug));
    const page = changes.slice(0, limit);
    const current = [...new Set(page.map(({ slug }) => this.currentSlug(slug)))];
    const found = current.flatMap((slug) => passing.find((broker) => broker.slug === slug) ?? []);
    const former = [...this.#successors.keys()].filter((slug) => current.includes(this.currentSlug(slug)));
    const gone = [...current, ...former].filter((slug) => !found.some((broker) => broker.slug === slug)).sort();
    const next = changes[limit]?.number ?? this.record.next;
    return { found, updates: { next, more: changes.length > limit, gone } };
  }

  /** Returns brokers in the order of the newest entries about them, newest first. */
  sortByChange(brokers: readonly BrokerDetail[]): BrokerDetail[] {
    const numbers = new Map<string, number>();
    for (const { slug, number } of this.record.lastChanges()) numbers.set(this.currentSlug(slug), number);
    const findNumber = ({ slug }: BrokerDetail): number => numbers.get(slug) ?? -1;
    return brokers.toSorted((a, b) => findNumber(b) - findNumber(a));
  }

  /** Returns the brokers that hold a licence from a regulator, each with those licences. */
  regulatedBy(code: string) {
    return this.brokers.flatMap(({ slug, name, status: state, color, score, licenses }) => {
      const held = licenses.filter((license) => license.regulatorCode === code && isHeld(license));
      const shown = held.map(({ entity, referenceNumber, status }) => ({
        entity: entity.legalName,
        referenceNumber,
        status,
      }));
      return held.length === 0 ? [] : [{ slug, name, status: state, color, score: score.value, licenses: shown }];
    });
  }

  regulator(code: string): Regulator | undefined {
    const facts = this.#regulators.get(code);
    return facts && { ...facts, brokerCount: this.regulatedBy(code).length };
  }

  /** All regulators, sorted by code. */
  get regulators(): Regulator[] {
    const codes = [...this.#regulators.keys()].sort();
    return codes.map((code) => this.regulator(code) as Regulator);
  }

  /** Returns a new unique number. */
  nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Adds a review, or replaces an earlier version of it. */
  putReview(review: StoredReview, at: Date): void {
    const known = this.reviews.findIndex(({ id }) => id === review.id);
    const before = this.reviews[known]?.status;
    this.reviews.splice(known < 0 ? this.reviews.length : known, 1, review);
    // The broker's answer shows only published reviews
    if (before === 'published' || review.status === 'published') this.#fold(review.brokerSlug, at);
  }

  /** Adds a warning about a broker, or takes it back if it is there. Returns true if it was added. */
  toggleWarning(slug: string, warning: TestBrokerFacts['warnings'][number], at: Date): boolean {
    const facts = this.#brokers.get(slug) as TestBrokerFacts;
    const others = facts.warnings.filter(({ url }) => url !== warning.url);
    const isNew = others.length === facts.warnings.length;
    this.#brokers.set(slug, { ...facts, warnings: isNew ? [...others, warning] : others });
    this.#fold(slug, at);
    return isNew;
  }

  addComplaint(complaint: StoredComplaint, at: Date): void {
    this.complaints.push(complaint);
    const facts = this.#brokers.get(complaint.broker) as TestBrokerFacts;
    const complaints = { ...facts.complaints, open: facts.complaints.open + 1 };
    this.#brokers.set(complaint.broker, { ...facts, complaints });
    this.#fold(complaint.broker, at);
  }
}
