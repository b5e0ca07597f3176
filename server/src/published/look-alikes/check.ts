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
  type Field,
  gradeFact,
  type MatchGrade,
  type NormalQuery,
  normalizeQuery,
} from './grade.rule.ts';
import { readText } from './read.rule.ts';
import { listQueryTerms } from './terms.rule.ts';
import { listWarningFacts, type WarningIndex } from './warnings.ts';

/** Most brokers, and most warnings, that a text is compared with. */
const MOST_COMPARED = 150;
/** Words, and ends of texts: those that more have tell nothing. */
const VAGUE = { pattern: /^w |^\w[\^$]/, most: 150 };
/** Most brokers, and most warnings, that are returned. */
const MOST_FOUND = 10;

/** Why something was found: what it has of what was typed. */
interface MatchEvidence {
  readonly field: Field;
  readonly match: MatchGrade;
  /** What is published. */
  readonly value: string;
}

/** A broker that may be meant, or imitated. */
interface FoundBroker {
  readonly slug: string;
  /** Best first. */
  readonly evidence: readonly MatchEvidence[];
}

/** A warning of an authority that names something like it. */
interface FoundWarning {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  /** Whom to name for it, where its list asks for that. */
  readonly credit: string | null;
  readonly evidence: readonly MatchEvidence[];
}

/** What is known of whoever goes by a text. */
export interface CheckResult {
  /** How the text was read; nothing where it has nothing to look for. */
  readonly read: { readonly [field in Field]?: string | undefined };
  /** Domains that were typed and not looked for: only the first one is. */
  readonly unread: readonly string[];
  /** Scripts of the text that were compared with the same letters only. */
  readonly scripts: readonly string[];
  readonly brokers: readonly FoundBroker[];
  readonly warnings: readonly FoundWarning[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  /** The lists of warnings that were searched, with the day of each. */
  readonly lists: readonly { readonly name: string; readonly asOf: string }[];
  /** How many brokers were searched. */
  readonly searched: number;
}

/** What is asked: the text as it was read, and the names that a domain makes one think of. */
interface CheckQuery {
  readonly told: NormalQuery;
  /** Matches are no better than possible. */
  readonly hinted: readonly NormalQuery[];
}

const gradeQuery = ({ told, hinted }: CheckQuery, fact: Fact): MatchGrade | undefined =>
  gradeFact(told, fact) ?? (hinted.some((hint) => gradeFact(hint, fact)) ? 'possible' : undefined);

/** Returns what facts have of what was typed, best first, each field once. */
const collectEvidence = (query: CheckQuery, facts: readonly Fact[]): MatchEvidence[] => {
  const hits = facts.flatMap((fact): MatchEvidence[] => {
    const match = gradeQuery(query, fact);
    return match ? [{ field: fact.field, match, value: fact.value }] : [];
  });
  const best = new Map<Field, MatchEvidence>();
  for (const hit of hits.toSorted((a, b) => compareMatches(a.match, b.match)))
    if (!best.has(hit.field)) best.set(hit.field, hit);
  return [...best.values()];
};

const findBestMatch = (evidence: readonly MatchEvidence[]): MatchGrade => evidence[0]?.match ?? 'possible';

interface GradedCandidate<T> {
  readonly one: T;
  readonly evidence: readonly MatchEvidence[];
}

/** Best evidence first, then whatever has more of it. */
const byEvidence = (a: GradedCandidate<unknown>, b: GradedCandidate<unknown>): number =>
  compareMatches(findBestMatch(a.evidence), findBestMatch(b.evidence)) || b.evidence.length - a.evidence.length;

const isAlarming = ({ one: { status, warnings } }: GradedCandidate<IdentifyingDocument>): boolean =>
  status === 'suspected_clone' || isWarned(warnings);

/** Whether it is most likely the one that was typed, and is warned of. */
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

/** Returns those that match, with what they match by. */
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
 * Creates the function that says who may be meant, or imitated, by a name, a domain or a number. Time and answer are
 * bounded whatever is typed; nothing of it is kept or logged.
 */
export const createCheck =
  (db: Db, parts: { readonly brokers: BrokerIndex; readonly warnings: WarningIndex }) =>
  async (text: string): Promise<CheckResult> => {
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
