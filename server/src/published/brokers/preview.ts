import type { BrokerRecord } from '../../features/brokers/record.rule.ts';
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

/**
 * Returns the scores of these brokers now, and with these records in place of what is stored, by slug. A record without
 * licences keeps those that are stored.
 */
export const previewScores = (records: readonly BrokerRecord[], now: Date): Promise<ReadonlyMap<string, ScoreChange>> =>
  snapshot(async (tx) => {
    const slugs = records.map(({ slug }) => slug);
    const facts = await loadFacts(slugs, () => now, 'stored', tx);
    const stored = new Map(facts.map((fact) => [fact.profile.slug, fact]));
    const fresh = slugs.filter((slug) => !stored.has(slug));
    const complaints = await complaintFacts(fresh, () => now, tx);
    const tiers = await tiersByCode(tx);
    const scoreOf = (fact: BrokerFacts) => buildBroker(fact, now.toISOString()).score.value;
    return new Map(
      records.map(({ licenses, ...profile }) => {
        const { slug } = profile;
        const before = stored.get(slug);
        const rest = before ?? { id: '', tiers, ratingsByMonth: [], recentReviews: [], complaints: complaints(slug) };
        const after = { ...rest, profile, licenses: licenses ?? before?.licenses ?? [] };
        return [slug, { before: before ? scoreOf(before) : null, after: scoreOf(after) }];
      }),
    );
  });
