import { setImmediate as turn } from 'node:timers/promises';
import {
  SCREENED_FIELDS,
  type ScreeningAnswer,
  type ScreeningCandidate,
  type ScreeningQuery,
} from '@broker-transparency/contract/enterprise';
import { MOST_CANDIDATES, SCREENING_MEANINGS, SCREENING_NOTICE } from '@broker-transparency/kernel';
import { findKeptScripts } from '@broker-transparency/matching';
import {
  compareMatches,
  type FactField,
  gradeCandidate,
  type NormalQuery,
  normalizeQuery,
} from '../../published/look-alikes/grade.rule.ts';
import type { CurrentIndex } from './current.ts';
import type { Hit, ScreeningIndex, ScreeningMatch } from './index.ts';
import { readQuery } from './query.rule.ts';

const describeKeptScripts = (scripts: readonly string[]): string =>
  `Letters of ${scripts.join(', ')} were compared with the same letters only: ask with the name in Latin letters, too.`;

/** Number of queries between two turns of the event loop, so that other requests are answered. */
const PER_TURN = 5;

const compareEvidence = (a: Hit, b: Hit): number =>
  compareMatches(a.match, b.match) || (a.fact.fact < b.fact.fact ? -1 : 1);

/** Orders standing warnings before withdrawn ones. */
const compareStanding = (a: { withdrawnAt: string | null }, b: { withdrawnAt: string | null }): number =>
  Number(a.withdrawnAt !== null) - Number(b.withdrawnAt !== null);

const listQueryFields = (query: NormalQuery): FactField[] =>
  SCREENED_FIELDS.filter((field) => query[field] !== undefined);

const toCandidate = (query: NormalQuery, { profile, hits, alerts, known }: ScreeningMatch): ScreeningCandidate => {
  const matched = new Set(hits.map(({ fact }) => fact.field));
  const unmatched = listQueryFields(query).filter((field) => !matched.has(field));
  return {
    slug: profile.slug,
    name: profile.name,
    status: profile.status as ScreeningCandidate['status'],
    match: gradeCandidate(
      hits.map(({ match }) => match),
      unmatched.some((field) => known.has(field)),
    ),
    alerts: [...alerts].sort(compareStanding),
    evidence: [...hits].sort(compareEvidence).map(({ key, number, match, fact: { field, fact, value, source } }) => ({
      field,
      match,
      fact,
      value,
      key,
      number,
      source,
    })),
    unmatched,
  };
};

const isAlarming = ({ alerts }: ScreeningCandidate): boolean => alerts.some(({ withdrawnAt }) => withdrawnAt === null);

/** Orders candidates with standing alerts first, then by the quality of the match. */
const compareRank = (a: ScreeningCandidate, b: ScreeningCandidate): number =>
  Number(isAlarming(b)) - Number(isAlarming(a)) ||
  compareMatches(a.match, b.match) ||
  a.unmatched.length - b.unmatched.length ||
  (a.slug < b.slug ? -1 : 1);

const screenQuery = (index: ScreeningIndex, asked: ScreeningQuery): ScreeningAnswer['results'][number] => {
  const read = readQuery(asked);
  if (Array.isArray(read))
    return { outcome: 'invalid', meaning: SCREENING_MEANINGS.invalid, candidates: [], more: false, faults: read };
  const query = normalizeQuery(read);
  const scripts = findKeptScripts(`${read.name ?? ''} ${read.domain ?? ''}`);
  const all = index
    .find(query)
    .map((found) => toCandidate(query, found))
    .sort(compareRank);
  const outcome = all.length > 0 ? 'candidates' : 'no_candidate';
  const candidates = all.slice(0, MOST_CANDIDATES);
  return {
    outcome,
    meaning:
      scripts.length > 0
        ? `${SCREENING_MEANINGS[outcome]} ${describeKeptScripts(scripts)}`
        : SCREENING_MEANINGS[outcome],
    candidates,
    more: all.length > candidates.length,
    ...(scripts.length > 0 ? { scriptsNotCompared: scripts } : {}),
  };
};

/**
 * Returns the candidates of each query, by the current record. Queries are not stored. @throws DomainError unavailable
 * while the index is being built
 */
export const screen = async (
  currentIndex: CurrentIndex,
  queries: readonly ScreeningQuery[],
): Promise<ScreeningAnswer> => {
  const { index, below } = await currentIndex();
  const results: ScreeningAnswer['results'] = [];
  for (const query of queries) {
    results.push(screenQuery(index, query));
    if (results.length % PER_TURN === 0) await turn();
  }
  return { knownAt: Math.max(below - 1, 0), notice: SCREENING_NOTICE, results };
};
