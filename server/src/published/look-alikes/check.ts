import { isWarned } from '@broker-transparency/contract/score';
import { findKeptScripts, type TermIndex } from '@broker-transparency/matching';
import { findStanding, formatTitle, type WarningState } from '../../features/warnings/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { findIdentifying, type IdentifyingDocument } from '../brokers/facts.ts';
import { type BrokerIndex, listBrokerFacts } from './brokers.ts';
import type { Fact } from './facts.rule.ts';
import {
  compareMatches,
  type FactField,
  gradeFact,
  type MatchGrade,
  type NormalQuery,
  normalizeQuery,
} from './grade.rule.ts';
import { readText } from './read.rule.ts';
import { listQueryTerms } from './terms.rule.ts';
import { listWarningFacts, type WarningIndex } from './warnings.ts';

/** Maximum number of brokers, and of warnings, that a text is compared with. */
const MOST_COMPARED = 150;
/** Words, and ends of texts: those that more have tell nothing. */
const VAGUE = { pattern: /^w |^\w[\^$]/, most: 150 };
/** Maximum number of brokers, and of warnings, in the result. */
const MOST_FOUND = 10;

/** A published value that matches the text. */
interface MatchEvidence {
  readonly field: FactField;
  readonly match: MatchGrade;
  /** The published value. */
  readonly value: string;
}

/** A broker that may be meant or imitated. */
interface FoundBroker {
  readonly slug: string;
  /** Best first. */
  readonly evidence: readonly MatchEvidence[];
}

/** A warning of an authority about a similar name. */
interface FoundWarning {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  /** Attribution, if the list requires one. */
  readonly credit: string | null;
  readonly evidence: readonly MatchEvidence[];
}

/** Result of a check of a text. */
export interface LookAlikeResult {
  /** Interpretation of the text; empty if it has nothing to look for. */
  readonly read: { readonly [field in FactField]?: string | undefined };
  /** Further domains in the text: only the first one is looked for. */
  readonly unread: readonly string[];
  /** Scripts of the text that match only the same letters. */
  readonly scripts: readonly string[];
  readonly brokers: readonly FoundBroker[];
  readonly warnings: readonly FoundWarning[];
  /** True if there are more results. */
  readonly hasMore: boolean;
  /** The searched lists of warnings, with the day of each. */
  readonly lists: readonly { readonly name: string; readonly asOf: string }[];
  /** Number of searched brokers. */
  readonly searched: number;
}

/** The query: the interpreted text, and the names that a domain suggests. */
interface CheckQuery {
  readonly told: NormalQuery;
  /** Queries whose matches are at most possible. */
  readonly hinted: readonly NormalQuery[];
}

const gradeQuery = ({ told, hinted }: CheckQuery, fact: Fact): MatchGrade | undefined =>
  gradeFact(told, fact) ?? (hinted.some((hint) => gradeFact(hint, fact)) ? 'possible' : undefined);

/** Returns the facts that match the query, best first, each field once. */
const collectEvidence = (query: CheckQuery, facts: readonly Fact[]): MatchEvidence[] => {
  const hits = facts.flatMap((fact): MatchEvidence[] => {
    const match = gradeQuery(query, fact);
    return match ? [{ field: fact.field, match, value: fact.value }] : [];
  });
  const best = new Map<FactField, MatchEvidence>();
  for (const hit of hits.toSorted((a, b) => compareMatches(a.match, b.match)))
    if (!best.has(hit.field)) best.set(hit.field, hit);
  return [...best.values()];
};

const findBestMatch = (evidence: readonly MatchEvidence[]): MatchGrade => evidence[0]?.match ?? 'possible';

interface GradedCandidate<T> {
  readonly one: T;
  readonly evidence: readonly MatchEvidence[];
}

/** Sorts by best evidence, then by the amount of it. */
const byEvidence = (a: GradedCandidate<unknown>, b: GradedCandidate<unknown>): number =>
  compareMatches(findBestMatch(a.evidence), findBestMatch(b.evidence)) || b.evidence.length - a.evidence.length;

const isAlarming = ({ one: { status, warnings } }: GradedCandidate<IdentifyingDocument>): boolean =>
  status === 'suspected_clone' || isWarned(warnings);

/** Returns whether this is most likely the broker that was typed, and has a warning. */
const isFirst = (one: GradedCandidate<IdentifyingDocument>): boolean =>
  isAlarming(one) && findBestMatch(one.evidence) !== 'possible';

const byAlarm = (a: GradedCandidate<IdentifyingDocument>, b: GradedCandidate<IdentifyingDocument>): number =>
  Number(isFirst(b)) - Number(isFirst(a)) ||
  compareMatches(findBestMatch(a.evidence), findBestMatch(b.evidence)) ||
  Number(isAlarming(b)) - Number(isAlarming(a)) ||
  byEvidence(a, b);

const toFoundWarning = ({ one, evidence }: GradedCandidate<WarningState>): FoundWarning => {
  const { authority, url, publishedAt, credit } = one;
  return { authority: authority.name, title: formatTitle(one), url, publishedAt, credit: credit ?? null, evidence };
};

/** Returns the candidates that match, with their evidence. */
const gradeAll = async <T>(
  all: readonly T[],
  query: CheckQuery,
  factsOfOne: (one: T) => readonly Fact[],
): Promise<GradedCandidate<T>[]> => {
  const turns = createTurns();
  const found: GradedCandidate<T>[] = [];
  for (const one of all) {
    const evidence = collectEvidence(query, factsOfOne(one));
    if (evidence.length > 0) found.push({ one, evidence });
    await turns();
  }
  return found;
};

/**
 * Returns the function that finds who may be meant or imitated by a name, a domain or a number. Time and result are
 * bounded for any text; the text is not stored or logged.
 */
export const createCheck =
  (db: Db, parts: { readonly brokers: BrokerIndex; readonly warnings: WarningIndex }) =>
  async (text: string): Promise<LookAlikeResult> => {
    const { namesInDomain = [], otherDomains = [], ...asked } = readText(text);
    const query: CheckQuery = {
      told: normalizeQuery(asked),
      hinted: namesInDomain.map((name) => normalizeQuery({ name })),
    };
    const [brokers, warnings] = await Promise.all([parts.brokers.current(), parts.warnings.current()]);
    const terms = [query.told, ...query.hinted].flatMap(listQueryTerms);
    const findIn = (index: TermIndex<string>): string[] =>
      [...new Set(index.find(terms, VAGUE))].slice(0, MOST_COMPARED);
    const [documents, states] = await Promise.all([
      findIdentifying(db, findIn(brokers)),
      findStanding(db, findIn(warnings.index)),
    ]);
    const alike = (await gradeAll(documents, query, listBrokerFacts)).sort(byAlarm);
    const warned = (await gradeAll(states, query, listWarningFacts)).sort(byEvidence);
    return {
      read: asked,
      unread: otherDomains,
      scripts: findKeptScripts(text),
      brokers: alike.slice(0, MOST_FOUND).map(({ one, evidence }) => ({ slug: one._id, evidence })),
      warnings: warned.slice(0, MOST_FOUND).map(toFoundWarning),
      hasMore: alike.length > MOST_FOUND || warned.length > MOST_FOUND,
      lists: warnings.lists.map(({ _id: name, asOf }) => ({ name, asOf })),
      searched: brokers.size(),
    };
  };
