import { createTermIndex } from '@broker-transparency/matching';
import { type Fact, type LookAlikeFacts, licenseFacts, profileFacts } from '../../published/look-alikes/facts.rule.ts';
import { gradeFact, type MatchGrade, type NormalQuery } from '../../published/look-alikes/grade.rule.ts';
import { listFactTerms, listQueryTerms } from '../../published/look-alikes/terms.rule.ts';
import { type Alert, CLONE_ALERT, warningAlert } from './alerts.rule.ts';

/** The last entry of a key. */
export interface IndexedEntry {
  readonly key: string;
  readonly subject: string;
  readonly kind: string;
  readonly number: number;
  /** Canonical JSON. */
  readonly value: string;
}

/** The facts of one entry about a broker. */
interface EntryFacts {
  readonly subject: string;
  readonly number: number;
  readonly facts: readonly Fact[];
  readonly profile?: LookAlikeFacts;
  readonly alert?: Alert;
}

/** The facts of a broker, by the keys of its entries. */
type FactsByEntryKey = Map<string, EntryFacts>;

/** A word that more brokers have tells nothing. */
const VAGUE = { pattern: /^w /, most: 300 };
/** Maximum brokers to compare a query with. */
const MOST_COMPARED = 1000;

const toEntryFacts = ({ subject, kind, number, value }: IndexedEntry): EntryFacts | undefined => {
  const said: unknown = JSON.parse(value);
  if (said === null) return undefined;
  if (kind === 'license') return { subject, number, facts: licenseFacts(said) };
  if (kind === 'warning') {
    const alert = warningAlert(said);
    return alert && { subject, number, facts: [], alert };
  }
  const profile = profileFacts(said);
  return {
    subject,
    number,
    facts: profile.facts,
    profile,
    ...(profile.status === 'suspected_clone' ? { alert: CLONE_ALERT } : {}),
  };
};

/** A fact that matches a query. */
export interface Hit {
  readonly key: string;
  readonly number: number;
  readonly fact: Fact;
  readonly match: MatchGrade;
}

/** A broker with facts that match a query. */
export interface ScreeningMatch {
  readonly profile: LookAlikeFacts;
  readonly hits: readonly Hit[];
  readonly alerts: readonly (Alert & { readonly number: number })[];
  /** Fields with known facts, matching or not. */
  readonly known: ReadonlySet<Fact['field']>;
}

/** Creates an index of the last entries about brokers, by all fields that a query can have. */
export const createScreeningIndex = () => {
  const terms = createTermIndex<EntryFacts>();
  /** By subject. */
  const brokers = new Map<string, FactsByEntryKey>();

  const grade = (subject: string, query: NormalQuery): ScreeningMatch | undefined => {
    const rows = [...(brokers.get(subject) as FactsByEntryKey)];
    const profile = rows.find(([, row]) => row.profile)?.[1].profile;
    if (!profile) return undefined; // no longer published
    const hits = rows.flatMap(([key, { number, facts }]) =>
      facts.flatMap((fact): Hit[] => {
        const match = gradeFact(query, fact);
        return match ? [{ key, number, fact, match }] : [];
      }),
    );
    if (hits.length === 0) return undefined;
    const alerts = rows.flatMap(([, { alert, number }]) => (alert ? [{ ...alert, number }] : []));
    return { profile, hits, alerts, known: new Set(rows.flatMap(([, { facts }]) => facts.map(({ field }) => field))) };
  };
  return {
    /** Adds the last entry of a key, replacing the earlier one. */
    put: (entry: IndexedEntry): void => {
      const known = brokers.get(entry.subject) ?? new Map<string, EntryFacts>();
      brokers.set(entry.subject, known);
      const before = known.get(entry.key);
      const said = toEntryFacts(entry);
      if (before) terms.remove(before);
      if (said) {
        known.set(entry.key, said);
        terms.put(said, said.facts.flatMap(listFactTerms));
      } else known.delete(entry.key);
    },
    /** Returns the brokers that match a query. */
    find: (query: NormalQuery): ScreeningMatch[] => {
      const compared = new Set(terms.find(listQueryTerms(query), VAGUE).map(({ subject }) => subject));
      return [...compared].slice(0, MOST_COMPARED).flatMap((subject) => grade(subject, query) ?? []);
    },
    /** Returns the number of brokers with known facts. */
    size: (): number => [...brokers.values()].filter((known) => known.size > 0).length,
  };
};
export type ScreeningIndex = ReturnType<typeof createScreeningIndex>;
