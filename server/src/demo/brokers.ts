import type { BrokerRecord } from '../brokers/record.ts';
import { apportion } from './apportion.ts';
import { ARCHETYPES, type Archetype } from './archetypes.ts';
import { between, daysBefore } from './calendar.ts';
import { checklistOf, provenanceOf, warningsOf } from './disclosures.ts';
import { type DemoRegulator, type Entity, licensesOf } from './licenses.ts';
import { brokerNames, slugOf } from './names.ts';
import { createRandom, type Random } from './random.ts';
import { LEGAL_FORMS, OFFERS, OFFSHORE_COUNTRIES } from './words.ts';

/** A fictional broker, with what its reviews and complaints are drawn from. */
export interface DemoBroker {
  readonly record: BrokerRecord;
  readonly archetype: Archetype;
  /** Weight among the brokers by number of reviews; 0: none. */
  readonly popularity: number;
  /** Between these it had clients. */
  readonly from: Date;
  readonly until: Date;
}

/** An LEI with valid check digits. No issuer has the prefix DEMO. */
const demoLei = (random: Random): string => {
  const body = `DEMO00${String(random.int(0, 999_999)).padStart(6, '0')}${String(random.int(0, 999_999)).padStart(6, '0')}`;
  const digits = [...body].map((character) => Number.parseInt(character, 36)).join('');
  return body + String(98n - (BigInt(`${digits}00`) % 97n)).padStart(2, '0');
};

interface Office {
  readonly entity: Entity;
  readonly regulator: DemoRegulator | undefined;
}

const office = (name: string, regulator: DemoRegulator | undefined, retail: boolean, random: Random): Office => {
  const country = regulator?.country ?? random.pick(OFFSHORE_COUNTRIES);
  const lei = demoLei(random);
  const hasLei = random.chance(0.7);
  const legalName = `${name} ${LEGAL_FORMS[country] ?? 'Ltd'}`;
  return {
    entity: {
      legalName,
      ...(hasLei && regulator !== undefined ? { lei } : {}),
      country,
      retailClients: retail,
    },
    regulator,
  };
};

/** The legal entities of a group. One of tier 0 sits offshore and has no regulator. */
const officesOf = (name: string, archetype: Archetype, regulators: readonly DemoRegulator[], random: Random) => {
  const ofTier = (tier: number) => {
    const found = regulators.filter((regulator) => regulator.tier === tier);
    return found.length === 0 ? undefined : random.pick(found);
  };
  const main = office(name, ofTier(random.pick(archetype.mainTiers)), true, random);
  const others = ['International', 'Global'].slice(0, random.pick(archetype.others));
  return [
    main,
    ...others.map((word) =>
      office(`${name} ${word}`, ofTier(random.pick(archetype.otherTiers)), random.chance(0.8), random),
    ),
  ] as const;
};

/** The documentation's broker: two licences that everybody knows. */
const alphaOffices = (name: string, regulators: readonly DemoRegulator[], random: Random) => {
  const byCode = (code: string) => regulators.find((regulator) => regulator.code === code) ?? regulators[0];
  return [office(name, byCode('fca'), true, random), office(`${name} Europe`, byCode('cysec'), true, random)] as const;
};

const tradingNamesOf = (name: string, random: Random): string[] => {
  const stem = name.slice(0, name.lastIndexOf(' '));
  return random.shuffled([`${stem}24`, `${stem} Pro`, `My${stem}`]).slice(0, random.pick([0, 0, 1, 2]));
};

const createBroker = (
  { seed, anchor, regulators }: DemoOptions,
  { name, archetype, rank }: { name: string; archetype: Archetype; rank: number },
): DemoBroker => {
  const slug = slugOf(name);
  const random = createRandom(seed, 'broker', slug);
  const start = daysBefore(
    anchor,
    365.25 * (archetype.years[0] + random.next() * (archetype.years[1] - archetype.years[0])),
  );
  const [main, ...others] =
    slug === 'alpha-markets' ? alphaOffices(name, regulators, random) : officesOf(name, archetype, regulators, random);
  const licenses = [main, ...others].flatMap(({ entity, regulator }, index) => {
    const status = random.pick(index === 0 ? archetype.mainStatuses : archetype.otherStatuses);
    const opened = index === 0 ? start : between(start, anchor, 0.6 * random.next());
    const grant = { entity, status: slug === 'alpha-markets' ? 'active' : status, start: opened } as const;
    return regulator === undefined ? [] : licensesOf({ ...grant, regulator }, regulators, random, anchor);
  });
  const status = random.pick(archetype.statuses);
  const site = `https://${slug}.example`;
  const checked = archetype.key !== 'unchecked';
  const gone = archetype.key === 'gone';
  return {
    record: {
      slug,
      name,
      legalName: main.entity.legalName,
      tradingNames: tradingNamesOf(name, random),
      ...(main.entity.lei === undefined ? {} : { lei: main.entity.lei }),
      website: site,
      domains: [`${slug}.example`, ...(random.chance(0.3) ? [`${slug}-trade.example`] : [])],
      country: main.entity.country,
      foundedYear: random.chance(0.06) ? null : start.getUTCFullYear() - random.int(0, 3),
      description: `Fictional demo broker. ${random.shuffled(OFFERS).slice(0, 2).join(' ')}`,
      status,
      licensesCheckedAt: checked ? daysBefore(anchor, random.next() * 20).toISOString() : null,
      entities: [main, ...others].map(({ entity }) => entity),
      checklist: checklistOf(site, archetype.met, random, anchor),
      warnings: warningsOf({ slug, name, status }, archetype.key, random, anchor),
      provenance: provenanceOf(site, checked, random, anchor),
      licenses,
    },
    archetype,
    popularity: random.chance(archetype.unreviewed) ? 0 : archetype.reviews / (rank + 14),
    from: new Date(Math.max(start.getTime(), daysBefore(anchor, 5 * 365).getTime())),
    until: gone ? daysBefore(anchor, random.int(120, 700)) : anchor,
  };
};

export interface DemoOptions {
  readonly seed: string;
  /** Everything lies before it. */
  readonly anchor: Date;
  readonly regulators: readonly DemoRegulator[];
}

/** So many fictional brokers. The first one is well rated and has the most reviews. */
export const demoBrokers = (options: DemoOptions, count: number): DemoBroker[] => {
  const random = createRandom(options.seed, 'brokers');
  const numbers = apportion(
    count,
    ARCHETYPES.map((archetype) => archetype.share),
  );
  const kinds = ARCHETYPES.flatMap((archetype, index) => Array<Archetype>(numbers[index] ?? 0).fill(archetype));
  const [first, ...rest] = kinds as [Archetype, ...Archetype[]];
  const archetypes = [first, ...random.shuffled(rest)];
  const ranks = [0, ...random.shuffled(Array.from(rest, (_, index) => index + 1))];
  return brokerNames(options.seed, count).map((name, index) =>
    createBroker(options, { name, archetype: archetypes[index] as Archetype, rank: ranks[index] as number }),
  );
};
