import { type BrokerFacts, type Fact, licenseFacts, profileFacts } from '../../published/look-alikes/facts.rule.ts';
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
  readonly number: number;
  readonly facts: readonly Fact[];
  readonly profile?: BrokerFacts;
  readonly alert?: Alert;
}

/** The facts of a broker, by the keys of its entries. */
type FactsByEntryKey = Map<string, EntryFacts>;

/** Maximum brokers per word. A more frequent word is not looked up. */
const MOST_SHARED = 300;
/** Maximum brokers to compare a query with. */
const MOST_COMPARED = 1000;
const toEntryFacts = ({ kind, number, value }: IndexedEntry): EntryFacts | undefined => {
  const said: unknown = JSON.parse(value);
  if (said === null) return undefined;
  if (kind === 'license') return { number, facts: licenseFacts(said) };
  if (kind === 'warning') {
    const alert = warningAlert(said);
    return alert && { number, facts: [], alert };
  }
  const profile = profileFacts(said);
  return {
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
  readonly profile: BrokerFacts;
  readonly hits: readonly Hit[];
  readonly alerts: readonly (Alert & { readonly number: number })[];
  /** Fields with known facts, matching or not. */
  readonly known: ReadonlySet<Fact['field']>;
}

/**
 * Creates the lists of brokers by term. Most terms belong to one broker, so a list of one is stored without an array.
 */
const createPostingLists = () => {
  const lists = new Map<string, number | Set<number>>();
  return {
    add: (term: string, id: number): void => {
      const own = lists.get(term);
      if (own === undefined || own === id) lists.set(term, id);
      else if (typeof own === 'number') lists.set(term, new Set([own, id]));
      else own.add(id);
    },
    remove: (term: string, id: number): void => {
      const own = lists.get(term);
      if (own === id || (typeof own === 'object' && own.delete(id) && own.size === 0)) lists.delete(term);
    },
    get: (term: string): Iterable<number> & { readonly size?: number } => {
      const own = lists.get(term);
      return typeof own === 'object' ? own : own === undefined ? [] : [own];
    },
  };
};

/** Creates an index of the last entries about brokers, by all fields that a query can have. */
export const createScreeningIndex = () => {
  const lists = createPostingLists();
  const ids = new Map<string, number>();
  /** Facts of brokers, by id. */
  const brokers: FactsByEntryKey[] = [];

  const ensureId = (subject: string): number => {
    const id = ids.get(subject) ?? brokers.length;
    ids.set(subject, id);
    brokers[id] ??= new Map();
    return id;
  };
  const grade = (id: number, query: NormalQuery): ScreeningMatch | undefined => {
    const rows = [...(brokers[id] as FactsByEntryKey)];
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
  const add = (id: number, facts: readonly Fact[]): void => {
    for (const term of facts.flatMap(listFactTerms)) lists.add(term, id);
  };

  return {
    /** Adds the last entry of a key, replacing the earlier one. */
    put: (entry: IndexedEntry): void => {
      const id = ensureId(entry.subject);
      const known = brokers[id] as FactsByEntryKey;
      const before = known.get(entry.key);
      const row = toEntryFacts(entry);
      if (row) known.set(entry.key, row);
      else known.delete(entry.key);
      add(id, row?.facts ?? []);
      if (!before) return;
      for (const term of before.facts.flatMap(listFactTerms)) lists.remove(term, id);
      for (const { facts } of known.values()) add(id, facts); // several entries can have the same term
    },
    /** Returns the brokers that match a query. */
    find: (query: NormalQuery): ScreeningMatch[] => {
      const compared = new Set<number>();
      for (const term of listQueryTerms(query)) {
        const own = lists.get(term);
        if (term.startsWith('w ') && (own.size ?? 0) > MOST_SHARED) continue;
        for (const id of own) if (compared.size < MOST_COMPARED) compared.add(id);
      }
      return [...compared].flatMap((id) => grade(id, query) ?? []);
    },
    /** Returns the number of brokers with known facts. */
    size: (): number => brokers.filter((known) => known.size > 0).length,
  };
};
export type ScreeningIndex = ReturnType<typeof createScreeningIndex>;
