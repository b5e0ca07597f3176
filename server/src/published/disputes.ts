import { countByStatus } from '../features/complaints/facts.ts';
import { countDisputesOfFacts } from '../features/disputes/facts.ts';
import { readDelays } from '../features/moderation/delays.ts';
import { toCounts } from '../features/transparency/counts.rule.ts';
import { sumDisputes, sumEveryCount } from '../features/transparency/facts.ts';
import { countMatches } from '../features/warnings/facts.ts';
import type { Db } from '../platform/mongo.ts';

/** Counts what became of reports, appeals, disputes of facts, complaints and warnings, of all brokers together. */
export const countDisputes = async (db: Db, now: Date) => {
  const [disputes, complaints, matches, facts] = await Promise.all([
    sumDisputes(db),
    countByStatus(db),
    countMatches(db),
    countDisputesOfFacts(db, now),
  ]);
  const { reports, appeals } = toCounts(disputes);
  const { received = 0, screening = 0, forwarded = 0, responded = 0 } = complaints;
  const { resolved = 0, unresolved = 0, rejected = 0, withdrawn = 0 } = complaints;
  const none = { waiting: 0, unchecked: 0, confirmed: 0, rejected: 0, undone: 0, ended: 0 };
  return {
    reports,
    appeals,
    facts,
    complaints: {
      open: received + screening + forwarded + responded,
      resolved,
      unresolved,
      rejected,
      withdrawn,
    },
    warnings: { ...none, ...matches },
  };
};

/** Reads how reviews were moderated, of all brokers together. */
export const readModeration = async (db: Db, now: Date) => {
  const [cells, delays] = await Promise.all([sumEveryCount(db), readDelays(db, now)]);
  return { ...toCounts(cells), delays };
};
