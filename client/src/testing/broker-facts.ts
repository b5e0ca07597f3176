import type { BrokerDetail, ChecklistItem, License } from '@broker-transparency/client';
import { CHECKLIST_KEYS, hasLicenseEnded } from '@broker-transparency/contract';
import type { BrokerFixture, ComplaintsFixture, LicenseFixture, Profile } from './fixtures.ts';
import { createRandom, hashText, type TestRandom } from './random.ts';
import { RECIPES, type Recipe } from './recipes.ts';
import type { RegulatorFacts } from './regulators.ts';
import { calendarDate, daysBefore } from './times.ts';
import { toBrokerName } from './words.ts';

/** The facts, besides reviews, from which a broker's answers are built. */
export interface TestBrokerFacts {
  readonly profile: Profile;
  readonly entities: readonly Omit<BrokerDetail['entities'][number], 'regulationScore'>[];
  readonly licenses: readonly License[];
  readonly checklist: readonly ChecklistItem[];
  readonly warnings: BrokerDetail['warnings'];
  /** All of them count in one month. */
  readonly complaints: Required<ComplaintsFixture> & { readonly month: string };
}

/** The seed, the time and the regulators with which fixtures are drawn. */
export interface DrawContext {
  readonly seed: string;
  /** All drawn times are before this one. */
  readonly at: Date;
  readonly regulators: ReadonlyMap<string, RegulatorFacts>;
}

const refuseRegulator = (code: string): never => {
  throw new TypeError(`fixtures: a licence names the regulator "${code}", and there is no such one`);
};

/** The inputs for drawing a broker. */
interface BrokerDrawContext extends DrawContext {
  readonly recipe: Recipe;
  readonly random: TestRandom;
}

const drawLicense = (
  { regulatorCode, legalName, ...given }: LicenseFixture,
  holder: { legalName: string; lei?: string | undefined },
  { recipe, at, regulators, random }: BrokerDrawContext,
): License => {
  const { tier } = regulators.get(regulatorCode) ?? refuseRegulator(regulatorCode);
  const start = daysBefore(at, Math.round(365.25 * random.int(...recipe.years)) + random.int(1, 300));
  const status = given.status ?? random.pick(recipe.licenseStatuses);
  const referenceNumber = `TEST-${random.int(100_000, 999_999)}`;
  const verified = recipe.checked && status !== 'unverified';
  return {
    entity: legalName === undefined ? holder : { legalName },
    regulatorCode,
    referenceNumber,
    type: 'authorisation',
    tier,
    statusEffectiveAt: verified ? daysBefore(at, random.int(30, 300)).toISOString() : null,
    ...(verified ? { activeSince: calendarDate(start) } : {}),
    permissions: status === 'active' ? ['Dealing in investments as principal'] : [],
    issuedAt: verified ? start.toISOString() : null,
    sourceUrl: `https://${regulatorCode}.example/register/${referenceNumber}`,
    lastVerifiedAt: verified ? daysBefore(at, random.int(1, 20)).toISOString() : null,
    ...(hasLicenseEnded({ status }) ? {} : { stale: !verified }),
    ...given,
    status,
  };
};

/** Picks a regulator of a tier in the recipe, or of the nearest tier. Returns none if there are no regulators. */
const drawRegulator = ({ recipe, regulators, random }: BrokerDrawContext): RegulatorFacts[] => {
  const tier = random.pick(recipe.tiers);
  const distance = (regulator: RegulatorFacts) => Math.abs(regulator.tier - tier);
  const all = [...regulators.values()];
  const nearest = Math.min(...all.map(distance));
  const suitable = all.filter((regulator) => distance(regulator) === nearest);
  return suitable.length === 0 ? [] : [random.pick(suitable)];
};

const drawChecklist = (
  given: NonNullable<BrokerFixture['checklist']>,
  site: string,
  { recipe, at, random }: BrokerDrawContext,
): ChecklistItem[] => {
  const met = random.int(...recipe.met);
  const start = random.int(0, CHECKLIST_KEYS.length - 1);
  const checkedAt = daysBefore(at, random.int(1, 60)).toISOString();
  return CHECKLIST_KEYS.map((key, index) => {
    const drawn = recipe.checked ? (index + start) % CHECKLIST_KEYS.length < met : null;
    const value = given[key] === undefined ? drawn : given[key];
    return { key, met: value, sourceUrl: value ? `${site}/legal` : null, checkedAt: value === null ? null : checkedAt };
  });
};

const drawComplaints = (
  given: ComplaintsFixture,
  { recipe, at, random }: BrokerDrawContext,
): TestBrokerFacts['complaints'] => {
  const drawn = { resolved: random.int(...recipe.resolved), unresolved: random.int(...recipe.unresolved) };
  const counts = { open: 0, overdue: 0, ...drawn, ...given };
  return { timely: counts.resolved + counts.unresolved, ...counts, month: at.toISOString().slice(0, 7) };
};

const completeWarning = (
  given: Partial<BrokerDetail['warnings'][number]>,
  name: string,
  at: Date,
): BrokerDetail['warnings'][number] => ({
  source: 'Fictional Warning List',
  url: 'https://warnings.example/1',
  title: `Fictional warning: ${name}`,
  publishedAt: daysBefore(at, 40).toISOString(),
  about: 'this_firm',
  ...given,
});

/** Draws everything about a broker that its fixture leaves out. The same seed and slug give the same broker. */
export const drawBroker = (fixture: BrokerFixture, drawing: DrawContext): TestBrokerFacts => {
  const { color = 'green', reviews: _, entities, licenses, checklist, warnings, complaints, ...given } = fixture;
  const { seed, at } = drawing;
  const random = createRandom(seed, 'broker', given.slug);
  const recipe = RECIPES[color];
  const own = { ...drawing, recipe, random };
  const [regulator] = drawRegulator(own);
  const name = given.name ?? toBrokerName(given.slug);
  const legalName = given.legalName ?? `${name} Ltd`;
  const country = given.country ?? regulator?.country ?? 'XA';
  const site = given.website ?? `https://${given.slug}.example`;
  const holder = { legalName: entities?.[0]?.legalName ?? legalName };
  const granted = licenses ?? (regulator === undefined ? [] : [{ regulatorCode: regulator.code }]);
  const checkedAt = recipe.checked ? daysBefore(at, random.int(1, 20)).toISOString() : null;
  return {
    profile: {
      id: `broker-${hashText(given.slug).toString(36)}`,
      name,
      legalName,
      tradingNames: [],
      website: site,
      domains: [`${given.slug}.example`],
      country,
      foundedYear: at.getUTCFullYear() - random.int(...recipe.years) - 1,
      description: 'Fictional broker, for tests only.',
      status: 'operating',
      licensesCheckedAt: checkedAt,
      provenance: [{ fact: 'licenses', sourceUrl: 'https://registers.example/', lastVerifiedAt: checkedAt }],
      ...given,
    },
    entities: entities ?? [{ legalName, country, retailClients: true }],
    licenses: granted.map((license) => drawLicense(license, holder, own)),
    checklist: drawChecklist(checklist ?? {}, site, own),
    warnings: (warnings ?? []).map((warning) => completeWarning(warning, name, at)),
    complaints: drawComplaints(complaints ?? {}, own),
  };
};
