import type { ComplaintMonth, NewsItem } from '@broker-transparency/client';
import type {
  BrokerAt,
  BrokerHistory,
  RecordBrokersAtQuery,
  RecordBrokersHistoryQuery,
} from '@broker-transparency/client/record';
import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import {
  addComplaintMonths,
  type BrokerValue,
  type Entry,
  type EntryCause,
  type EntryKind,
  entryAt,
  entryKey,
  type LicenseValue,
  METHODOLOGY_MODULES,
  parseEntryKey,
  type QueryTimes,
  type RegulatorValue,
  type ReviewValue,
  ratingMonths,
  scoreFromRecord,
  type WarningValue,
} from '@broker-transparency/contract/record';
import {
  canonicalJson,
  commitmentInput,
  computeSubtreesRoot,
  hashSubtrees,
  leafInput,
  type SaltedText,
  type Subtrees,
  toBase64,
} from '@broker-transparency/log';
import type { TestBrokerFacts } from './broker-facts.ts';
import { countComplaintMonths, summariseComplaints } from './build-broker.ts';
import { hashText } from './random.ts';
import type { RegulatorFacts } from './regulators.ts';
import { sha256 } from './sha256.ts';
import type { StoredReview } from './stored.ts';
import { calendarDate } from './times.ts';

/** The texts that people wrote, by field. The log has only commitments to them. */
type Texts = Readonly<Record<string, string>>;

/** An entry that has its number, and the key of the broker, the regulator or the item that it is about. */
export interface NumberedEntry extends Omit<Entry, 'value' | 'last'> {
  /** The number after the last entry of its change. */
  readonly end: number;
  readonly subject: string;
  readonly value: object | null;
  readonly texts: Texts;
}

/** The published value of a key. */
interface EntryDraft extends Pick<NumberedEntry, 'kind' | 'key' | 'value'> {
  readonly texts?: Texts;
}

/** An entry with something published. */
export type EffectiveEntry = NumberedEntry & { readonly value: object };

/** A score at the start of a day. */
type ScoreRow = readonly [slug: string, value: number | null, color: BrokerAt['score']['color']];

/** The scores of all brokers at the start of a day. */
export interface ScoredDay {
  readonly date: string;
  /** The number of its entry. */
  readonly number: number;
  /** The scores follow from the entries below this number. */
  readonly through: number;
  /** Ordered by slug. */
  readonly rows: readonly ScoreRow[];
  /** The tree over the rows. */
  readonly tree: Subtrees;
}

const utf8 = new TextEncoder();

/** Returns the bytes of a row, which are a leaf of the tree of its day. */
export const encodeScoreRow = (row: ScoreRow): Uint8Array => utf8.encode(canonicalJson(row));

const omitUndefined = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Returns the published fields of a broker, without those that people write or that are entries of their own. */
const toBrokerValue = ({ profile, entities, checklist }: TestBrokerFacts): BrokerValue => {
  const { description: _, provenance, licensesCheckedAt, ...fields } = profile;
  return omitUndefined({
    ...fields,
    provenance: provenance.map(({ lastVerifiedAt: __, contradicted, ...fact }) => ({
      ...fact,
      contradicted: contradicted?.map(({ asOf: ___, overruledBecause: ____, ...other }) => other),
    })),
    checked: licensesCheckedAt !== null,
    entities,
    checklist: checklist.map(({ key, met, sourceUrl }) => ({ key, met, sourceUrl })),
  });
};

const toLicenseValues = ({ profile: { slug }, licenses }: TestBrokerFacts): LicenseValue[] =>
  [...new Set(licenses.map(({ regulatorCode, referenceNumber }) => `${regulatorCode} ${referenceNumber}`))].map(
    (place) => {
      const same = licenses.filter((one) => `${one.regulatorCode} ${one.referenceNumber}` === place);
      const [{ regulatorCode, referenceNumber } = { regulatorCode: '', referenceNumber: '' }] = same;
      const holders = same.map(
        ({
          entity,
          regulatorCode: _,
          referenceNumber: __,
          tier: ___,
          lastVerifiedAt: ____,
          stale: _____,
          ...license
        }) => omitUndefined({ ...entity, ...license }),
      );
      return { broker: slug, regulator: regulatorCode, number: referenceNumber, holders };
    },
  );

/** Returns the key of the entry of a warning. */
export const toWarningKey = (slug: string, url: string): string =>
  entryKey('warning', slug, hashText(url).toString(16));

/** Returns the record's entries of a broker, as the service writes them. */
const buildDrafts = (facts: TestBrokerFacts, reviews: readonly StoredReview[]): EntryDraft[] => {
  const { profile, warnings, complaints } = facts;
  const { slug, description } = profile;
  const months: ComplaintMonth[] = countComplaintMonths(complaints);
  return [
    {
      kind: 'broker',
      key: entryKey('broker', slug),
      value: toBrokerValue(facts),
      texts: description === '' ? {} : { description },
    },
    ...toLicenseValues(facts).map((value) => ({
      kind: 'license' as const,
      key: entryKey('license', slug, value.regulator, value.number),
      value,
    })),
    ...warnings.map((warning) => ({
      kind: 'warning' as const,
      key: toWarningKey(slug, warning.url),
      value: omitUndefined({ broker: slug, ...warning }),
    })),
    ...reviews.map(({ id, author, rating, createdAt, title, content, reply }) => ({
      kind: 'review' as const,
      key: entryKey('review', id),
      value: { broker: slug, rating, month: new Date(createdAt).toISOString().slice(0, 7), state: 'published' },
      texts: { author: author.displayName, title, content, ...(reply ? { reply: reply.content } : {}) },
    })),
    ...(months.length === 0
      ? []
      : [
          {
            kind: 'complaints' as const,
            key: entryKey('complaints', slug),
            value: { broker: slug, months, summary: summariseComplaints(complaints) },
          },
        ]),
  ];
};

const selectKind = <T>(winners: readonly EffectiveEntry[], kind: EntryKind): T[] =>
  winners.flatMap((winner) => (winner.kind === kind ? [winner.value as T] : []));

/** Returns an entry without its value, as answers have it. */
export const toEntryView = ({ number, time, key, kind, cause }: NumberedEntry) => ({ number, time, key, kind, cause });

/** Returns the texts of an entry with random bytes, which depend on the key and the text alone. */
const saltTexts = ({ key, texts }: NumberedEntry): Record<string, SaltedText> =>
  Object.fromEntries(
    Object.entries(texts).map(([field, text]) => {
      const salt = toBase64(sha256(utf8.encode(JSON.stringify([key, field, text]))));
      return [field, { salt, text }];
    }),
  );

const commitTexts = (entry: NumberedEntry): Record<string, string> =>
  Object.fromEntries(
    Object.entries(saltTexts(entry)).map(([field, salted]) => [field, toBase64(sha256(commitmentInput(salted)))]),
  );

/** Returns the published value of an entry, with commitments to its texts. */
export const toPublishedValue = (entry: NumberedEntry): Record<string, unknown> | null =>
  entry.value && { ...entry.value, ...(Object.keys(entry.texts).length === 0 ? {} : { texts: commitTexts(entry) }) };

const toTime = (at: Date): string => at.toISOString();

/** The latest time, at which everything holds that was ever published. */
export const END_OF_TIME = '9999-12-31T23:59:59.999Z';

/** The record of a test server: everything that was published of its brokers, regulators and news, by number. */
export class TestRecord {
  readonly #entries: NumberedEntry[] = [];
  readonly #bySubject = new Map<string, NumberedEntry[]>();
  /** The last entry of each key. */
  readonly #last = new Map<string, NumberedEntry>();
  readonly #days: ScoredDay[] = [];
  #waiting: (() => void)[] = [];

  constructor(at: Date) {
    const version = METHODOLOGY_VERSION;
    const value = { version, sha256: METHODOLOGY_MODULES[version] };
    const key = entryKey('methodology', version);
    this.publish(key, [{ kind: 'methodology', key, value }], at, 'methodology');
  }

  get entries(): readonly NumberedEntry[] {
    return this.#entries;
  }

  /** The days with scores, oldest first. */
  get days(): readonly ScoredDay[] {
    return this.#days;
  }

  /** Resolves as soon as there is a new entry. */
  waitForEntry(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Returns the last entry of a key. */
  findLast(key: string): NumberedEntry | undefined {
    return this.#last.get(key);
  }

  /** Returns the public texts of a key with the random bytes of their commitments; undefined if there are none. */
  findTexts(key: string): Record<string, SaltedText> | undefined {
    const entry = this.#last.get(key);
    return entry === undefined || Object.keys(entry.texts).length === 0 ? undefined : saltTexts(entry);
  }

  /** Returns the random bytes that open the commitments of a key, by field; undefined if there are none. */
  findSalts(key: string): Record<string, string> | undefined {
    const texts = this.findTexts(key);
    return texts && Object.fromEntries(Object.entries(texts).map(([field, { salt }]) => [field, salt]));
  }

  /** Returns the entries about a broker, a regulator or an item. */
  findAbout(subject: string): readonly NumberedEntry[] {
    return this.#bySubject.get(subject) ?? [];
  }

  /** Returns the keys of all brokers or regulators that the record knows, in their order. */
  listSubjects(kind: 'broker' | 'regulator'): string[] {
    return [...this.#bySubject.keys()].filter((subject) => subject.startsWith(`${kind}/`)).sort();
  }

  /** Returns the entries about a subject that hold at two times. */
  findWinners(subject: string, times: QueryTimes): EffectiveEntry[] {
    const byKey = new Map<string, NumberedEntry[]>();
    for (const entry of this.findAbout(subject)) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
    return [...byKey.values()].flatMap((own) => {
      const winner = entryAt(own, times);
      return winner?.value ? [winner as EffectiveEntry] : [];
    });
  }

  /** Adds the drafts with new values, as one change. */
  publish(subject: string, drafts: readonly EntryDraft[], at: Date, cause: EntryCause): void {
    const isNew = ({ key, value, texts = {} }: EntryDraft): boolean => {
      const { value: known = null, texts: knownTexts = {} } = this.#last.get(key) ?? {};
      return JSON.stringify([value, texts]) !== JSON.stringify([known, knownTexts]);
    };
    const fresh = drafts.filter(isNew);
    const first = this.#entries.length;
    const end = first + fresh.length;
    const time = [toTime(at), this.#entries.at(-1)?.time ?? ''].sort().at(-1) as string; // times never decrease
    const about = this.#bySubject.get(subject) ?? [];
    for (const [index, draft] of fresh.entries()) {
      const entry = { texts: {}, ...draft, number: first + index, end, time, cause, subject };
      this.#entries.push(entry);
      about.push(entry);
      this.#last.set(draft.key, entry);
    }
    if (fresh.length === 0) return;
    this.#bySubject.set(subject, about);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Adds what a regulator states. When somebody looked at it last is no part of the record. */
  addRegulator(facts: RegulatorFacts & { brokerCount?: number }, at: Date): void {
    const { brokerCount, lastVerifiedAt, registerReadAt, stale, ...value } = facts;
    const key = entryKey('regulator', value.code);
    const cause = this.#last.has(key) ? 'fact' : 'start';
    this.publish(key, [{ kind: 'regulator', key, value }], at, cause);
  }

  addNews(item: NewsItem, at: Date): void {
    const { id, url, source, publishedAt, brokerSlugs: brokers, regulatorCodes: regulators, title, summary } = item;
    const key = entryKey('news', id);
    const value = { url, source, publishedAt, brokers, regulators };
    this.publish(key, [{ kind: 'news', key, value, texts: { title, summary } }], at, 'fact');
  }

  /** Adds what differs from the last entries of a broker. Reviews that are not published any more were removed. */
  addBroker(facts: TestBrokerFacts, reviews: readonly StoredReview[], at: Date, cause?: EntryCause): void {
    const subject = entryKey('broker', facts.profile.slug);
    const drafts = buildDrafts(facts, reviews);
    const known = this.findWinners(subject, { knownAt: this.#entries.length, validAt: END_OF_TIME });
    const keys = new Set(drafts.map(({ key }) => key));
    const gone = known
      .filter(({ kind, key }) => kind !== 'complaints' && !keys.has(key))
      .map(({ kind, key, value }) => ({ kind, key, value: kind === 'review' ? { ...value, state: 'removed' } : null }));
    this.publish(subject, [...drafts, ...gone], at, known.length === 0 ? 'start' : (cause ?? 'fact'));
  }

  /** Takes back everything about a broker, which was merged into another one. */
  removeBroker(slug: string, at: Date): void {
    const subject = entryKey('broker', slug);
    const known = this.findWinners(subject, { knownAt: this.#entries.length, validAt: END_OF_TIME });
    const gone = known.map(({ kind, key }) => ({ kind, key, value: null }));
    this.publish(subject, gone, at, 'identity');
  }

  /** Adds the scores at the start of a day, unless they are there. */
  beginDay(at: Date): void {
    const date = calendarDate(at);
    if (date <= (this.#days.at(-1)?.date ?? '')) return;
    const through = this.#entries.length;
    const times = { knownAt: through - 1, validAt: `${date}T00:00:00.000Z` };
    const rows = this.listSubjects('broker').flatMap((subject): ScoreRow[] => {
      const found = this.findScored(subject, times);
      return found === undefined ? [] : [[found.slug, found.score.value, found.score.color]];
    });
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    const leaves = rows.map((row) => sha256(leafInput(encodeScoreRow(row))));
    const tree = hashSubtrees(leaves, sha256);
    const root = toBase64(computeSubtreesRoot(tree, sha256));
    const key = entryKey('day', date);
    this.#days.push({ date, number: through, through, rows, tree });
    this.publish(key, [{ kind: 'day', key, value: { date, through, count: rows.length, root } }], at, 'day');
  }

  /** Returns the facts of a broker that were known at one time about another, with its score; undefined without any. */
  findScored(subject: string, times: QueryTimes) {
    const winners = this.findWinners(subject, times);
    const [broker] = selectKind<BrokerValue>(winners, 'broker');
    if (broker === undefined) return undefined;
    const licenses = selectKind<LicenseValue>(winners, 'license');
    const codes = [...new Set(licenses.map(({ regulator }) => regulator))];
    const regulators = codes.flatMap((code) => this.findWinners(entryKey('regulator', code), times));
    const reviews = selectKind<ReviewValue>(winners, 'review').filter(({ state }) => state === 'published');
    const ratingsByMonth = ratingMonths(reviews);
    const complaints = selectKind<{ months: ComplaintMonth[] }>(winners, 'complaints');
    const complaintsByMonth = addComplaintMonths(complaints.flatMap(({ months }) => months));
    const tiers = new Map(selectKind<RegulatorValue>(regulators, 'regulator').map(({ code, tier }) => [code, tier]));
    const warnings = selectKind<WarningValue>(winners, 'warning');
    const facts = { broker, licenses, warnings, tiers, ratingsByMonth, complaintsByMonth };
    const score = scoreFromRecord(facts, METHODOLOGY_VERSION, times.validAt);
    const { slug, name } = broker;
    return { slug, name, score, winners, regulators, ratingsByMonth, complaintsByMonth };
  }

  /** Returns the two times that a query names. A number in the middle of a change means all of the change. */
  resolveTimes({ knownAt, validAt }: RecordBrokersAtQuery, now: Date): QueryTimes {
    const last = this.#entries.length - 1;
    const until = Date.parse(String(knownAt));
    const number =
      typeof knownAt === 'string'
        ? this.#entries.filter(({ time }) => Date.parse(time) <= until).length - 1
        : (this.#entries[Math.min(knownAt ?? last, last)]?.end ?? 0) - 1;
    return { knownAt: number, validAt: new Date(validAt ?? now).toISOString() };
  }

  /** Answers `at`; undefined if nothing was known of the broker. */
  at(slug: string, query: RecordBrokersAtQuery, now: Date): BrokerAt | undefined {
    const times = this.resolveTimes(query, now);
    const found = this.findScored(entryKey('broker', slug), times);
    if (found === undefined) return undefined;
    const { winners, regulators, score, ratingsByMonth, complaintsByMonth } = found;
    const facts = [...winners.filter(({ kind }) => kind !== 'review'), ...regulators]
      .sort((a, b) => a.number - b.number)
      .map((entry) => ({ ...toEntryView(entry), value: toPublishedValue(entry) }));
    return {
      slug: found.slug,
      ...times,
      score,
      facts: facts as BrokerAt['facts'],
      ratingsByMonth,
      complaintsByMonth,
    };
  }

  /** Number of the next entry. */
  get next(): number {
    return this.#entries.length;
  }

  /** Returns the number of the last entry about each broker, by its slug then, in the order of these numbers. */
  lastChanges(): { readonly slug: string; readonly number: number }[] {
    const last = new Map<string, number>();
    for (const { subject, number } of this.#entries) {
      const [kind, slug = ''] = parseEntryKey(subject);
      if (kind !== 'broker') continue;
      last.delete(slug);
      last.set(slug, number);
    }
    return [...last].map(([slug, number]) => ({ slug, number }));
  }

  /** Returns the changes that a score of a broker follows from, oldest first. */
  listChanges(slug: string): NumberedEntry[][] {
    const subject = entryKey('broker', slug);
    const own = this.findAbout(subject);
    const begin = own[0]?.number ?? 0;
    const licenses = own.filter(({ kind, value }) => kind === 'license' && value !== null);
    const codes = new Set(licenses.map(({ value }) => (value as LicenseValue).regulator));
    const regulators = [...codes].flatMap((code) => this.findAbout(entryKey('regulator', code)));
    const all = [...own, ...regulators].filter(({ end }) => end > begin).sort((a, b) => a.number - b.number);
    const changes = new Map<number, NumberedEntry[]>();
    for (const entry of all) changes.set(entry.end, [...(changes.get(entry.end) ?? []), entry]);
    return [...changes.values()];
  }

  /** Answers `history`. */
  history(slug: string, { from = 0, before, per = 'entry', limit }: RecordBrokersHistoryQuery): BrokerHistory {
    const subject = entryKey('broker', slug);
    const changes = this.listChanges(slug);
    const toPeriod = (change: NumberedEntry[] | undefined): string | undefined =>
      change?.[0]?.time.slice(0, per === 'day' ? 10 : 7);
    const steps = changes.filter((change, at) => per === 'entry' || toPeriod(change) !== toPeriod(changes[at + 1]));
    const countBefore = (number: number): number =>
      steps.filter((change) => (change.at(-1)?.number ?? -1) < number).length;
    const least = countBefore(from);
    const most = limit ?? steps.length;
    const end = before === undefined ? least + most : countBefore(before);
    const start = before === undefined ? least : Math.max(least, end - most);
    const page = steps.slice(start, end);
    const data = page.map((change) => {
      const entry = change.at(-1) as NumberedEntry;
      const scored = this.findScored(subject, { knownAt: entry.number, validAt: entry.time });
      const entries = change.map(({ number, key }) => ({ number, key }));
      return {
        ...toEntryView(entry),
        entries,
        value: scored?.score.value ?? null,
        color: scored?.score.color ?? 'gray',
      };
    });
    const hasPrevious = start > (before === undefined ? 0 : least);
    return {
      slug,
      since: this.findAbout(subject)[0]?.time ?? '',
      data,
      next: steps[end]?.[0]?.number ?? null,
      previous: hasPrevious ? (steps[start]?.[0]?.number ?? from) : null,
    };
  }
}
