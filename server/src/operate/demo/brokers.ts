import type { BrokerRecord, LicenseRecord } from '../../features/brokers/record.rule.ts';
import { apportion } from './apportion.ts';
import { ARCHETYPES, type Archetype } from './archetypes.ts';
import { interpolateDate, subtractDays } from './calendar.ts';
import { createChecklist, createProvenance, createWarnings } from './disclosures.ts';
import { createLicenses, type DemoRegulator, withServes } from './licenses.ts';
import { createBrokerNames, toSlug } from './names.ts';
import { createAlphaOffices, createOffices, type Office } from './offices.ts';
import { createRandom, type DemoRandom } from './random.ts';
import { OFFERS } from './words.ts';

export interface DemoOptions {
  readonly seed: string;
  /** The latest moment in the data. */
  readonly anchor: Date;
  readonly regulators: readonly DemoRegulator[];
}

/** A fictional broker, and the parameters of its reviews and complaints. */
export interface DemoBroker {
  readonly record: BrokerRecord;
  readonly archetype: Archetype;
  /** Relative number of reviews; 0 means none. */
  readonly popularity: number;
  /** The period in which it had clients. */
  readonly from: Date;
  readonly until: Date;
}

/** Parameters of a broker. `rank` is its place by number of reviews, from 0. */
interface BrokerDraft {
  readonly name: string;
  readonly archetype: Archetype;
  readonly rank: number;
}

const ALPHA = 'Alpha Markets';

/** Start of the description of every demo broker. */
export const FICTIONAL = 'Fictional demo broker.';

const createTradingNames = (name: string, random: DemoRandom): string[] => {
  const stem = name.slice(0, name.lastIndexOf(' '));
  return random.shuffled([`${stem}24`, `${stem} Pro`, `My${stem}`]).slice(0, random.pick([0, 0, 1, 2]));
};

/** Parameters of a broker's licences. */
interface LicenseDraft extends BrokerDraft, DemoOptions {
  /** Time of the first licence. */
  readonly start: Date;
  readonly checkedAt: Date | null;
}

const createOfficeLicenses = (
  offices: readonly Office[],
  { name, archetype, start, checkedAt, regulators, anchor }: LicenseDraft,
  random: DemoRandom,
): LicenseRecord[] =>
  offices.flatMap(({ entity, regulator }, index) => {
    const drawn = random.pick(index === 0 ? archetype.mainStatuses : archetype.otherStatuses);
    const opened = index === 0 ? start : interpolateDate(start, anchor, 0.6 * random.next());
    const grant = { entity, status: name === ALPHA ? 'active' : drawn, start: opened, checkedAt } as const;
    return regulator === undefined ? [] : createLicenses({ ...grant, regulator }, regulators, random, anchor);
  });

const createRecord = (options: DemoOptions, draft: BrokerDraft, start: Date, random: DemoRandom): BrokerRecord => {
  const { name, archetype } = draft;
  const { anchor, regulators } = options;
  const [slug, isAlpha] = [toSlug(name), name === ALPHA];
  const site = `https://${slug}.example`;
  const status = random.pick(archetype.statuses);
  const checkedAt = archetype.key === 'unchecked' ? null : subtractDays(anchor, random.next() * 20);
  const offices = isAlpha
    ? createAlphaOffices(name, regulators, random)
    : createOffices(name, archetype, regulators, random);
  const { legalName, lei, country } = offices[0].entity;
  const foundedYear = start.getUTCFullYear() - random.int(0, 3);
  const isYearKnown = isAlpha || random.chance(0.94);
  const warnings = createWarnings({ slug, name, status }, archetype.key, random, anchor);
  const record = {
    slug,
    name,
    legalName,
    tradingNames: createTradingNames(name, random),
    ...(lei === undefined ? {} : { lei }),
    website: site,
    domains: [`${slug}.example`, ...(random.chance(0.3) ? [`my-${slug}.example`] : [])],
    country,
    foundedYear: isYearKnown ? foundedYear : null,
    description: `${FICTIONAL} ${random.shuffled(OFFERS).slice(0, 2).join(' ')}`,
    status,
    licensesCheckedAt: checkedAt?.toISOString() ?? null,
    entities: offices.map(({ entity }) => entity),
    checklist: createChecklist(site, archetype.met, random, anchor),
    warnings: isAlpha ? [] : warnings,
    provenance: createProvenance(site, checkedAt !== null, random, anchor),
    licenses: createOfficeLicenses(offices, { ...options, ...draft, start, checkedAt }, random),
  };
  const entities = record.entities.map((entity) =>
    checkedAt === null ? entity : withServes(entity, record.licenses, { site, readAt: checkedAt, regulators }),
  );
  return { ...record, entities };
};

const createBroker = (options: DemoOptions, draft: BrokerDraft): DemoBroker => {
  const { anchor } = options;
  const { archetype, name, rank } = draft;
  const random = createRandom(options.seed, 'broker', name);
  const [youngest, oldest] = archetype.years;
  const start = subtractDays(anchor, 365.25 * (youngest + random.next() * (oldest - youngest)));
  const fiveYearsAgo = subtractDays(anchor, 5 * 365);
  return {
    record: createRecord(options, draft, start, random),
    archetype,
    popularity: random.chance(archetype.unreviewed) ? 0 : archetype.reviews / (rank + 14),
    from: new Date(Math.max(start.getTime(), fiveYearsAgo.getTime())),
    until: archetype.key === 'gone' ? subtractDays(anchor, random.int(120, 700)) : anchor,
  };
};

/** Names a successor of each broker that was merged: one of the strong ones. */
const withSuccessors = (brokers: readonly DemoBroker[]): DemoBroker[] => {
  const strong = brokers.filter(({ archetype }) => archetype.key === 'strong');
  return brokers.map((broker, index) =>
    broker.record.status === 'merged'
      ? { ...broker, record: { ...broker.record, successor: strong[index % strong.length]?.record.slug } }
      : broker,
  );
};

/** Returns `count` fictional brokers. The first one has a high score and the most reviews. */
export const createDemoBrokers = (options: DemoOptions, count: number): DemoBroker[] => {
  const random = createRandom(options.seed, 'brokers');
  const numbers = apportion(
    count,
    ARCHETYPES.map((archetype) => archetype.share),
  );
  const kinds = ARCHETYPES.flatMap((archetype, index) => Array<Archetype>(numbers[index] ?? 0).fill(archetype));
  const [first, ...rest] = kinds as [Archetype, ...Archetype[]];
  const archetypes = [first, ...random.shuffled(rest)];
  const ranks = [0, ...random.shuffled(rest.map((_, index) => index + 1))];
  const drafts = createBrokerNames(options.seed, count).map((name, index) =>
    createBroker(options, { name, archetype: archetypes[index] as Archetype, rank: ranks[index] as number }),
  );
  return withSuccessors(drafts);
};
