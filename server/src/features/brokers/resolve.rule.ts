import type { NamedSubject } from '../../ledger/statements/identity.rule.ts';
import {
  type ContestedFact,
  type FactCandidate,
  type FactCandidates,
  findContested,
  listRanked,
  listStated,
  type ResolvedFacts,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { findLicenseDeciders, maxTime, resolveHolderNames, resolveLicenses } from './licenses.rule.ts';
import { listPublishers, mergeSources, mergeWarnings, withPublishers } from './provenance.rule.ts';
import { type BrokerRecord, type BrokerState, licenseKey } from './record.rule.ts';

type ResolvedProfile = Omit<BrokerRecord, 'slug' | 'licenses'>;

/** Fields that a broker needs to be published. */
const NEEDED = ['name', 'legalName', 'website', 'country'] as const;

/** The published values of fields that no source states. */
const UNSAID = {
  tradingNames: [],
  lei: undefined,
  domains: [],
  foundedYear: null,
  description: '',
  status: 'operating',
  successor: undefined,
  entities: [],
  checklist: [],
} as const satisfies Partial<ResolvedProfile>;

/** Fields whose published value is that of the strongest source. */
const RANKED = [...NEEDED, ...(Object.keys(UNSAID) as (keyof typeof UNSAID)[])] as const;

const compareId = (a: { _id: string }, b: { _id: string }): number => (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);

/** Returns the published value as the editors' candidate, for a field whose only source they overruled. */
const toOverruler = (value: unknown, asOf: string): FactCandidate => ({
  source: { kind: 'editor', name: 'editor' },
  value,
  asOf,
  url: null,
});

/** Returns overruled values for which there is no other source, since they must stay visible. */
const listOverruledAlone = (
  candidates: FactCandidates,
  published: Readonly<Record<string, unknown>>,
): ContestedFact[] =>
  [...RANKED, 'warnings'].flatMap((field) => {
    if (field !== 'warnings' && listRanked(candidates, field).length > 0) return []; // already among the contested
    const overruled = listStated(candidates, field).filter((one) => one.overruled !== undefined);
    return overruled.map((other) => ({ field, published: toOverruler(published[field] ?? null, other.asOf), other }));
  });

/** Returns the stated legal names that are not published, since registers or editors have another one. */
const listContestedNames = (candidates: FactCandidates, legalName: string): ContestedFact[] => {
  const { toCurrentName, findRenamer, overruled } = resolveHolderNames(candidates);
  const [first] = listRanked(candidates, 'legalName');
  if (!first) return [];
  const renamer = findRenamer(first.value as string);
  const isRenamed = renamer !== undefined && legalName !== first.value;
  const published = isRenamed ? { ...renamer, value: legalName } : first;
  const others = listStated(candidates, 'legalName').filter(({ value }) =>
    isRenamed ? value !== legalName : toCurrentName(value as string) !== legalName,
  );
  const denied = overruled
    .filter(({ value }) => value.holder === legalName)
    .map((one) => ({ ...one, value: one.value.newName }));
  return [...others, ...denied].map((other) => ({ field: 'legalName', published, other }));
};

/** Returns true if each property has one source and all are plain fields, as for most brokers. */
const isUndisputed = (candidates: FactCandidates): boolean => {
  for (const [property, all] of candidates)
    if (all.length !== 1 || all[0]?.overruled !== undefined || property.includes(' ')) return false;
  return true;
};

const listContested = (
  candidates: FactCandidates,
  published: Pick<ResolvedProfile, 'legalName'> & Readonly<Record<string, unknown>>,
  licenses: readonly { readonly contested: readonly ContestedFact[] }[],
): ContestedFact[] => [
  ...findContested(
    candidates,
    RANKED.filter((field) => field !== 'legalName'),
  ),
  ...listContestedNames(candidates, published.legalName),
  ...listOverruledAlone(candidates, published),
  ...licenses.flatMap((license) => license.contested),
];

/**
 * Returns the published facts of a broker: each field from the strongest source, the licences and warnings of all
 * sources, and holders under their names in the registers. A licence whose holder is not among the entities is not
 * published.
 */
export const resolveBroker = (
  { _id, name: slug, identity = {} }: NamedSubject & { readonly _id: string },
  candidates: FactCandidates,
): ResolvedFacts<BrokerState> => {
  const { successor: mergedInto, ...publicIdentity } = identity;
  if (mergedInto !== undefined) return { state: null, contested: [] };
  const first = (field: string) => listRanked(candidates, field)[0]?.value;
  if (NEEDED.some((field) => first(field) === undefined)) return { state: null, contested: [] };
  const { toCurrentName } = resolveHolderNames(candidates);
  const fields = Object.fromEntries(
    RANKED.flatMap((field) => {
      const value = first(field) ?? (UNSAID as Partial<ResolvedProfile>)[field];
      return value === undefined ? [] : [[field, value]];
    }),
  ) as unknown as Omit<ResolvedProfile, 'warnings' | 'provenance' | 'licensesCheckedAt'>;
  const { name, tradingNames, lei, website, domains, country, foundedYear, description, checklist } = fields;
  const { status, successor } = fields;
  const legalName = toCurrentName(fields.legalName);
  const renamed = fields.entities.map((entity) => ({ ...entity, legalName: toCurrentName(entity.legalName) }));
  const holders = new Set(renamed.map((entity) => entity.legalName));
  const entities = [...holders].flatMap((holder) => renamed.find((entity) => entity.legalName === holder) ?? []);
  const licenses = resolveLicenses(candidates, holders, toCurrentName);
  const warnings = mergeWarnings(candidates);
  const contested = isUndisputed(candidates)
    ? []
    : listContested(candidates, { ...fields, legalName, warnings }, licenses);
  const isRenamed = legalName !== fields.legalName; // by a register
  const publishers = [
    ...listPublishers(candidates, isRenamed ? RANKED.filter((field) => field !== 'legalName') : RANKED),
    ...licenses.map(({ from }) => ({ fact: 'licenses', by: from })),
  ];
  const checked = (candidates.get('licensesCheckedAt') ?? []).map(({ value }) => value as string | null);
  return {
    contested,
    state: {
      profile: {
        _id: slug,
        id: _id.slice(_id.indexOf(':') + 1),
        name,
        legalName,
        tradingNames,
        ...(lei === undefined ? {} : { lei }),
        website,
        domains,
        country,
        foundedYear,
        description,
        status,
        ...(successor === undefined ? {} : { successor }),
        licensesCheckedAt: checked.reduce(maxTime, null),
        entities,
        checklist,
        warnings,
        provenance: withPublishers(mergeSources(candidates), publishers, contested, website),
        ...(Object.keys(publicIdentity).length === 0 ? {} : { identity: publicIdentity }),
      },
      licenses: licenses
        .map(({ license }) => ({ _id: licenseKey(slug, license), broker: slug, ...license }))
        .sort(compareId),
    },
  };
};

/** Returns one source's statements that decide a field, by property: an overrule of the source names these. */
export const findDeciders = (
  candidates: FactCandidates,
  field: string,
  source: string,
): ReadonlyMap<string, unknown> => {
  const own = [...candidates].flatMap(([property, all]) =>
    all.filter((one) => sourceKey(one.source) === source).map(({ value }) => [property, value] as const),
  );
  return new Map([
    ...own.filter(([property]) => property === field && ([...RANKED, 'warnings'] as string[]).includes(field)),
    ...findLicenseDeciders(own, field, resolveHolderNames(candidates).toCurrentName),
  ]);
};
