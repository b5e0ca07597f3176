import type { PlannedBroker } from '../../features/brokers/actions.ts';
import { toLicenseRecord } from '../../features/brokers/facts.ts';
import type { BrokerState } from '../../features/brokers/record.rule.ts';
import { complaintFacts } from '../../features/complaints/facts.ts';
import { tiersByCode } from '../../features/regulators/facts.ts';
import { snapshot } from '../../platform/mongo.ts';
import { type BrokerFacts, buildBroker } from './build.rule.ts';
import { loadFacts } from './refresh.ts';

/** Values of a score, 0–100. Null: the broker is not rated, or not there. */
export interface ScoreChange {
  readonly before: number | null;
  readonly after: number | null;
}

const factsOf = ({ profile: { _id: slug, id, ...profile }, licenses }: BrokerState) => ({
  id,
  profile: { slug, ...profile },
  licenses: licenses.map(toLicenseRecord),
});

/** Returns the scores of brokers now, and with what these plans would publish, by slug. */
export const previewScores = (
  planned: readonly PlannedBroker[],
  now: Date,
): Promise<ReadonlyMap<string, ScoreChange>> =>
  snapshot(async (tx) => {
    const slugs = planned.map(({ known }) => known.subject.name);
    const facts = await loadFacts(slugs, () => now, 'stored', tx);
    const stored = new Map(facts.map((fact) => [fact.profile.slug, fact]));
    const fresh = slugs.filter((slug) => !stored.has(slug));
    const complaints = await complaintFacts(fresh, () => now, tx);
    const tiers = await tiersByCode(tx);
    const scoreOf = (fact: BrokerFacts) => buildBroker(fact, now.toISOString()).score.value;
    return new Map(
      planned.flatMap(({ known, after }) => {
        if (after === null) return [];
        const slug = known.subject.name;
        const before = stored.get(slug);
        const rest = before ?? { tiers, ratingsByMonth: [], recentReviews: [], complaints: complaints(slug) };
        const scores = { before: before ? scoreOf(before) : null, after: scoreOf({ ...rest, ...factsOf(after) }) };
        return [[slug, scores] as const];
      }),
    );
  });
