import type { Score } from '@broker-transparency/contract';
import { groupWarnings, type ScoreFacts } from '@broker-transparency/contract/score';
import { DAY } from '../charts/figure.ts';

/** An adjustable input: a choice, or a number. */
export type Field =
  | { readonly name: FieldName; readonly group: Group; readonly options: readonly string[] }
  | {
      readonly name: FieldName;
      readonly group: Group;
      readonly max: number;
      readonly min: number;
      readonly step: number;
    };
export type Group = 'licenses' | 'reviews' | 'complaints' | 'disclosure' | 'warnings';
export type FieldName =
  | 'first'
  | 'second'
  | 'state'
  | 'other'
  | 'years'
  | 'checked'
  | 'count'
  | 'stars'
  | 'age'
  | 'closed'
  | 'resolved'
  | 'timely'
  | 'met'
  | 'warning';

/** Value of each input, in the form of a form field or address. */
export type Inputs = Readonly<Record<FieldName, string>>;

const TIERS = ['1', '2', '3', '4', '0'];
const createWholeField = (name: FieldName, group: Group, max: number): Field => ({
  name,
  group,
  min: 0,
  max,
  step: 1,
});

/** Every input, in the order of the form. Tier 0 means no licence. */
export const FIELDS: readonly Field[] = [
  { name: 'first', group: 'licenses', options: TIERS },
  { name: 'second', group: 'licenses', options: TIERS },
  { name: 'state', group: 'licenses', options: ['active', 'restricted', 'suspended'] },
  createWholeField('years', 'licenses', 60),
  { name: 'other', group: 'licenses', options: ['no', ...TIERS] },
  { name: 'checked', group: 'licenses', options: ['yes', 'no'] },
  createWholeField('count', 'reviews', 100_000),
  { name: 'stars', group: 'reviews', min: 1, max: 5, step: 0.1 },
  createWholeField('age', 'reviews', 120),
  createWholeField('closed', 'complaints', 100_000),
  createWholeField('resolved', 'complaints', 100_000),
  createWholeField('timely', 'complaints', 100_000),
  createWholeField('met', 'disclosure', 10),
  { name: 'warning', group: 'warnings', options: ['none', 'confirmed', 'unchecked'] },
];

/** One firm with licences at two regulators: the worked example of the methodology. */
export const EXAMPLE: Inputs = {
  first: '1',
  second: '2',
  state: 'active',
  years: '12',
  other: 'no',
  checked: 'yes',
  count: '30',
  stars: '4.2',
  age: '0',
  closed: '20',
  resolved: '15',
  timely: '18',
  met: '8',
  warning: 'none',
};
export const EXAMPLE_AT = '2026-11-01T00:00:00Z';

/** Returns the normalised value of an input; undefined if it is invalid. */
export const readField = (field: Field, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  if ('options' in field) return field.options.includes(text) ? text : undefined;
  if (!/^\d{1,6}(\.\d)?$/.test(text)) return undefined;
  const value = Math.min(field.max, Math.max(field.min, Number(text)));
  return String(field.step === 1 ? Math.round(value) : value);
};

/** Published facts from which the inputs of a broker start. */
export interface ScoreBase {
  readonly facts: ScoreFacts;
  readonly computedAt: string;
}

const clamp = (value: number, max: number): string => String(Math.min(max, Math.max(0, Math.round(value))));

/** Returns the licences of an answer as a few inputs; further details stay in the facts until an input changes. */
const licenseInputs = ({ entities, licenses }: ScoreFacts) => {
  const scoring = licenses.filter(
    ({ entity, type, status }) =>
      type === 'authorisation' &&
      (status === 'active' || status === 'restricted') &&
      entities.some(({ legalName }) => legalName === entity.legalName),
  );
  const listBestTiers = (legalName: string): string[] => {
    const best = new Map<string, number>();
    for (const { entity, regulatorCode, tier } of scoring)
      if (entity.legalName === legalName) best.set(regulatorCode, Math.min(tier, best.get(regulatorCode) ?? 4));
    return [...best.values()].sort((a, b) => a - b).map(String);
  };
  const retail = entities.filter(({ retailClients }) => retailClients);
  const tiers = (retail.length > 0 ? retail : entities)
    .map(({ legalName }) => listBestTiers(legalName))
    .sort((a, b) => Number(a[0] ?? 9) - Number(b[0] ?? 9));
  const [strongest = [], ...others] = tiers;
  const weakest = others.at(-1);
  return {
    first: strongest[0] ?? '0',
    second: strongest[1] ?? '0',
    state: scoring.every(({ status }) => status === 'restricted') && scoring.length > 0 ? 'restricted' : 'active',
    other: weakest === undefined ? 'no' : (weakest[0] ?? '0'),
  };
};

/** Returns the inputs that are nearest to a published score and its facts. */
export const toInputs = ({ facts }: ScoreBase, { components }: Pick<Score, 'components'>): Inputs => {
  const input = (key: string, name: string): number =>
    components.find((component) => component.key === key)?.inputs[name] ?? 0;
  const [reviews, weight] = [input('userRating', 'reviews'), input('userRating', 'weight')];
  const stars = weight > 0 ? input('userRating', 'weightedStars') / weight : 3;
  const { confirmed, unchecked } = groupWarnings(facts.warnings);
  return {
    ...licenseInputs(facts),
    years: clamp(input('longevity', 'years'), 60),
    checked: facts.licensesCheckedAt === null ? 'no' : 'yes',
    count: clamp(reviews, 100_000),
    stars: String(Math.round(stars * 10) / 10),
    age: clamp(reviews > 0 ? (-365 * Math.log2(weight / reviews)) / 30.4 : 0, 120),
    closed: clamp(input('complaints', 'closed'), 100_000),
    resolved: clamp(input('complaints', 'resolved'), 100_000),
    timely: clamp(input('complaints', 'timely'), 100_000),
    met: clamp(input('transparency', 'met'), 10),
    warning: confirmed.length > 0 ? 'confirmed' : unchecked.length > 0 ? 'unchecked' : 'none',
  };
};

type LicenseFacts = Pick<ScoreFacts, 'entities' | 'licenses' | 'licensesCheckedAt' | 'status'>;

const [FIRM, SISTER] = ['Example A Ltd', 'Example B Ltd'];

const buildLicenses = ({ first, second, state, years, other, checked }: Inputs, computedAt: string): LicenseFacts => {
  const since = new Date(Date.parse(computedAt) - Number(years) * 365.25 * DAY).toISOString().slice(0, 10);
  const license = (legalName: string, regulatorCode: string, tier: string): ScoreFacts['licenses'] =>
    tier === '0' || tier === 'no'
      ? []
      : [
          {
            entity: { legalName },
            regulatorCode,
            type: 'authorisation',
            tier: Number(tier) as 1,
            status: state as 'active',
            activeSince: since,
          },
        ];
  return {
    status: 'operating',
    licensesCheckedAt: checked === 'yes' ? computedAt : null,
    entities: [FIRM, ...(other === 'no' ? [] : [SISTER])].map((legalName) => ({ legalName, retailClients: true })),
    licenses: [...license(FIRM, 'r1', first), ...license(FIRM, 'r2', second), ...license(SISTER, 'r3', other)],
  };
};

/** Returns reviews of whole stars with about this mean, all of one month. */
const buildReviews = ({ count, stars, age }: Inputs, computedAt: string): Pick<ScoreFacts, 'ratingsByMonth'> => {
  const [all, mean] = [Number(count), Number(stars)];
  if (all === 0) return { ratingsByMonth: [] };
  const lower = Math.floor(mean);
  const better = Math.round(all * (mean - lower));
  const at = new Date(computedAt);
  const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - Number(age))).toISOString().slice(0, 7);
  const sumPowers = (power: 1 | 2): number =>
    (all - better) * (100 * lower) ** power + better * (100 * (lower + 1)) ** power;
  const distribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, [lower]: all - better, ...(better && { [lower + 1]: better }) };
  return { ratingsByMonth: [{ month, count: all, sum: sumPowers(1), sumOfSquares: sumPowers(2), distribution }] };
};

const buildComplaints = ({ closed, resolved, timely }: Inputs): Pick<ScoreFacts, 'complaints'> => {
  const [all, solved, fast] = [closed, resolved, timely].map(Number) as [number, number, number];
  return { complaints: { closed: all, resolved: Math.min(all, solved), timely: Math.min(all, fast) } };
};

const buildWarnings = ({ warning }: Inputs): Pick<ScoreFacts, 'warnings'> => ({
  warnings: warning === 'none' ? [] : [{ about: 'this_firm', match: warning as 'confirmed' }],
});

/** Returns whether an input of a group was changed. */
const isMoved = (group: Group, inputs: Inputs, initial: Inputs): boolean =>
  FIELDS.some((field) => field.group === group && inputs[field.name] !== initial[field.name]);

/**
 * Returns the facts for inputs. A group without changed inputs keeps the published facts.
 * @param checklist the disclosures of the methodology
 */
export const toFacts = (
  inputs: Inputs,
  checklist: readonly string[],
  base?: ScoreBase,
  initial = EXAMPLE,
): ScoreFacts => {
  const at = base?.computedAt ?? EXAMPLE_AT;
  const made: Readonly<Record<Group, Partial<ScoreFacts>>> = {
    licenses: buildLicenses(inputs, at),
    reviews: buildReviews(inputs, at),
    complaints: buildComplaints(inputs),
    disclosure: {
      checklist: checklist.map((key, place) => ({ key: key as 'fees', met: place < Number(inputs.met) })),
    },
    warnings: buildWarnings(inputs),
  };
  const groups = Object.keys(made) as Group[];
  const moved = groups.filter((group) => !base || isMoved(group, inputs, initial));
  return Object.assign({}, base?.facts, ...moved.map((group) => made[group])) as ScoreFacts;
};
