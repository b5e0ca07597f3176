import type {
  ScreeningAlert,
  ScreeningAnswer,
  ScreeningCandidate,
  ScreeningEvidence,
  ScreeningQuery,
  ScreeningResult,
} from '@broker-transparency/client/enterprise';
import { SCREENED_FIELDS } from '@broker-transparency/contract/enterprise';
import type { BrokerValue, LicenseValue } from '@broker-transparency/contract/record';
import { MOST_CANDIDATES, SCREENING_MEANINGS, SCREENING_NOTICE } from '@broker-transparency/kernel';
import type { TestBrokerFacts } from './broker-facts.ts';
import { type EffectiveEntry, END_OF_TIME, type TestRecord } from './record.ts';

type ScreenedField = (typeof SCREENED_FIELDS)[number];
type Warning = TestBrokerFacts['warnings'][number];

/** A published fact that a query can match. */
type Fact = Omit<ScreeningEvidence, 'match'>;

/** Lengths that a field can have. */
const LENGTHS: Readonly<Record<ScreenedField, readonly [least: number, most: number]>> = {
  lei: [20, 20],
  name: [2, 200],
  domain: [3, 300],
  licenseNumber: [1, 80],
};

const NORMALIZE: Readonly<Record<ScreenedField, (text: string) => string>> = {
  lei: (text) => text.replace(/\s/g, '').toUpperCase(),
  name: (text) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .replace(/ (ltd|limited|llc|plc|inc|gmbh|ag|sa)$/, '')
      .trim(),
  domain: (text) =>
    text
      .toLowerCase()
      .replace(/^\w+:\/\//, '')
      .replace(/^www\./, '')
      .split(/[/:?#]/, 1)
      .join(),
  licenseNumber: (text) => text.toLowerCase().replace(/[\s-]/g, ''),
};

const listFacts = (entry: EffectiveEntry): Fact[] => {
  const { key, number, kind } = entry;
  const toFact = (field: ScreenedField, fact: string, value: unknown): Fact[] =>
    typeof value === 'string' && value !== '' ? [{ field, fact, value, key, number, source: null }] : [];
  if (kind === 'license') return toFact('licenseNumber', 'number', (entry.value as LicenseValue).number);
  if (kind !== 'broker') return [];
  const { name, legalName, tradingNames, domains, entities } = entry.value as TestBrokerFacts['profile'] &
    Pick<TestBrokerFacts, 'entities'>;
  return [
    ...toFact('name', 'name', name),
    ...toFact('name', 'legalName', legalName),
    ...tradingNames.flatMap((text, at) => toFact('name', `tradingNames.${at}`, text)),
    ...domains.flatMap((text, at) => toFact('domain', `domains.${at}`, text)),
    ...entities.flatMap((entity, at) => [
      ...toFact('name', `entities.${at}.legalName`, entity.legalName),
      ...toFact('lei', `entities.${at}.lei`, entity.lei),
    ]),
  ];
};

const isPart = (one: string, other: string): boolean => one.startsWith(`${other} `) || other.startsWith(`${one} `);

/** Returns how well a text matches a fact; undefined: not at all. Names match by their first words, too. */
const compareTexts = (field: ScreenedField, text: string, fact: string): 'exact' | 'likely' | undefined => {
  const [one, other] = [NORMALIZE[field](text), NORMALIZE[field](fact)];
  if (one === other) return 'exact';
  return field === 'name' && isPart(one, other) ? 'likely' : undefined;
};

const toAlert = ({ number, kind, value }: EffectiveEntry): ScreeningAlert[] => {
  if (kind !== 'warning') return [];
  const { title, source, url, publishedAt, withdrawnAt = null, about } = value as Warning & { withdrawnAt?: string };
  return [
    {
      kind: about === 'this_firm' ? 'warning' : 'clone_warning',
      title,
      source,
      url,
      publishedAt: new Date(publishedAt).toISOString(),
      withdrawnAt,
      number,
    },
  ];
};

/** The texts that a query asks for, without blank ones. */
type FieldTexts = readonly (readonly [field: ScreenedField, text: string])[];

const findCandidate = (
  winners: readonly EffectiveEntry[],
  wanted: FieldTexts,
  regulator: string | null | undefined,
): ScreeningCandidate[] => {
  const profile = winners.find(({ kind }) => kind === 'broker')?.value as BrokerValue | undefined;
  if (profile === undefined) return [];
  const asked = winners.filter(
    ({ kind, value }) =>
      kind !== 'license' || !regulator || (value as LicenseValue).regulator === regulator.trim().toLowerCase(),
  );
  const facts = asked.flatMap(listFacts);
  const evidence = wanted.flatMap(([field, text]) =>
    facts.flatMap((fact): ScreeningEvidence[] => {
      const match = fact.field === field ? compareTexts(field, text, fact.value) : undefined;
      return match === undefined ? [] : [{ ...fact, match }];
    }),
  );
  if (evidence.length === 0) return [];
  evidence.sort((a, b) => Number(b.match === 'exact') - Number(a.match === 'exact'));
  const unmatched = wanted.map(([field]) => field).filter((field) => !evidence.some((one) => one.field === field));
  const contradicts = unmatched.some((field) => facts.some((fact) => fact.field === field));
  const isExact = evidence[0]?.match === 'exact';
  return [
    {
      slug: profile.slug,
      name: profile.name,
      status: profile.status,
      match: isExact ? (contradicts ? 'likely' : 'exact') : contradicts ? 'possible' : 'likely',
      alerts: winners.flatMap(toAlert),
      evidence,
      unmatched,
    },
  ];
};

const listFaults = (wanted: FieldTexts): NonNullable<ScreeningResult['faults']> => {
  if (wanted.length === 0) return [{ field: 'query', message: 'must have lei, name, domain or licenseNumber' }];
  return wanted.flatMap(([field, text]) => {
    const [least, most] = LENGTHS[field];
    const { length } = field === 'lei' ? NORMALIZE.lei(text) : text;
    return length < least || length > most ? [{ field, message: `must have ${least} to ${most} characters` }] : [];
  });
};

const MATCH_ORDER = ['exact', 'likely', 'possible'];

const compareRank = (a: ScreeningCandidate, b: ScreeningCandidate): number =>
  Number(b.alerts.length > 0) - Number(a.alerts.length > 0) ||
  MATCH_ORDER.indexOf(a.match) - MATCH_ORDER.indexOf(b.match) ||
  (a.slug < b.slug ? -1 : 1);

const screenQuery = (query: ScreeningQuery, all: readonly (readonly EffectiveEntry[])[]): ScreeningResult => {
  const wanted: FieldTexts = SCREENED_FIELDS.flatMap((field) => {
    const text = query[field]?.trim();
    return text ? [[field, text] as const] : [];
  });
  const faults = listFaults(wanted);
  if (faults.length > 0)
    return { outcome: 'invalid', meaning: SCREENING_MEANINGS.invalid, candidates: [], more: false, faults };
  const found = all.flatMap((winners) => findCandidate(winners, wanted, query.regulator)).sort(compareRank);
  const outcome = found.length > 0 ? 'candidates' : 'no_candidate';
  const candidates = found.slice(0, MOST_CANDIDATES);
  return { outcome, meaning: SCREENING_MEANINGS[outcome], candidates, more: found.length > candidates.length };
};

/** Returns the brokers that may be meant. It compares less than the service: names by whole words only. */
export const screen = (record: TestRecord, queries: readonly ScreeningQuery[]): ScreeningAnswer => {
  const knownAt = record.entries.length - 1;
  const all = record
    .listSubjects('broker')
    .map((subject) => record.findWinners(subject, { knownAt, validAt: END_OF_TIME }));
  return { knownAt, notice: SCREENING_NOTICE, results: queries.map((query) => screenQuery(query, all)) };
};
