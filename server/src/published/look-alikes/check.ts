import { isWarned } from '@broker-transparency/contract/score';
import { findKeptScripts } from '@broker-transparency/matching';
import { findStanding, titleOf, type WarningState } from '../../features/warnings/facts.ts';
import type { Db } from '../../platform/mongo.ts';
import { createTurns } from '../../platform/turns.ts';
import { findIdentifying, type IdentifyingDocument } from '../brokers/facts.ts';
import { type BrokerIndex, factsOf } from './brokers.ts';
import type { Fact } from './facts.rule.ts';
import { byMatch, type Field, gradeFact, type Match, type NormalQuery, normalQuery } from './grade.rule.ts';
import { readText } from './read.rule.ts';
import type { Lookup } from './term-index.ts';
import { lookups } from './terms.rule.ts';
import { factsOfWarning, type WarningIndex } from './warnings.ts';

/** Most brokers, and most warnings, that a text is compared with. */
const MOST_COMPARED = 150;
/** A word that more have than this tells nothing. */
const MOST_SHARED = 150;
/** Most brokers, and most warnings, that are returned. */
const MOST_FOUND = 10;

/** Why something was found: what it has of what was typed. */
interface Evidence {
  readonly field: Field;
  readonly match: Match;
  /** What is published. */
  readonly value: string;
}

/** A broker that may be meant, or imitated. */
interface FoundBroker {
  readonly slug: string;
  /** Best first. */
  readonly evidence: readonly Evidence[];
}

/** A warning of an authority that names something like it. */
interface FoundWarning {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: string | null;
  /** Whom to name for it, where its list asks for that. */
  readonly credit: string | null;
  readonly evidence: readonly Evidence[];
}

/** What is known of whoever goes by a text. */
export interface Checked {
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

const isVague = (term: string): boolean => /^w |^\w[\^$]/.test(term);
const lookupsOf = (query: NormalQuery): Lookup[] => lookups(query).map((term) => ({ term, isVague: isVague(term) }));

/** What is asked: the text as it was read, and the names that a domain makes one think of. */
interface Query {
  readonly told: NormalQuery;
  /** Matches are no better than possible. */
  readonly hinted: readonly NormalQuery[];
}

const gradeBy = ({ told, hinted }: Query, fact: Fact): Match | undefined =>
  gradeFact(told, fact) ?? (hinted.some((hint) => gradeFact(hint, fact)) ? 'possible' : undefined);

/** Returns what facts have of what was typed, best first, each field once. */
const evidenceOf = (query: Query, facts: readonly Fact[]): Evidence[] => {
  const hits = facts.flatMap((fact): Evidence[] => {
    const match = gradeBy(query, fact);
    return match ? [{ field: fact.field, match, value: fact.value }] : [];
  });
  const best = new Map<Field, Evidence>();
  for (const hit of hits.toSorted((a, b) => byMatch(a.match, b.match)))
    if (!best.has(hit.field)) best.set(hit.field, hit);
  return [...best.values()];
};

const bestOf = (evidence: readonly Evidence[]): Match => evidence[0]?.match ?? 'possible';

interface Graded<T> {
  readonly one: T;
  readonly evidence: readonly Evidence[];
}

/** Best evidence first, then whatever has more of it. */
const byEvidence = (a: Graded<unknown>, b: Graded<unknown>): number =>
  byMatch(bestOf(a.evidence), bestOf(b.evidence)) || b.evidence.length - a.evidence.length;

const isAlarming = ({ one: { status, warnings } }: Graded<IdentifyingDocument>): boolean =>
  status === 'suspected_clone' || isWarned(warnings);

/** Whether it is most likely the one that was typed, and is warned of. */
const isFirst = (one: Graded<IdentifyingDocument>): boolean => isAlarming(one) && bestOf(one.evidence) !== 'possible';

const byAlarm = (a: Graded<IdentifyingDocument>, b: Graded<IdentifyingDocument>): number =>
  Number(isFirst(b)) - Number(isFirst(a)) ||
  byMatch(bestOf(a.evidence), bestOf(b.evidence)) ||
  Number(isAlarming(b)) - Number(isAlarming(a)) ||
  byEvidence(a, b);

const toFound = ({ one, evidence }: Graded<WarningState>): FoundWarning => {
  const { authority, url, publishedAt, credit } = one;
  return { authority: authority.name, title: titleOf(one), url, publishedAt, credit: credit ?? null, evidence };
};

/** Returns those that match, with what they match by. */
const compare = async <T>(
  all: readonly T[],
  query: Query,
  factsOfOne: (one: T) => readonly Fact[],
): Promise<Graded<T>[]> => {
  const turns = createTurns();
  const found: Graded<T>[] = [];
  for (const one of all) {
    const evidence = evidenceOf(query, factsOfOne(one));
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
  async (text: string): Promise<Checked> => {
    const { namesInDomain = [], otherDomains = [], ...asked } = readText(text);
    const query: Query = {
      told: normalQuery(asked),
      hinted: namesInDomain.map((name) => normalQuery({ name })),
    };
    const [brokers, warnings] = await Promise.all([parts.brokers.current(), parts.warnings.current()]);
    const terms = [query.told, ...query.hinted].flatMap(lookupsOf);
    const bounds = { most: MOST_COMPARED, mostVague: MOST_SHARED };
    const [documents, states] = await Promise.all([
      findIdentifying(db, brokers.find(terms, bounds)),
      findStanding(db, warnings.index.find(terms, bounds)),
    ]);
    const alike = (await compare(documents, query, factsOf)).sort(byAlarm);
    const warned = (await compare(states, query, factsOfWarning)).sort(byEvidence);
    return {
      read: asked,
      unread: otherDomains,
      scripts: findKeptScripts(text),
      brokers: alike.slice(0, MOST_FOUND).map(({ one, evidence }) => ({ slug: one._id, evidence })),
      warnings: warned.slice(0, MOST_FOUND).map(toFound),
      hasMore: alike.length > MOST_FOUND || warned.length > MOST_FOUND,
      lists: warnings.lists.map(({ _id: name, asOf }) => ({ name, asOf })),
      searched: brokers.size(),
    };
  };
