import leven from 'leven';
import {
  type Alert,
  type BrokerFacts,
  CLONE_ALERT,
  type Fact,
  licenseFacts,
  profileFacts,
  warningAlert,
} from './facts.rule.ts';
import { gradeFact, type Match, type NormalQuery, typosIn } from './grade.rule.ts';
import { hostsAbove, isTelling, labelOf } from './normal.rule.ts';

/** The last entry of a key. */
export interface IndexedEntry {
  readonly key: string;
  readonly subject: string;
  readonly kind: string;
  readonly number: number;
  /** Canonical JSON. */
  readonly value: string;
}

/** What one entry says of a broker. */
interface Row {
  readonly number: number;
  readonly facts: readonly Fact[];
  readonly profile?: BrokerFacts;
  readonly alert?: Alert;
}

/** What is known of a broker, by the keys of its entries. */
type Known = Map<string, Row>;

/** A word that more brokers have than this tells nothing: it is not looked up. */
const MOST_SHARED = 300;
/** Most brokers that a query is compared with. */
const MOST_COMPARED = 2000;
/** Letters at the beginning and at the end of a name by which others with typing errors are found. */
const EDGE = 3;

/** Where a text is found that has as many letters, and begins or ends the same. */
const edges = (kind: string, text: string, length = text.length): string[] => [
  `${kind}^${length}${text.slice(0, EDGE)}`,
  `${kind}$${length}${text.slice(-EDGE)}`,
];

const plainLabel = (host: string): string => labelOf(host).replaceAll('-', '');

/** Returns the terms under which a fact is found. */
const termsOf = (fact: Fact): string[] => {
  switch (fact.field) {
    case 'lei':
      return [`l ${fact.normal}`];
    case 'licenseNumber':
      return [`i ${fact.normal}`];
    case 'domain': {
      const label = plainLabel(fact.normal);
      return [`d ${fact.normal}`, `b ${label}`, ...edges('b', label)];
    }
    case 'name': {
      const { compact, bare } = fact.name;
      return [`n ${compact}`, ...bare.filter(isTelling).map((word) => `w ${word}`), ...edges('n', compact)];
    }
  }
};

/** Returns the terms of names that are the same but for typing errors. */
const near = (kind: string, text: string): string[] => {
  const typos = typosIn(text);
  if (typos === 0) return [];
  return Array.from({ length: 2 * typos + 1 }, (_, at) => text.length - typos + at).flatMap((length) =>
    edges(kind, text, length),
  );
};

/** Returns the terms that are looked up for a query, the most telling ones first. */
const lookups = ({ lei, name, domain, licenseNumber }: NormalQuery): string[] => [
  ...(lei === undefined ? [] : [`l ${lei}`]),
  ...(licenseNumber === undefined ? [] : [`i ${licenseNumber}`]),
  ...(domain === undefined ? [] : [...hostsAbove(domain).map((host) => `d ${host}`), `b ${plainLabel(domain)}`]),
  ...(name === undefined ? [] : [`n ${name.compact}`]),
  ...(name === undefined ? [] : name.bare.filter(isTelling).map((word) => `w ${word}`)),
  ...(domain === undefined ? [] : near('b', plainLabel(domain))),
  ...(name === undefined ? [] : near('n', name.compact)),
];

const rowOf = ({ kind, number, value }: IndexedEntry): Row | undefined => {
  const said: unknown = JSON.parse(value);
  if (said === null) return undefined;
  if (kind === 'license') return { number, facts: licenseFacts(said) };
  if (kind === 'warning') return { number, facts: [], alert: warningAlert(said) };
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
  readonly match: Match;
}

/** A broker with facts that match a query. */
export interface Found {
  readonly profile: BrokerFacts;
  readonly hits: readonly Hit[];
  readonly alerts: readonly (Alert & { readonly number: number })[];
  /** Fields of which something is known, whether it matches or not. */
  readonly known: ReadonlySet<Fact['field']>;
}

/** Creates an index of what the last entries say about brokers, by everything that a query can name. */
export const createScreeningIndex = () => {
  const brokers = new Map<string, Known>();
  const subjects = new Map<string, Set<string>>();

  const change = (subject: string, facts: readonly Fact[], isThere: boolean): void => {
    for (const term of facts.flatMap(termsOf)) {
      const own = subjects.get(term) ?? new Set();
      if (isThere) subjects.set(term, own.add(subject));
      else if (own.delete(subject) && own.size === 0) subjects.delete(term);
    }
  };
  const grade = (subject: string, query: NormalQuery): Found | undefined => {
    const rows = [...(brokers.get(subject) ?? [])];
    const profile = rows.find(([, row]) => row.profile)?.[1].profile;
    if (!profile) return undefined; // nothing is published of it any more
    const hits = rows.flatMap(([key, { number, facts }]) =>
      facts.flatMap((fact): Hit[] => {
        const match = gradeFact(query, fact, leven);
        return match ? [{ key, number, fact, match }] : [];
      }),
    );
    if (hits.length === 0) return undefined;
    const alerts = rows.flatMap(([, { alert, number }]) => (alert ? [{ ...alert, number }] : []));
    return { profile, hits, alerts, known: new Set(rows.flatMap(([, { facts }]) => facts.map(({ field }) => field))) };
  };

  return {
    /** Takes the last entry of a key, in place of what was known by it. */
    put: (entry: IndexedEntry): void => {
      const { key, subject } = entry;
      const known: Known = brokers.get(subject) ?? new Map();
      change(subject, known.get(key)?.facts ?? [], false);
      const row = rowOf(entry);
      if (row) known.set(key, row);
      else known.delete(key);
      if (known.size > 0) brokers.set(subject, known);
      else brokers.delete(subject);
      // a term can be of several entries of a broker: what was taken away of the others comes back
      for (const { facts } of known.values()) change(subject, facts, true);
    },
    /** Returns the brokers that a query can mean. */
    find: (query: NormalQuery): Found[] => {
      const compared = new Set<string>();
      for (const term of lookups(query)) {
        const own = subjects.get(term);
        if (!own || (own.size > MOST_SHARED && term.startsWith('w '))) continue;
        for (const subject of own) if (compared.size < MOST_COMPARED) compared.add(subject);
      }
      return [...compared].flatMap((subject) => grade(subject, query) ?? []);
    },
    /** Number of brokers. */
    size: (): number => brokers.size,
  };
};
export type ScreeningIndex = ReturnType<typeof createScreeningIndex>;
