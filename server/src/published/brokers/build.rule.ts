import {
  type BrokerDetail,
  CHECKLIST_KEYS,
  type ComplaintMonth,
  countLicenses,
  type Dispute,
  type License,
  type RatingMonth,
  type Review,
  type StarDistribution,
  type Tier,
} from '@broker-transparency/contract';
import {
  bayesianAverage,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  scoreBroker,
  scoringLicenses,
} from '@broker-transparency/contract/score';
import { isHeld } from '../../features/brokers/license-status.rule.ts';
import type { BrokerRecord, LicenseRecord, ProfileDocument } from '../../features/brokers/record.rule.ts';
import type { RegulatorState } from '../../features/regulators/record.rule.ts';
import { isStale } from '../../features/regulators/staleness.rule.ts';
import { listSubjectNames, type Predecessor, toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { toOwnRegisters } from './registers.rule.ts';
import { listServedResidences, type ServedResidence } from './residences.rule.ts';

/** All facts of the features about a broker. */
export interface BrokerFacts {
  /** Storage key. */
  readonly key: string;
  /** Storage keys of the broker and of those merged into it; its own alone by default. */
  readonly keys?: readonly string[];
  readonly id: string;
  readonly profile: Omit<ProfileDocument, '_id' | 'id' | 'identity'> & {
    readonly slug: string;
    readonly predecessors?: readonly Predecessor[];
  };
  readonly licenses: readonly LicenseRecord[];
  /** By code. */
  readonly regulators: ReadonlyMap<string, RegulatorState>;
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly recentReviews: readonly Review[];
  readonly complaints: {
    readonly summary: BrokerDetail['complaintSummary'];
    /** Oldest month first. */
    readonly byMonth: readonly ComplaintMonth[];
  };
  /** Newest first; absent where nothing is read of them. */
  readonly disputes?: readonly Dispute[];
}

/** Fields of a broker document that only the database needs. */
interface IndexedFields {
  readonly _id: string;
  /** Storage keys of the broker and of those merged into it, by which the record names them. */
  readonly keys: readonly string[];
  readonly regulatedBy: string[];
  /** The countries for which the verdict is `permitted`. */
  readonly serves: readonly ServedResidence[];
}

/**
 * The broker document. List, detail and search return it in this form, without the indexed fields. The registers are
 * added to the answer when it is read, since they change for all brokers at once.
 */
export type BrokerDocument = Omit<BrokerDetail, 'registers'> & IndexedFields;

/** Finds the broker that a slug leads to. */
type FindBroker = (slug: string) => { readonly key: string; readonly slug: string } | undefined;

/**
 * Returns the published profile of a stored one, under the published slug. A successor has its current slug; it is left
 * out if it is gone or is this broker itself.
 */
export const describe = (
  { _id: key, id, identity, successor, ...profile }: ProfileDocument,
  findBroker: FindBroker,
) => {
  const predecessors = identity?.predecessors;
  const slug = toPublishedSlug({ name: key, identity });
  const heir = successor === undefined ? undefined : findBroker(successor);
  return {
    key,
    id,
    profile: {
      slug,
      ...profile,
      ...(heir && heir.key !== key ? { successor: heir.slug } : {}),
      ...(predecessors ? { predecessors } : {}),
    },
  };
};

/** Returns the keys under which reviews and complaints about a broker are stored. */
export const listBrokerKeys = ({ _id: name, identity }: ProfileDocument): string[] =>
  listSubjectNames({ name, identity });

const addComputed = (license: LicenseRecord, regulators: BrokerFacts['regulators'], computedAt: string): License => ({
  ...license,
  tier: regulators.get(license.regulatorCode)?.tier ?? 4,
  ...(isHeld(license) ? { stale: isStale(license.lastVerifiedAt, license.regulatorCode, new Date(computedAt)) } : {}),
});

/** Compares by code, number and holder, in code-unit order, so that every process builds the same document. */
const compareLicenses = (a: License, b: License): number => {
  const [x, y] = [a, b].map((l) => `${l.regulatorCode}\0${l.referenceNumber}\0${l.entity.legalName}`) as [
    string,
    string,
  ];
  return x < y ? -1 : x > y ? 1 : 0;
};

const STARS = [1, 2, 3, 4, 5] as const;

const computeRatingSummary = (months: readonly RatingMonth[], computedAt: string): BrokerDetail['ratingSummary'] => {
  const count = months.reduce((n, month) => n + month.count, 0);
  const sum = months.reduce((n, month) => n + month.sum, 0);
  const distribution: StarDistribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const month of months) for (const star of STARS) distribution[star] += month.distribution[star];
  return {
    average: count === 0 ? null : Math.round(sum / count) / 100,
    bayesianAverage: nano(bayesianAverage(ratingSums(months, new Date(computedAt)))),
    count,
    distribution,
  };
};

const completeChecklist = (given: BrokerRecord['checklist']): BrokerDetail['checklist'] =>
  CHECKLIST_KEYS.map(
    (key) => given.find((item) => item.key === key) ?? { key, met: null, sourceUrl: null, checkedAt: null },
  );

/** Builds the document of one broker from its facts. Pure: the same facts and time give the same bytes. */
export const buildBroker = (facts: BrokerFacts, computedAt: string): BrokerDocument => {
  const { profile, disputes = [] } = facts;
  const { regulators } = facts;
  const licenses = facts.licenses.map((license) => addComputed(license, regulators, computedAt)).sort(compareLicenses);
  const held = licenses.filter(isHeld);
  const tiers = scoringLicenses({ entities: profile.entities, licenses }).map((license) => license.tier);
  const months = [...facts.ratingsByMonth].sort((a, b) => (a.month < b.month ? -1 : 1));
  const disclosures = completeChecklist(profile.checklist);
  const score = scoreBroker(
    {
      status: profile.status,
      licensesCheckedAt: profile.licensesCheckedAt,
      entities: profile.entities,
      licenses,
      ratingsByMonth: months,
      complaints: complaintCounts(facts.complaints.byMonth, new Date(computedAt)),
      checklist: disclosures,
      warnings: profile.warnings,
    },
    computedAt,
  );
  const detail = {
    id: facts.id,
    slug: profile.slug,
    name: profile.name,
    legalName: profile.legalName,
    tradingNames: profile.tradingNames,
    ...(profile.lei === undefined ? {} : { lei: profile.lei }),
    website: profile.website,
    domains: profile.domains,
    country: profile.country,
    foundedYear: profile.foundedYear,
    description: profile.description,
    status: profile.status,
    ...(profile.successor === undefined ? {} : { successor: profile.successor }),
    ...(profile.predecessors === undefined ? {} : { predecessors: [...profile.predecessors] }),
    color: score.color,
    score,
    ratingSummary: computeRatingSummary(months, computedAt),
    complaintSummary: facts.complaints.summary,
    licenseCount: held.length,
    licenseCounts: countLicenses({ ...profile, licenses }),
    bestTier: tiers.length === 0 ? null : (Math.min(...tiers) as Tier),
    warnings: profile.warnings,
    licensesCheckedAt: profile.licensesCheckedAt,
    updatedAt: computedAt,
    entities: profile.entities.map((entity) => ({
      ...entity,
      regulationScore: entityRegulation(entity.legalName, licenses),
    })),
    licenses,
    ratingsByMonth: months,
    complaintsByMonth: [...facts.complaints.byMonth],
    checklist: disclosures,
    recentReviews: [...facts.recentReviews],
    provenance: [...profile.provenance],
    ...(disputes.length === 0 ? {} : { disputes: [...disputes] }),
  };
  return {
    _id: profile.slug,
    keys: facts.keys ?? [facts.key],
    regulatedBy: [...new Set(held.map((license) => license.regulatorCode))],
    serves: listServedResidences({ ...detail, registers: toOwnRegisters(regulators, detail) }, new Date(computedAt)),
    ...detail,
  };
};
