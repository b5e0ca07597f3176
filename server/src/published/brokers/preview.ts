import type { PlannedBroker } from '../../features/brokers/actions.ts';
import { toLicenseRecord } from '../../features/brokers/facts.ts';
import type { BrokerState } from '../../features/brokers/record.rule.ts';
import { complaintFacts } from '../../features/complaints/facts.ts';
import { mapRegulators } from '../../features/regulators/facts.ts';
import type { ScoreChange } from '../../ledger/import-kind.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';
import { type BrokerFacts, buildBroker, describe } from './build.rule.ts';
import { loadFacts } from './refresh.ts';

/** A successor does not change a score. */
const toBrokerFacts = ({ profile, licenses }: BrokerState) => ({
  ...describe(profile, () => undefined),
  licenses: licenses.map(toLicenseRecord),
});

/** Returns the current scores of brokers, and their scores after these plans, by key. */
export const previewScores = (
  db: Db,
  planned: readonly PlannedBroker[],
  now: Date,
): Promise<ReadonlyMap<string, ScoreChange>> =>
  snapshot(db, async (tx) => {
    const keys = planned.map(({ known }) => known.subject.name);
    const stored = new Map((await loadFacts(keys, () => now, 'stored', tx)).map((fact) => [fact.key, fact]));
    const fresh = keys.filter((key) => !stored.has(key));
    const complaints = await complaintFacts(fresh, tx);
    const regulators = await mapRegulators(tx);
    const computeScore = (fact: BrokerFacts) => buildBroker(fact, now.toISOString()).score.value;
    return new Map(
      planned.flatMap(({ known, after }) => {
        if (after === null) return [];
        const key = known.subject.name;
        const before = stored.get(key);
        const rest = before ?? {
          regulators,
          ratingsByMonth: [],
          recentReviews: [],
          complaints: complaints([key], now),
        };
        const scores = {
          before: before ? computeScore(before) : null,
          after: computeScore({ ...rest, ...toBrokerFacts(after) }),
        };
        return [[key, scores] as const];
      }),
    );
  });
